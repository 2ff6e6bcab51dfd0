module bench

go 1.19

require engram v0.0.0

replace engram => ../../../bindings/go
