# make demo   the main job: two recorded sessions, every stage shown
# make test   all tests, with their own set-up
# make eval   retrieval quality and speed (docs/evaluation.md)
# make header include/engram.h, made of engram-ffi

CARGO ?= cargo

.PHONY: demo test release eval header

demo:
	@$(CARGO) run --package engram-cli --bin engram -- demo

test:
	@bash tests/run.sh

# The programs as they are shipped: the hook is linked statically, which saves the loader's time at every call (D25).
release:
	$(CARGO) build --release --package engram-cli --bin engram
	$(CARGO) rustc --release --package engram-cli --bin engram-hook -- -C target-feature=+crt-static -C relocation-model=static

eval: release
	$(CARGO) run --release --quiet --package engram-eval -- speed

# include/engram.h, after a change of engram-ffi.
header:
	ENGRAM_UPDATE=1 $(CARGO) test --quiet --package engram-ffi --test header
