#!/bin/bash
# The report's page in a headless Chromium (tests/page/). Needs node and
# chromium; without them it is skipped, which counts.
set -eu
cd "$(dirname "$0")/../.."

if ! command -v node >/dev/null || ! command -v chromium >/dev/null; then
  echo "ok 1 - # SKIP the page: node or chromium is missing"
  echo "1..1"
  exit
fi

for kind in small large; do
  ecrb lua tests/page/make.lua $kind "$TMP/$kind"
  ecrb report "$TMP/$kind"/runs/* -o "$TMP/$kind/report" >/dev/null
done
ecrb report "$TMP"/small/runs/* -o "$TMP/brief" --no-texts >/dev/null

exec node tests/page/page.test.js "$TMP/small/report/index.html" \
  "$TMP/large/report/index.html" "$TMP/brief/index.html"
