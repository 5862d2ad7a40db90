#!/usr/bin/env bash
# CBMC with increasing unwinding, as a tool that `lakatos bench` can measure:
#
#     cbmc.sh 32 FILE
#
# A bound is enough when no unwinding assertion fails: then what holds is proved. Otherwise the next
# bound is tried; the last one is too large to be passed. The last line is TRUE, FALSE or UNKNOWN. The command is $CBMC, or cbmc.
#
# What the tasks leave undeclared is as their rules say: inputs are arbitrary (CBMC does that by
# itself), `__VERIFIER_assume` is an assumption, and `__VERIFIER_error` and `reach_error` are assertions that fail.
set -u
bits="$1" file="$2"
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT

has_body() { # name of a function
    grep -Eq "^[a-z ]*\b$1 *\([^;{]*\) *\{" "$file"
}
: >"$folder/rules.c"
for error in __VERIFIER_error reach_error; do
    has_body "$error" ||
        echo "void $error() { __CPROVER_assert(0, \"error\"); __CPROVER_assume(0); }" >>"$folder/rules.c"
done
has_body __VERIFIER_assume ||
    echo 'void __VERIFIER_assume(int c) { __CPROVER_assume(c); }' >>"$folder/rules.c"

for bound in 2 6 12 17 21 40 200 400 1025 2049 8193 65537 268435456; do
    "${CBMC:-cbmc}" "--$bits" --no-standard-checks --unwinding-assertions --unwind "$bound" \
        "$file" "$folder/rules.c" >"$folder/out" 2>&1
    # What fails is listed; unwinding assertions are no answer. That a function has no body is no failure:
    # what it returns is an input.
    grep -E '^\[.*: FAILURE$' "$folder/out" | grep -v 'no body for callee' >"$folder/failures"
    if grep -Eqv 'unwinding assertion|recursion unwinding' "$folder/failures"; then
        echo FALSE
        exit
    elif [ ! -s "$folder/failures" ] && grep -Eq '^VERIFICATION (SUCCESSFUL|FAILED)' "$folder/out"; then
        echo TRUE
        exit
    elif ! grep -q '^VERIFICATION FAILED' "$folder/out"; then
        tail -n 3 "$folder/out"
        echo UNKNOWN
        exit
    fi
done
echo UNKNOWN
