#!/bin/bash
# A call of the client, its journal included, beside what a user of npm would take:
# the openai SDK, and promptfoo with one check for each reply. Their start is left out.
set -eu
cd "$(dirname "$0")/../.."
. tests/bench/parts/calls.sh
modules=$ECRB_BENCH_PEERS/node_modules name='CPU of a call, the client and its journal alone'

beside_sdk() {
  local theirs
  took client_alone 10240 256
  theirs=$(node tests/bench/parts/sdk.mjs "$modules" "http://127.0.0.1:$port/v1" 2048 256)
  say "$name" "$(calculate "$cpu * 1e6 / 10240")" us '>=12x' 'openai SDK' "$theirs"
}

# A configuration of so many tests; JSON is YAML, too.
suite() { # tests
  printf '{"prompts": ["Q {{i}} %s"], "providers": [{"id": "openai:chat:stub",
    "config": {"apiBaseUrl": "http://127.0.0.1:%d/v1", "apiKey": "none"}}], "tests": [' \
    "$(printf 'M%.0s' {1..2000})" "$port"
  for ((i = 1; i <= $1; i++)); do
    [ "$i" -eq 1 ] || printf ','
    printf '{"vars": {"i": "%d"}, "assert": [{"type": "contains", "value": "1"}]}' "$i"
  done
  printf ']}\n'
}

promptfoo() { # tests
  suite "$1" >"$TMP/suite.yaml"
  PROMPTFOO_DISABLE_TELEMETRY=1 PROMPTFOO_DISABLE_UPDATE=1 PROMPTFOO_DISABLE_SHARING=1 \
    PROMPTFOO_DISABLE_REMOTE_GENERATION=1 PROMPTFOO_CONFIG_DIR=$TMP/promptfoo \
    "$modules/.bin/promptfoo" eval -c "$TMP/suite.yaml" --no-cache --no-write --no-table \
    --no-progress-bar -j 256 -o "$TMP/promptfoo.json" >"$TMP/promptfoo.log" 2>&1 || true
  grep -q "\"successes\": *$1\b" "$TMP/promptfoo.json" || {
    echo "failed promptfoo: $(tail -1 "$TMP/promptfoo.log")"
    exit 1
  }
}
export modules
export -f suite promptfoo

beside_promptfoo() {
  local start
  took promptfoo 1
  start=$cpu
  took promptfoo 513
  theirs=$(calculate "($cpu - $start) * 1e6 / 512")
  took client_alone 10240 256
  say "$name" "$(calculate "$cpu * 1e6 / 10240")" us '>=60x' promptfoo "$theirs"
}

each_round() { # package, command: at most three times
  local round
  [ -d "$modules/$1" ] || {
    echo "skip $1: it is not in .build/peers (make bench NPM=1 installs it)"
    return 0
  }
  for ((round = 0; round < ECRB_BENCH_ROUNDS && round < 3; round++)); do $2; done
}

server_up
each_round openai beside_sdk
each_round promptfoo beside_promptfoo
