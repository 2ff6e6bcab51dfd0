# make demo   the main job: two recorded sessions, every stage shown
# make test   all tests, with their own set-up
# make eval   retrieval quality and speed (docs/evaluation.md)
# make install PREFIX=..., make dist-c, make npm, make wheel, make dist-go   the packages of the other languages
# make header include/engram.h, made of engram-ffi

CARGO ?= cargo

.PHONY: demo test release eval header install uninstall dist-c npm wheel dist-go

demo:
	@$(CARGO) run --package engram-cli --bin engram -- demo

test:
	@bash tests/run.sh

# The programs as they are shipped.
release:
	bindings/cli/build.sh release

eval: release
	$(CARGO) run --release --quiet --package engram-eval -- speed

# What each language costs over the Rust call (benches/languages/README.md).
bench-languages:
	@benches/languages/run.sh

# The C library: make install PREFIX=/usr/local [DESTDIR=...]
PREFIX ?= /usr/local
install:
	$(CARGO) build --release --package engram-ffi
	engram-ffi/install.sh "$(PREFIX)" "$(DESTDIR)" release

uninstall:
	engram-ffi/install.sh "$(PREFIX)" "$(DESTDIR)" uninstall

# The packages of the languages, in target/dist.
dist-c:
	engram-ffi/pack.sh release

npm:
	bindings/node/pack.sh release

wheel:
	python3 -m venv target/python/build
	target/python/build/bin/pip install --quiet "maturin>=1.16,<2"
	bindings/python/pack.sh release target/dist target/python/build/bin/maturin

dist-go:
	bindings/go/pack.sh release

# include/engram.h, after a change of engram-ffi.
header:
	ENGRAM_UPDATE=1 $(CARGO) test --quiet --package engram-ffi --test header
