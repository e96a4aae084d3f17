#!/bin/sh
# Runs a test for meson and appends the seconds of processor time it took, with all it started, and its
# command to the file $SOM_TEST_TIMES.
# SPDX-License-Identifier: Apache-2.0
"$@"
code=$?
# not in a pipe, whose shell has no children: two lines, the second about what has been waited for
times >"$SOM_TEST_TIMES.$$"
{ read -r _ && read -r spent; } <"$SOM_TEST_TIMES.$$"
printf '%s %s\n' "$spent" "$*" >>"$SOM_TEST_TIMES"
rm -f "$SOM_TEST_TIMES.$$"
exit $code
