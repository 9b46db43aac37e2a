#!/bin/bash
# Shards against one endpoint: limits are kept together, failures travel with the
# merged run, and a merge that breaks off leaves what was there.
set -u
cd "$TMP" || exit
. "$OLDPWD/tests/support/endpoint.bash"
export CANARY=$canary

most_connections() {
  local port=${url#http://127.0.0.1:}
  exec 3<>/dev/tcp/127.0.0.1/"${port%/v1}"
  printf 'GET /faultd/state HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n' >&3
  timeout 5 cat <&3 | grep -o '"most[a-z_]*":[0-9]*' | grep -o '[0-9]*$'
  exec 3>&-
}
run() { # name, options...: B0 over 36 items
  ecrb b0 --closed --split price --model peer --out "$@" --quiet
}
shards() { # name, options...: all four at once; their exit codes in $codes
  local name=$1 i pids=()
  shift
  for i in 1 2 3 4; do
    run "$name" --shard $i/4 "$@" >"$name.$i.out" 2>&1 &
    pids+=($!)
  done
  codes=
  for i in "${pids[@]}"; do
    wait "$i"
    codes+=$?
  done
}

good='answer
status 200
wait 50
chat "ANSWER: 2.7.1.1"'

serve limits <<<"on POST /*
$good"
run one >one.out 2>&1
before=$(requests limits)
shards all --max-calls 22
[ "$codes" = 3333 ] && [ $(($(requests limits) - before)) -eq 22 ]
verdict "together the shards send no more than --max-calls"
ecrb merge all-?of4 -o all >merge.out 2>&1
[ $? -eq 3 ] && grep -q '^all: 22 of 36 items$' merge.out &&
  [ "$(grep -c '^unfinished: shard ./4' merge.out)" -eq 4 ]
verdict "what they have is merged, and what is unfinished told"
shards all
[ "$codes" = 0000 ] && [ $(($(requests limits) - before)) -eq 36 ]
verdict "without the limit they go on, and repeat nothing"
ecrb merge all-?of4 -o all >merge.out 2>&1 && cmp all/items.jsonl one/items.jsonl
verdict "merged they are what one process makes"

cp -r all kept
(ulimit -f 8; trap '' XFSZ; ecrb merge all-?of4 -o all) >full.out 2>&1
[ $? -eq 2 ] && grep -q '^ecrb: .*calls.jsonl' full.out
verdict "a merge that cannot write says so"
diff -r all kept && [ ! -e all.new ]
verdict "and leaves what was there"
(ulimit -f 8; ecrb merge all-?of4 -o new) >full.out 2>&1
[ ! -e new ] && ecrb merge all-?of4 -o new >merge.out 2>&1 && diff -r new all
verdict "nor is anything there by halves, and the next merge makes it"
end_server

serve width <<<"on POST /*
$good"
shards wide --concurrency 8
[ "$codes" = 0000 ] && [ "$(most_connections)" -le 9 ]
verdict "together they keep to --concurrency"
end_server

serve failing <<<"on POST /* 'MKAAVVTKDHHVDVTYKTLRSLKHGEALLKMECC'
answer
status 200
body '<html>captive portal</html>'
on POST /*
$good"
shards half
[ "$(tr -d 0 <<<"$codes")" = 1 ]
verdict "an item fails in one of the shards"
ecrb merge half-?of4 -o half >merge.out 2>&1
[ $? -eq 1 ] && grep -q '^1 of them failed' merge.out
verdict "the merge says so"
ecrb show half price/3 --brief | grep -q 'no reply (bad_response, HTTP 200):'
verdict "and has the call that failed"
run replayed --replay half >replay.out 2>&1
cmp half/items.jsonl replayed/items.jsonl
verdict "which a replay tells again"
end_server

serve mended <<<"on POST /*
$good"
shards half --retry-failed
[ "$codes" = 0000 ] && [ "$(requests mended)" -eq 1 ]
verdict "it is asked again in its shard"
ecrb merge half-?of4 -o half >merge.out 2>&1 && cmp half/items.jsonl one/items.jsonl
verdict "and its answer takes the failure's place in the merged run"
end_server
echo "1..$number"
