#!/bin/bash
# The REPL on a terminal: tmux types, looks, and interrupts.
set -u
if ! command -v tmux >/dev/null; then
  echo "1..0 # SKIP tmux is not installed"
  exit 0
fi
server=ecrb-$$
faultd=$ECRB_TEST_UNITS/faultd
export XDG_STATE_HOME=$TMP/state PAGER=cat
number=0
trap 'tmux -L $server kill-server 2>/dev/null; kill $endpoint 2>/dev/null' EXIT

printf '#!/bin/sh\nsed -i "s/two to four sentences/one sentence/" "$1"\n' >"$TMP/editor"
printf '#!/bin/sh\nexit 1\n' >"$TMP/broken"
chmod +x "$TMP/editor" "$TMP/broken"
"$faultd" --seconds 120 --wait 4000 --content $'\e[31mANSWER: UNSURE' >"$TMP/port" &
endpoint=$!

start() { # environment and arguments
  tmux -L $server new-session -d -x 100 -y 40 "env $1 ecrb repl $2 --runs $TMP/runs"
}
type_line() {
  tmux -L $server send-keys -l "$1"
  tmux -L $server send-keys Enter
}
key() { tmux -L $server send-keys "$@"; }
screen() { tmux -L $server capture-pane -p -S -200; }

expect() { # what, pattern that must appear on the screen
  number=$((number + 1))
  for _ in $(seq 100); do
    if screen | grep -qE -- "$2"; then
      echo "ok $number - $1"
      return
    fi
    sleep 0.1
  done
  echo "not ok $number - $1"
  screen | tail -20 | sed 's/^/# /'
}

start "EDITOR=$TMP/editor" m1
expect "it greets" "REPL: ecoli .181 items., method m1 open, model reader"
key ":it" Tab
expect "a command completes" "m1> :item"
key "pri" Tab
expect "items complete, in lines that fit" "^price/1  price/10  price/11"
key C-c
expect "Ctrl-C drops the line" '\^C'
key ":method orac" Tab
expect "methods complete" "m1> :method oracle"
key C-c
key ":ablate sav" Tab
expect "and the wordings that can be compared" "m1> :ablate saved"
key C-c
key "tree.ch" Tab
expect "fields complete" "tree.children"
key -l '("1.1.1")[1]'
key Enter
expect "Lua is evaluated" '^1\.1\.1\.1$'
type_line "while true do end"
sleep 0.5
key C-c
expect "Ctrl-C ends an endless loop" '^(error: )?interrupted'
type_line "'still ' .. 'here'"
expect "and the session lives" "^still here"
type_line "(function ()"
type_line "return 'two ' .. 'lines'"
type_line "end)()"
expect "input may take several lines" "^two lines"
type_line ":item price/12"
type_line ":ask"
expect "a reply is read and judged" "L1 right, L2 right, L3 right, L4 right"
type_line ":item random --where right"
expect "items are found by what was found" "^price/12 "
type_line ":edit"
expect "the edit shows as a word difference" '\[-two to four sentences,-\] \{\+one sentence,\+\}'
type_line ":prompt"
expect "the prompt is marked against the saved file" '\{\+one sentence,\+\}'
type_line ":ablate saved now --n 6 --split price"
expect "each under its name" '^B: `now`, m1'
expect "variants are compared in pairs" "^6 items\. B - A with its 95% interval"
type_line ":undo"
expect "a change is taken back" "^taken back"
tmux -L $server resize-window -x 60 -y 20
type_line "string.rep('\\27[31mx', 2)"
expect "escape sequences are harmless" '\\x1B\[31mx'
key C-d
sleep 0.5
start "EDITOR=$TMP/broken" m1
key Up Up
expect "history outlives the session" "^m1> (\(function|end\)|string.rep|:undo)"
key C-c
type_line ":edit"
expect "a failing editor changes nothing" "the template is as it was"
key C-d
sleep 0.5
start "OPENAI_API_KEY=none" "b0 --model x --base-url http://127.0.0.1:$(grep -o '[0-9]*' "$TMP/port")/v1"
type_line ":ask"
expect "a spinner shows while a call is waited for" "waiting for x"
key C-c
expect "Ctrl-C gives the call up" "interrupted"
type_line ":ask"
expect "a hostile reply is harmless" '\\x1B\[31mANSWER: UNSURE'
type_line ":ask"
expect "what was paid for is marked as such" "from the journal"
numbers=$(seq -s ' ' 1 2000)
type_line "x = '$numbers'"
type_line "#x"
expect "a long line arrives whole" "^${#numbers}\$"
tmux -L $server set-buffer "$(printf 'y = {'; seq -s ',' 1 2000 | tr ',' '\n' | sed 's/$/,/'; printf '}')"
tmux -L $server paste-buffer
key Enter
type_line "#y + 0"
expect "two thousand pasted lines arrive whole" '^2000$'
key C-d
echo "1..$number"
