# tap.sh: to be sourced by test scripts. Numbers and prints TAP's lines.
number=0

verdict() { # what; the status of the command before decides
  local status=$?
  number=$((number + 1))
  [ $status -eq 0 ] && echo "ok $number - $1" || echo "not ok $number - $1"
}

skipped() { # what, why
  number=$((number + 1))
  echo "ok $number - # SKIP $1: $2"
}
