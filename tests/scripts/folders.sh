#!/bin/bash
# Run folders that cannot be used as they are: what is said, that nothing is
# lost, and that the remedy which is named works.
set -u
cd "$TMP" || exit
echo 1..29
. "$OLDPWD/tests/support/endpoint.bash"

serve plain <<<"on POST /*
$good"
run plain
sent=$(requests plain)
says() { grep -qF "$2" "$1.out"; } # name, words

run nowhere --out /dev/null/run
[ $code -eq 2 ] && says nowhere 'give another folder with --out'
verdict "a folder that cannot be made"

cp -r plain half
head -c 200 plain/run.json >half/run.json
run half
[ $code -eq 2 ] && says half 'remove run.json and items.jsonl'
verdict "half a manifest is refused"
cmp -s half/items.jsonl plain/items.jsonl
verdict "and nothing is touched"
rm half/run.json half/items.jsonl
run half
[ $code -eq 0 ] && cmp -s half/items.jsonl plain/items.jsonl &&
  [ "$(requests plain)" -eq "$sent" ]
verdict "the remedy makes the same records, and asks nothing"

cp -r plain nameless
rm nameless/run.json
run nameless
[ $code -eq 2 ] && says nameless 'no run.json that tells whose'
verdict "records without a manifest are refused"
rm nameless/items.jsonl
run nameless
[ $code -eq 0 ] && cmp -s nameless/items.jsonl plain/items.jsonl
verdict "and come back out of the calls"

cp -r plain torn
printf '{"key":"abc","req' >>torn/calls.jsonl
printf '{"key":"d' >>torn/items.jsonl
run torn
[ $code -eq 0 ] && says torn 'note: 26 bytes of a line that was being written'
verdict "torn last lines are dropped, with a note"
cmp -s torn/items.jsonl plain/items.jsonl && cmp -s torn/calls.jsonl plain/calls.jsonl
verdict "and nothing else"

cp -r plain swept
: >swept/run.json.4711.new
: >swept/items.jsonl.reordered
: >swept/notes.new
run swept
[ $code -eq 0 ] && [ "$(cd swept && echo *)" = 'calls.jsonl items.jsonl notes.new run.json' ]
verdict "what a killed process was about to put in place is swept away"

# A line inside that says nothing is no failed call of its item.
damage() { # name, sed's command: a run without records whose fifth call is so
  rm -rf "$1"
  cp -r plain "$1"
  : >"$1/items.jsonl"
  sed -i "5$2" "$1/calls.jsonl"
}
damage cut 's/"raw".*//'
damage text 's/"status":200,"step"/"status":"200","step"/'
damage other 's/"raw":"/"raw":7,"x":"/'
damage huge 's/"status":200,"step"/"status":1e300,"step"/'
damage cause 's/"cause":null/"cause":"whim"/'
damage attempts 's/"attempts":\[.*\],"cause"/"attempts":[7],"cause"/'
for name in cut text other huge cause attempts; do
  run "$name"
  [ $code -eq 2 ] && says "$name" "$name/calls.jsonl:5: " &&
    says "$name" 'mend or delete the line'
  verdict "a call that is damaged ($name) is named by its line"
done
sed -i 5d cut/calls.jsonl
run cut
[ $code -eq 0 ] && cmp -s cut/items.jsonl plain/items.jsonl &&
  [ "$(requests plain)" -eq $((sent + 1)) ]
verdict "without it, that call alone is made again"
damage spent 's/"tokens":[0-9]*/"tokens":-1e300/'
run spent --max-tokens 1000000
[ $code -eq 2 ] && says spent 'spent/calls.jsonl:5: `spent.tokens` is no number'
verdict "nor is a cost that cannot be counted towards a limit"

# A full disk: here no file may grow beyond so many blocks of 1 KiB.
full() { # blocks, name: what it says in full.out
  (trap '' XFSZ; ulimit -f "$1"; CANARY=$canary ecrb b0 --closed --split price \
    --model peer --out "$2" --quiet --concurrency 2 2>&1) | cat >full.out
  code=${PIPESTATUS[0]}
}
full 40 disk
[ "$code" -eq 2 ] && says full 'make room on the disk'
verdict "a disk that fills up ends the run"
kept=$(wc -l <disk/calls.jsonl)
[ "$kept" -gt 3 ] && [ "$kept" -lt 36 ] && [ "$(tail -c1 disk/calls.jsonl)" = "" ]
verdict "whole calls are kept"
full 0 disk
[ "$code" -eq 2 ] && says full 'disk/run.json: File too large: nothing can be' &&
  says full 'mend that and run the same again' && says full 'finished is kept'
verdict "while it is full, the same command says what to do"
[ "$(wc -l <disk/calls.jsonl)" -eq "$kept" ]
verdict "and loses nothing"
before=$(requests plain)
run disk
[ $code -eq 0 ] && cmp -s disk/items.jsonl plain/items.jsonl
verdict "with room it ends in the records of an undisturbed run"
[ $(($(requests plain) - before)) -eq $((36 - kept)) ]
verdict "and asks only what was not kept"
end_server

# Two processes on one folder.
serve slow < <(slow 50)
CANARY=$canary ecrb b0 --closed --split price --out shared --quiet \
  --model peer --concurrency 2 >first.out 2>&1 &
first=$!
until [ -s shared/calls.jsonl ]; do sleep 0.01; done
run shared
[ $code -eq 2 ] && says shared 'shared: another ecrb works on this run'
verdict "a second process is refused"
wait $first
[ $? -eq 0 ] && cmp -s shared/items.jsonl plain/items.jsonl &&
  [ "$(requests slow)" -eq 36 ]
verdict "and the first one is not disturbed"
end_server

# Somebody removes, cuts or adds to the files of a run that goes on.
serve slower < <(slow 100)
disturbed() { # name, command...: at a run's first call
  local name=$1
  shift
  CANARY=$canary ecrb b0 --closed --split price --out "$name" --quiet \
    --model peer --concurrency 2 >"$name.out" 2>&1 &
  disturbed=$!
  until [ -s "$name/items.jsonl" ]; do sleep 0.01; done
  "$@"
  wait $disturbed
  code=$?
  [ "$code" -eq 2 ] && [ "$(grep -c 'calls.jsonl:' "$name.out")" -eq 1 ]
}
disturbed removed rm removed/calls.jsonl && says removed 'was removed while it was written'
verdict "a run whose calls are removed stops asking, and says so"
disturbed shorter truncate -s 10 shorter/calls.jsonl && says shorter 'let nothing else write to it'
verdict "so does one whose calls are cut"
add() { echo "$1" >>"$2"; }
disturbed added add '{"key":"x"}' added/calls.jsonl && says added 'let nothing else write to it' &&
  [ "$(wc -l <added/items.jsonl)" -lt 36 ]
verdict "and one to whose calls somebody adds"
end_server

# Interrupted while calls wait for a budget that others hold.
serve held < <(slow 300)
CANARY=$canary setsid ecrb b0 --closed --split price --out held --quiet \
  --model peer --max-tokens 12000 >held.out 2>&1 &
waiting=$!
until [ -s held/calls.jsonl ]; do sleep 0.01; done
kill -INT $waiting
wait $waiting
[ $? -eq 130 ] && says held 'interrupted; the same command goes on from here'
verdict "an interrupt ends those who wait for a budget"
end_server
