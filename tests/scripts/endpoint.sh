#!/bin/bash
# Whole runs against an endpoint that fails: exit codes, resuming, and that no
# key is found anywhere afterwards.
set -u
cd "$TMP" || exit
echo 1..29
. "$OLDPWD/tests/support/endpoint.bash"

serve plain <<<"on POST /*
$good"
run plain
[ $code -eq 0 ] && [ "$(requests plain)" -eq 36 ]
verdict "a good endpoint: one request an item, exit 0"
run plain
[ $code -eq 0 ] && [ "$(requests plain)" -eq 36 ]
verdict "again: no request at all"
run durable --durability record
[ $code -eq 0 ] && cmp -s durable/items.jsonl plain/items.jsonl
verdict "replies that wait for the disk come to the same"
ecrb b0 --closed --split price --model peer --replay plain \
  --out replayed --quiet >replayed.out 2>&1 &&
  cmp -s plain/items.jsonl replayed/items.jsonl
verdict "a replay needs no key and ends in the same records"
end_server
ecrb b0 --closed --split price --model peer --replay plain \
  --out replayed2 --quiet >replayed2.out 2>&1 &&
  cmp -s plain/items.jsonl replayed2/items.jsonl
verdict "nor does it need the endpoint"

# The key as JSON may write it.
escaped=$(printf '%s' "$canary" | od -An -v -tx1 | tr -d '\n' | sed 's/ /\\u00/g')
serve key <<<"on POST /*
answer
status 401
header X-Request-Id: $(base64 <<<"Bearer $canary")
body '{\"error\":{\"code\":\"invalid_api_key\",\"message\":\"bad $canary or $escaped\"}}'"
run key --concurrency 4
[ $code -ne 0 ] && [ $code -ne 1 ]
verdict "a bad key: the run does not pass for done"
[ "$(requests key)" -le 4 ]
verdict "a bad key costs no more requests than were under way"
grep -q 'check the key' key.out
verdict "a bad key is named in one message"
[ "$(grep -c 'check the key' key.out)" -eq 1 ]
verdict "once"
end_server

# The same port cannot be promised, so one server fails first and then works.
serve quota <<<"on POST /*
answer 10
status 200
chat \"ANSWER: 2.7.1.1\"
answer 4
status 402
body '{\"error\":{\"code\":402,\"message\":\"Insufficient Balance\"}}'
$good"
run quota --concurrency 4
[ $code -eq 3 ]
verdict "no money: exit 3"
[ "$(wc -l <quota/items.jsonl)" -eq 10 ]
verdict "no money: the ten answers are kept, the rest is pending"
before=$(requests quota)
while [ "$before" -lt 14 ]; do # what is left of the failing answers
  curl -s -o /dev/null -d '{}' "$url/chat/completions"
  before=$((before + 1))
done
run quota --concurrency 4
[ $code -eq 0 ] && [ "$(requests quota)" -eq $((before + 26)) ]
verdict "the same command goes on where it stopped, and repeats nothing"
cmp -s plain/items.jsonl quota/items.jsonl
verdict "and ends in the records of an undisturbed run"
end_server

serve faults <<<"on POST /*
answer 3
status 200
wait 30
chat \"ANSWER: 2.7.1.1\"
answer
status 200
length 5000
end
send \"{\"
reset
answer 3
status 200
wait 30
chat \"ANSWER: 2.7.1.1\"
answer
status 500
body 'down'
again"
for delay in 0.15 0.25 0.35; do
  CANARY=$canary ecrb b0 --closed --split price --out faults --quiet \
    --model peer --concurrency 2 \
    >>faults.out 2>&1 &
  victim=$!
  sleep $delay
  kill -9 $victim 2>/dev/null
  wait $victim 2>/dev/null
done
run faults --concurrency 2
[ $code -eq 0 ]
verdict "killed three times under a quarter of faults, the run ends"
cmp -s plain/items.jsonl faults/items.jsonl
verdict "in the records of an undisturbed run"
[ "$(sed 's/^{"key":"\([^"]*\)".*/\1/' faults/calls.jsonl | sort |
  uniq -d | wc -l)" -eq 0 ]
verdict "with no call recorded twice"
end_server

serve redirect <<<"on POST /v1/*
answer
status 307
header Location: /elsewhere/chat/completions
body ''
on POST /elsewhere/*
$good"
run redirect --concurrency 2
[ $code -ne 0 ] && ! grep -q '"path":"/elsewhere' redirect.log
verdict "a redirect is not followed"
end_server

serve garbage <<<"on POST /*
answer
status 200
body '<html>captive portal</html>'"
run garbage --limit 4
[ $code -eq 1 ] && grep -q '^failed  *4' garbage.out
verdict "pages under 200: every item fails with its cause, exit 1"
grep -q '^4 of them failed, .* first: bad_response (a page ' garbage.out
verdict "said with the first item's reason"
ecrb show garbage price/1 --brief | grep -q 'no reply (bad_response, HTTP 200):'
verdict "show finds the call that failed"
[ "$(requests garbage)" -eq 12 ]
verdict "after three attempts each"
run garbage --limit 4
[ $code -eq 1 ] && [ "$(requests garbage)" -eq 12 ]
verdict "the same command says so again, and asks nothing"
end_server

serve probed <<<"on GET /v1/models
answer
status 200
body '{\"data\":[{\"id\":\"m\"}]}'
on POST /*
$good"
export CANARY=$canary
ecrb probe peer --short >probe.out 2>&1
[ $? -eq 0 ] && grep -q '^verdict: cannot tell' probe.out
verdict "a first probe has nothing to compare with"
ecrb probe peer --short >probe.out 2>&1
[ $? -eq 0 ] && grep -q '^verdict: consistent' probe.out
verdict "a second one finds the same"
run probed --require-probe 1
[ $code -eq 0 ] && grep -q 'the endpoint at the end: consistent' probed.out &&
  grep -q '"probe_after"' probed/run.json
verdict "a run that requires a probe names it, and probes again at its end"
run probeless --require-probe 1 --probes nowhere
[ $code -eq 2 ] && grep -q 'run `ecrb probe peer`' probeless.out
verdict "without one it does not begin"
end_server
ecrb probe peer --short >probe.out 2>&1
[ $? -eq 3 ] && grep -q 'not reached' probe.out
verdict "an endpoint that is gone: exit 3"

serve wrong <<<"on POST /*
answer
status 400
body '{\"error\":{\"code\":\"unsupported_parameter\",\"message\":\"no\"}}'"
run wrong --concurrency 2
[ $code -eq 2 ] && [ "$(requests wrong)" -le 2 ]
verdict "a parameter that the endpoint refuses: exit 2, at once"
end_server

! grep -rqF -e "$canary" -e '\u0037' -e "$(base64 <<<"Bearer $canary" | cut -c13-24)" \
  probes plain key quota faults redirect garbage ./*.out
verdict "no key in any file or message"
