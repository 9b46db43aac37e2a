#!/bin/bash
# Items that ended in a failed call are asked again when that is asked for: the
# records come out as if nothing had happened, whatever happens on the way.
set -u
cd "$TMP" || exit
echo 1..16
. "$OLDPWD/tests/support/endpoint.bash"

page="answer 3
status 200
body '<html>captive portal</html>'"
refusal="answer 3
status 400
body '{\"error\":{\"message\":\"no such template\"}}'"

serve plain <<<"on POST /*
$good"
run plain
end_server

serve marred <<<"on POST /*
answer 10
status 200
chat \"ANSWER: 2.7.1.1\"
$page
$refusal
answer 30
status 200
wait 60
chat \"ANSWER: 2.7.1.1\"
$good"
run marred --concurrency 1 --max-retries 0
[ $code -eq 1 ] && [ "$(grep -c '"outcome":"failed"' marred/items.jsonl)" -eq 6 ]
verdict "six of 36 calls fail, and so do their items"
grep -q '^the same command with --retry-failed (6 items) asks them again' \
  marred.out
verdict "the summary names the option"
ecrb b0 --closed --split price --model peer --replay marred \
  --out replayed --quiet >replayed.out 2>&1
[ $? -eq 1 ] && cmp -s marred/items.jsonl replayed/items.jsonl
verdict "a replay ends in the same failures"
cp -r marred killed
cp -r marred gone
run marred --retry-failed --concurrency 1
[ $code -eq 0 ] && cmp -s marred/items.jsonl plain/items.jsonl
verdict "asked again, they end in the records of an undisturbed run"
[ "$(requests marred)" -eq 42 ] && [ "$(wc -l <marred/calls.jsonl)" -eq 42 ]
verdict "six calls were sent for that, and every one is kept"
head -36 marred/calls.jsonl | cmp -s - killed/calls.jsonl
verdict "beside those that were there"
run marred --retry-failed
[ $code -eq 0 ] && [ "$(requests marred)" -eq 42 ]
verdict "with nothing left to ask, nothing is asked"

# Killed while it asks again: the old records stand, and no reply is lost.
calls() { wc -l <killed/calls.jsonl; }
CANARY=$canary ecrb b0 --closed --split price --out killed --quiet \
  --model peer --retry-failed --concurrency 1 >killed.out 2>&1 &
victim=$!
until [ "$(calls)" -ge 38 ]; do sleep 0.01; done
kill -9 $victim
wait $victim 2>/dev/null
paid=$(calls)
[ "$paid" -lt 42 ] && [ "$(grep -c '"outcome":"failed"' killed/items.jsonl)" -eq 6 ]
verdict "killed half-way: the old records stand"
before=$(requests marred)
run killed --concurrency 1
[ $code -eq 1 ] && [ "$(requests marred)" -eq "$before" ]
verdict "without the option nothing is asked"
run killed --retry-failed --concurrency 1
[ $code -eq 0 ] && cmp -s killed/items.jsonl plain/items.jsonl
verdict "with it the run ends in the records of an undisturbed run"
[ $(($(requests marred) - before)) -eq $((42 - paid)) ]
verdict "and what was answered before the kill is not asked again"
end_server

serve dead <<<"on POST /*
answer 4
status 200
body '<html>captive portal</html>'
answer
status 402
body '{\"error\":{\"code\":402,\"message\":\"Insufficient Balance\"}}'
again"
run gone --retry-failed --concurrency 1 --max-retries 0
[ $code -eq 3 ] && [ "$(grep -c '"outcome":"failed"' gone/items.jsonl)" -eq 6 ]
verdict "fails again, then stops: no item loses its record"
ecrb score gone >score.out 2>&1 && grep -q '^failed  *6' score.out
verdict "and the run can be scored as it is"
end_server

cat >mistaken.lua <<'END'
return { id = "mistaken", title = "Mistaken", books = { "closed" },
  run = function (enzyme)
    if enzyme.length % 2 == 1 then error("odd") end
    return { path = {} }
  end }
END
mistaken() { ecrb mistaken.lua --split price --out mistaken --quiet "$@" 2>&1; }
mistaken >first.out
failed=$(grep -c '"outcome":"script"' mistaken/items.jsonl)
grep -q "^the same command with --retry-script-errors ($failed items) asks" \
  first.out
verdict "a script's errors have an option of their own"
cp mistaken/items.jsonl records
mistaken --retry-failed | grep -q ': 0 items done now, 36 before'
verdict "they are no failed calls"
mistaken --retry-script-errors | grep -q ": $failed items done now" &&
  cmp -s records mistaken/items.jsonl
verdict "run again, the same script makes the same errors"
