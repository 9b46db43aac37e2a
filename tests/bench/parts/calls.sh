# What the measures of calls share: a server, a benchmark, runs. To be sourced.
[ -x /usr/bin/time ] || {
  echo "skip $(basename "$0"): it needs the package time"
  exit 0
}
export OPENAI_API_KEY=none
ulimit -n "$(ulimit -Hn)"

# One short question an item: what is left is the way of a call.
question=$TMP/question.lua
cat >"$question" <<'END'
return {
  id = "question", title = "One question", books = { "closed" }, free_text = true,
  prompts = {},
  run = function (enzyme, opt)
    return answer(ask("Which EC number has this enzyme?\n" .. enzyme.sequence, opt))
  end,
}
END

say() { # name, value, unit, goal, beside, its value
  local IFS=$'\t'
  echo "$*"
}

server=
server_down() {
  [ -z "$server" ] || { kill "$server" && wait "$server"; } 2>/dev/null || true
  server=
}
trap server_down EXIT

server_up() { # options...: sets `port`; a port that is taken ends the server
  local try
  for try in 1 2 3 4 5 6 7 8; do
    port=$((20000 + RANDOM % 10000))
    "$ECRB_BENCH_PARTS/stub" --port $port "$@" >"$TMP/stub" 2>&1 &
    server=$!
    sleep 0.3
    kill -0 $server 2>/dev/null && return
  done
  cat "$TMP/stub"
  return 1
}

items() { # folder, number of items, `labels` if they are to have them
  "$ECRB_BENCH_PROGRAM" lua tests/bench/parts/items.lua "$@"
}

ask() { # method, benchmark, in flight, option...: a run in $TMP/run
  local method=$1 bench=$2 width=$3
  shift 3
  rm -rf "$TMP/run"
  "$ECRB_BENCH_PROGRAM" run "$method" --closed --bench "$bench" --model stub \
    --base-url "http://127.0.0.1:$port/v1" --concurrency "$width" --quiet \
    --out "$TMP/run" "$@" >"$TMP/out" 2>"$TMP/err" || cat "$TMP/out" "$TMP/err"
}

client_alone() { # calls, in flight
  "$ECRB_BENCH_PROGRAM" lua tests/bench/parts/client.lua \
    "http://127.0.0.1:$port/v1" "$1" "$2" "$TMP/kept.jsonl"
  rm "$TMP/kept.jsonl"
}

# Sets `cpu` and `wall`, seconds of a command, and `kb`, its largest memory.
took() { # command...
  /usr/bin/time -f '%U %S %e %M' -o "$TMP/time" "$BASH" -c '
    . tests/bench/parts/calls.sh; trap - EXIT; port=$1; shift; "$@"' \
    - "$port" "$@"
  read -r cpu wall kb < <(awk 'END { print $1 + $2, $3, $4 }' "$TMP/time")
}

# A field of what the bare client says of itself: cpu_us_per_req, maxrss_kb.
bare() { # field, calls, in flight
  "$ECRB_BENCH_PARTS/curlclient" "http://127.0.0.1:$port/v1/chat/completions" \
    "$2" "$3" epoll 2048 | sed "s/.*\"$1\":\([0-9.]*\).*/\1/"
}

calculate() { # expression
  awk "BEGIN { print $1 }"
}
