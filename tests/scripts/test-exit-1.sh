#!/bin/sh
# A test run that fails.
echo "test parser::tests::empty_input ... FAILED"
echo "test result: FAILED. 3 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out"
exit 1
