# For scripts that run ecrb against faultd: to be read by bash, in $TMP.
canary=sk-canary-77d1
. "$(dirname "${BASH_SOURCE[0]}")/tap.sh"

# A server with the script on standard input. The model that it serves is one
# and the same to ecrb, wherever it listens.
serve() { # name
  cat >"$1.script"
  "$ECRB_TEST_UNITS/faultd" --script "$1.script" --log "$1.log" \
    --seconds 300 >"$1.port" &
  server=$!
  until [ -s "$1.port" ]; do sleep 0.02; done
  url=http://127.0.0.1:$(cat "$1.port")/v1
  mkdir -p "$XDG_CONFIG_HOME/ecrb"
  cat >"$XDG_CONFIG_HOME/ecrb/models.lua" <<END
return { peer = { base_url = "$url", model = "m", identity = "peer",
                  key_variable = "CANARY" } }
END
}
end_server() {
  kill "$server"
  wait "$server" 2>/dev/null || true
}
requests() { grep -c '"method":"POST"' "$1.log"; }
run() { # name, options...: a run of B0 on 36 items; its exit code in $code
  local name=$1
  shift
  CANARY=$canary ecrb b0 --closed --split price --out "$name" --quiet \
    --model peer "$@" >"$name.out" 2>&1
  code=$?
}

good='answer
status 200
chat "ANSWER: 2.7.1.1"'
slow() { # milliseconds: the script of a server whose good answers take so long
  echo "on POST /*
answer
status 200
wait $1
chat \"ANSWER: 2.7.1.1\"
again"
}
