#!/bin/bash
# What a run may spend, over all its sessions: a limit is never passed, is used
# to its end, and a raised one goes on.
set -u
cd "$TMP" || exit
echo 1..23
. "$OLDPWD/tests/support/endpoint.bash"

serve plain <<<"on POST /*
$good"
run plain
prices='prices = { prompt = 1, completion = 1 },'
sed -i "s/return { peer = {/& $prices/" "$XDG_CONFIG_HOME/ecrb/models.lua"
spent() { # name: tokens of all replies in the journal
  sed 's/.*"spent":{\([^}]*\)}.*/\1/' "$1/calls.jsonl" |
    sed 's/.*"tokens":\([0-9]*\).*/\1/' | awk '{ n += $1 } END { print n }'
}

run calls --max-calls 10
[ $code -eq 3 ] && [ "$(wc -l <calls/calls.jsonl)" -eq 10 ]
verdict "ten calls may be made, and ten are"
grep -q '^paused: --max-calls 10: 10 spent, 0 left, and' calls.out
verdict "the reason says so"
before=$(requests plain)
run calls --max-calls 10
[ $code -eq 3 ] && [ "$(requests plain)" -eq "$before" ]
verdict "the same command has nothing left"
grep -q 'a higher limit goes on from here' calls.out
verdict "and says what to do"
run calls --max-calls 25
[ $code -eq 3 ] && [ "$(wc -l <calls/calls.jsonl)" -eq 25 ]
verdict "a raised limit goes on, up to itself"
run calls --max-calls 36
[ $code -eq 0 ] && cmp -s calls/items.jsonl plain/items.jsonl
verdict "and ends in the records of an undisturbed run"
end_server

# Slow replies: all calls want to be in flight at once, and each may use 4,096
# tokens more than it does.
serve slow < <(slow 30)
all=$(spent plain)
run tokens --max-tokens $((all + 6000)) --concurrency 64
[ $code -eq 0 ] && cmp -s tokens/items.jsonl plain/items.jsonl
verdict "calls in flight do not use up a limit that is high enough"
grep -q "^spent in all: $all of --max-tokens" tokens.out
verdict "the summary says what was spent"
run half --max-tokens $((all / 2)) --concurrency 64
[ $code -eq 3 ] && [ "$(spent half)" -le $((all / 2)) ] &&
  [ "$(spent half)" -ge $((all / 2 - 6000)) ]
verdict "a limit is used but for what one call may take, and never passed"
run half --max-tokens $((all + 6000))
[ $code -eq 0 ] && cmp -s half/items.jsonl plain/items.jsonl
verdict "raised, the run goes on to the same records"
sed -i "s/return { peer = {/& $prices/" "$XDG_CONFIG_HOME/ecrb/models.lua"
run money --max-cost 0.008 --max-output 100
[ $code -eq 3 ] && [ "$(spent money)" -le 8000 ] &&
  [ "$(spent money)" -ge 6000 ]
verdict "nor is a limit on money, at the prices of models.lua"
end_server

# One budget for all settings of a suite, and over its sessions.
suite() { # limit: the sum of calls in all journals in $sum
  CANARY=$canary ecrb suite --settings b0-closed,b0-open --no-vote \
    --split price --limit 12 --runs suite --quiet --model peer \
    --max-calls "$1" >suite.out 2>&1
  code=$?
  sum=$(cat suite/*/calls.jsonl | wc -l)
}
serve suite <<<"on POST /*
$good"
suite 16
[ $code -eq 3 ] && [ "$sum" -eq 16 ]
verdict "a suite has one budget for its settings"
suite 20
[ $code -eq 3 ] && [ "$sum" -eq 20 ]
verdict "which counts what its runs have spent before"
end_server

serve storm <<<"on POST /*
answer
status 503
header Retry-After: 0
body 'busy'
again"
run storm --max-calls 20 --max-retries 9
[ $code -eq 3 ] && [ "$(requests storm)" -le 20 ]
verdict "every sending counts, of calls that are sent again too"
end_server

# A server's own figures cannot stretch a limit, nor use it up.
tells() { # prompt tokens, completion tokens: a script that answers with these
  echo "on POST /*
answer
status 200
body '{\"model\":\"m\",\"choices\":[{\"finish_reason\":\"stop\",\"message\":\
{\"content\":\"ANSWER: 2.7.1.1\"}}],\"usage\":{\"prompt_tokens\":$1,\
\"completion_tokens\":$2}}'
again"
}
for figures in "-1e9 -1" "0 0" "1e300 1e999" '"12" 0.5'; do
  serve figures < <(tells $figures)
  run figures --max-tokens 20000 --max-output 100 --concurrency 4
  [ $code -eq 3 ] && [ "$(spent figures)" -le 20000 ] &&
    [ "$(spent figures)" -ge 18000 ] && grep -q "^note: $(requests figures) of \
the replies tell of token counts that cannot be" figures.out
  verdict "tokens told as $figures count at the most that a call may take"
  end_server
  rm -r figures*
done

# A connection takes a file. The shell's soft limit is the program's to raise.
serve files <<<"on POST /*
$good"
files() { # name, ulimit's options...: a wide run of a process with that limit
  local name=$1
  shift
  (ulimit "$@" && run "$name" --concurrency 256 && exit "$code")
  code=$?
}
files few -n 20
[ $code -eq 0 ] && cmp -s few/items.jsonl plain/items.jsonl &&
  grep -q '^note: calls in flight at most: [1-9], because' few.out
verdict "where few files may be opened, fewer calls are in flight"
files raised -Sn 20
[ $code -eq 0 ] && ! grep -q '^note: calls in flight' raised.out
verdict "unless the limit may be raised"
files none -n 12
[ $code -eq 2 ] && grep -q 'raise the limit (ulimit -n 1024)' none.out
verdict "where too few may, the run does not begin"

# Nor does one that can make no request at all.
mkdir broken
: >broken/libcurl.so.4
LD_LIBRARY_PATH=$TMP/broken run without
[ $code -eq 2 ] && [ ! -s without/items.jsonl ] &&
  [ "$(grep -c 'libcurl cannot be loaded.*libcurl4 (.*file too short)' without.out)" -eq 1 ]
verdict "without libcurl the run ends in one message, and no item has failed"
run without
[ $code -eq 0 ] && cmp -s without/items.jsonl plain/items.jsonl
verdict "and goes on with it"
end_server
