#!/bin/bash
# The completions of bash and zsh, as their shells use them, and the manual page:
# all made from the command line's parsers, so they hold what `--help` tells.
set -u
. tests/support/tap.sh
unset MAKEFLAGS MFLAGS
make -s all library >"$TMP/log" 2>&1
echo 1..22
export MADE=$PWD/.build/opt
# What bash offers for a command line that ends where the cursor is.
offered() { # word...
  bash -c '. $MADE/completion.bash
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
    $(complete -p ecrb | sed "s/.*-F \([^ ]*\) .*/\1/")
    printf "%s\n" "${COMPREPLY[@]}"' - "$@" 2>&1 | sort | tr '\n' ' '
}

[ "$(offered ecrb ann)" = 'annotate ' ]
verdict "bash: a command"
[[ $(offered ecrb '') == *'m1 m2 m3 '* ]] && [[ $(offered ecrb '') == *'suite '* ]]
verdict "bash: methods and commands stand first"
[ "$(offered ecrb m2 --spl)" = '--split ' ]
verdict "bash: an option of a method"
[ "$(offered ecrb methods/vote.lua --clo)" = '--closed ' ]
verdict "bash: an option of a method script"
[ "$(offered ecrb run m)" = 'm1 m2 m3 m4 m5 m6 methods ' ]
verdict "bash: a method's name"
[ "$(offered ecrb m2 --bench eco)" = 'ecoli ' ]
verdict "bash: a bundled benchmark"
[ "$(offered ecrb m2 --bench da)" = 'data ' ]
verdict "bash: a benchmark's folder"
[ "$(offered ecrb m2 --distractors s)" = 'siblings strangers ' ]
verdict "bash: what an option can be"
[ "$(offered ecrb bench import c)" = 'care care-task2 ' ]
verdict "bash: a part of a command's part"
[ "$(offered ecrb care score --sep)" = "$(./ecrb care score --help |
  grep -o -- '--sep[a-z-]*' | sort -u | tr '\n' ' ')" ]
verdict "bash: what care score's help has"
[ "$(offered ecrb m2 --split p)" = 'price promiscuous ' ]
verdict "bash: a split of the bundled benchmark"
[ -z "$(offered ecrb m2 --bench mine --split p | tr -d ' ')" ]
verdict "bash: none of another benchmark"
mkdir -p "$XDG_CONFIG_HOME/ecrb"
echo 'return { ["my-qwen"] = { base_url = "http://127.0.0.1:1/v1", key_optional = true } }' \
  >"$XDG_CONFIG_HOME/ecrb/models.lua"
[ "$(offered ecrb repl --model my)" = 'my-qwen ' ] && [ "$(offered ecrb m2 --model vl)" = 'vllm/ID ' ]
verdict "bash: a name of models.lua, and a provider"
touch "$TMP/mine.lua" "$TMP/notes.txt"
[ "$(cd "$TMP" && offered ecrb n)" = ' ' ] &&
  [ "$(cd "$TMP" && offered ecrb mi)" = 'mine.lua ' ]
verdict "bash: scripts and no other files where a method is wanted"
[ -z "$(offered ecrb m2 --limit '' | tr -d ' ')" ]
verdict "bash: nothing for a number"

if command -v zsh >/dev/null; then
  chosen=$(zsh -fc 'compadd() { shift; print -l -- $@ }; _files() { print files $@ }
    words=(ecrb bench import "") CURRENT=4
    source .build/opt/completion.zsh; _ecrb' 2>&1 | tr '\n' ' ')
  [ "$chosen" = 'care care-task2 table uniprot ' ]
  verdict "zsh: a part of a command's part"
  chosen=$(zsh -fc 'compadd() { shift; print -l -- $@ }; _files() { print files $@ }
    words=(ecrb m2 --bench "") CURRENT=4
    source .build/opt/completion.zsh; _ecrb' 2>&1 | tr '\n' ' ')
  [ "$chosen" = 'ecoli files -/ ' ]
  verdict "zsh: a benchmark"
  mkdir "$TMP/functions" && cp .build/opt/completion.zsh "$TMP/functions/_ecrb"
  [ "$(zsh -fc "fpath=($TMP/functions \$fpath); autoload -Uz compinit
    compinit -D -u; print \$_comps[ecrb]")" = _ecrb ]
  verdict "zsh: found by its name"
else
  skipped "zsh: found by its name" "no zsh here"
  skipped "zsh: a part of a command's part" "no zsh here"
  skipped "zsh: a benchmark" "no zsh here"
fi

page=.build/opt/ecrb.1
if command -v mandoc >/dev/null; then
  mandoc -T lint -W error $page >&2
  verdict "the manual page passes mandoc's lint"
else
  skipped "the manual page passes mandoc's lint" "no mandoc here"
fi
if command -v man >/dev/null && command -v groff >/dev/null; then
  warned=$(LC_ALL=C.UTF-8 MANROFFSEQ='' MANWIDTH=80 \
    man --warnings -E UTF-8 -l -Tutf8 -Z $page 2>&1 >/dev/null)
  [ -z "$warned" ] || ! echo "$warned" >&2
  verdict "and groff's warnings"
else
  skipped "and groff's warnings" "no man or groff here"
fi
text=$(sed 's/\\-/-/g; s/\\f[BIPR]//g' $page)
lacking=$(for words in $(./ecrb help | sed -n 's/^    \([a-z]*\) .*/\1/p'); do
  ./ecrb "$words" --help | grep -oE '^ +(-[a-z], )?--[a-z-]+' |
    grep -oE -- '--[a-z-]+' | while read -r option; do
      [ "$option" = --help ] ||
        awk -v command="ecrb $words" -v option="$option" '
          /^\.SS/ { on = index($0, command "\"") || ("ecrb run" == command &&
            index($0, "ecrb METHOD")) }
          on && index($0, option) { found = 1 } END { exit !found }' <<<"$text" ||
        echo "$words $option"
    done
done)
[ -z "$lacking" ] || ! echo "$lacking" >&2
verdict "the manual page has every option of every command"
for id in $(ls methods | sed -n 's/^\([a-z0-9]*\).*\.lua$/\1/p'); do
  grep -qx "\\\\fB$id\\\\fP" $page || echo "$id"
done | { ! grep . >&2; }
verdict "and every method"
