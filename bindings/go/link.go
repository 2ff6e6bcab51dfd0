package engram

// How the C library is found. The packed module (pack.sh) has another file in the place of this one.

/*
#cgo !static_link pkg-config: engram
#cgo static_link pkg-config: engram-static
// The build cache knows flags that stand here, and not those of pkg-config: without one of its own it would take the other build.
#cgo static_link CFLAGS: -DENGRAM_STATIC
*/
import "C"
