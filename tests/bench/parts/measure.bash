# What measures in bash share; see ../README.md.

# name, value, unit, goal[, beside, its value]
say() {
  local IFS=$'\t'
  echo "$*"
}

# command...: sets cpu and wall (seconds) and rss (MB). What the command says
# goes to $TMP/said; a command that fails ends the measure.
cost() {
  "$ECRB_BENCH_PARTS/cost" "$TMP/cost" "$@" >"$TMP/said" 2>&1 || {
    tail -3 "$TMP/said" >&2
    exit 1
  }
  read -r cpu wall rss <"$TMP/cost"
  rss=$(awk -v kb="$rss" 'BEGIN { print kb / 1024 }')
}

rounds() { # at most
  seq "$((ECRB_BENCH_ROUNDS < $1 ? ECRB_BENCH_ROUNDS : $1))"
}
