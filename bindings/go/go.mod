module engram

go 1.19
