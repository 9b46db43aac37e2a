-- Writes the completion of a shell from the command line's parsers:
--   ecrb lua lua/completion.lua bash|zsh >FILE
--
-- Both have the same two questions answered by generated `case`s: which command
-- the words so far name, and what fits after an option or as an argument. What
-- fits is a kind: `words a b c`, `bench`, `split`, `method` and `first` (with
-- scripts), `model` (what `ecrb help models` lists at that moment), `files`,
-- `folders`, `none`.

package.path = string.match(arg[0], "^(.*/)") .. "?.lua;" .. package.path
local benchmark = require "ecrb.benchmark"
local commands = require "ecrb.commands"
local parsers = require "parsers"
local shipped_methods = require "ecrb.shipped_methods"
local system = require "core.system"

-- By the name of the value, and before that by the option's or argument's own.
local kinds_of_values = { FILE = "files", RUN = "folders", DIR = "folders", BENCH = "bench",
                          FOLDER = "folders", TABLE = "files" }
local kinds_of_names = {
  bench = "bench", split = "split", method = "method", model = "model",
  runs = "folders", run = "folders", out = "folders",
  replay = "folders", prompts = "folders", probes = "folders", output = "files",
}

local function words(list)
  return "words " .. table.concat(list, " ")
end

local function kind_of(element, name)
  if element._choices then return words(element._choices) end
  local value = type(element._argname) == "string" and element._argname or ""
  return kinds_of_names[name] or kinds_of_values[string.match(value, "%u+$") or ""]
end

local function bundled()
  local list = {}
  for _, name in ipairs(system.list(system.self .. "/data")) do
    if system.exists(system.self .. "/data/" .. name .. "/bench.json") then
      list[#list + 1] = name
    end
  end
  table.sort(list)
  return list
end

-- The splits of the bundled benchmarks, for a command line that names no other.
local function splits()
  local list, seen = {}, {}
  for _, name in ipairs(bundled()) do
    local bench = benchmark.open(name).core
    for i = 1, #bench do
      local split = bench:item(i).split
      if not seen[split] then list[#list + 1] = split end
      seen[split] = true
    end
  end
  return list
end

local function joined(...)
  local all = {}
  for _, list in ipairs { ... } do table.move(list, 1, #list, #all + 1, all) end
  return all
end

-- {==================================================================
-- The two tables: patterns in their order, each with what it leads to.
-- ===================================================================

local reached, fits = {}, {}

local function add(list, pattern, result)
  list[#list + 1] = { pattern, result }
end

local function add_options(path, parser)
  local names = {}
  for _, option in ipairs(parser._options) do
    local aliases, value = parsers.option(option)
    for _, alias in ipairs(aliases) do
      local kind = kind_of(option, string.gsub(alias, "^%-+", "")) or "none"
      if value then add(fits, path .. " " .. alias, kind) end
    end
    names[#names + 1] = aliases[#aliases]
  end
  return names
end

local function argument_kind(one)
  if one.words == "help" then
    return words(joined(commands.names(), shipped_methods.ids(),
      { "api", "core", "lua", "models" }))
  end
  local kind
  for _, argument in ipairs(one.parser._arguments) do
    kind = kind or kind_of(argument, argument._name)
  end
  return kind or "files"
end

for _, one in ipairs(parsers.all()) do
  local path = "/" .. string.gsub(one.words, " ", "/")
  add(reached, path, path)
  local options = add_options(path, one.parser)
  add(fits, path .. " options", words(options))
  if one.leaf then
    add(fits, path .. " arguments", argument_kind(one))
  else
    local names = {}
    for i, part in ipairs(one.parser._commands) do names[i] = part._name end
    add(fits, path .. " arguments", words(names))
  end
end
for _, id in ipairs(shipped_methods.ids()) do add(reached, "/" .. id, "/run") end
add(fits, " options", "words --version --help")
add(fits, " arguments", "first")
-- }==================================================================

-- Patterns that lead to the same stand in one line.
local function cases(list, variable)
  local order, patterns, lines = {}, {}, {}
  for _, entry in ipairs(list) do
    local pattern, result = entry[1], entry[2]
    if not patterns[result] then
      patterns[result] = {}
      order[#order + 1] = result
    end
    table.insert(patterns[result], '"' .. pattern .. '"')
  end
  for i, result in ipairs(order) do
    lines[i] = string.format("    %s) %s='%s' ;;",
      table.concat(patterns[result], "|"), variable, result)
  end
  return table.concat(lines, "\n")
end

local common = [[
# The command that the words so far name, as a path.
_ecrb_path() {
  local word
  ecrb_path=
  for word in "$@"; do
    case "$ecrb_path/$word" in
@REACHED@
      /*.lua) [ -n "$ecrb_path" ] || ecrb_path=/run ;;
    esac
  done
}

# What fits: ecrb_words, and ecrb_files (`files`, `scripts`, `folders` or nothing).
_ecrb_fits() { # the path, an option, `options` or `arguments`, and all words before
  local kind= all=" ${*:3} "
  ecrb_words= ecrb_files=
  case "$1 $2" in
@FITS@
  esac
  case $kind in
    "") return 1 ;;
    words*) ecrb_words=${kind#words } ;;
    bench) ecrb_words='@BENCHES@' ecrb_files=folders ;;
    split) case $all in *" --bench "*) ;; *) ecrb_words='@SPLITS@' ;; esac ;;
    model) ecrb_words=$(ecrb help models 2>/dev/null |
      awk '/^---/ { listed = 1; next } !NF { listed = 0 } listed { print $1 }') ;;
    method) ecrb_words='@METHODS@' ecrb_files=scripts ;;
    first) ecrb_words='@FIRST@' ecrb_files=scripts ;;
    files | folders) ecrb_files=$kind ;;
  esac
}

_ecrb_choose() { # the word to complete, the one before, all before
  local word=$1 before=$2
  shift 2
  _ecrb_path "$@"
  case $before in
    -*) _ecrb_fits "$ecrb_path" "$before" "$@" && return ;;
  esac
  case $word in
    -*) _ecrb_fits "$ecrb_path" options ;;
    *) _ecrb_fits "$ecrb_path" arguments ;;
  esac
}
]]

local shells = {}

shells.bash = "# Completion of ecrb for bash, made from its parsers by lua/completion.lua.\n\n"
  .. common .. [[

_ecrb() {
  local ecrb_path ecrb_words ecrb_files word=${COMP_WORDS[COMP_CWORD]}
  COMPREPLY=()
  _ecrb_choose "$word" "${COMP_WORDS[COMP_CWORD - 1]}" \
    "${COMP_WORDS[@]:1:COMP_CWORD - 1}" || return 0
  COMPREPLY=($(compgen -W "$ecrb_words" -- "$word"))
  case $ecrb_files in
    files) compopt -o default 2>/dev/null; COMPREPLY+=($(compgen -f -- "$word")) ;;
    folders) compopt -o filenames 2>/dev/null; COMPREPLY+=($(compgen -d -- "$word")) ;;
    scripts)
      compopt -o filenames 2>/dev/null
      COMPREPLY+=($(compgen -d -- "$word"; compgen -f -X '!*.lua' -- "$word")) ;;
  esac
}
complete -F _ecrb ecrb
]]

shells.zsh = "#compdef ecrb\n"
  .. "# Completion of ecrb for zsh, made from its parsers by lua/completion.lua.\n\n"
  .. common .. [[

_ecrb() {
  local ecrb_path ecrb_words ecrb_files
  _ecrb_choose "$words[CURRENT]" "$words[CURRENT-1]" "${(@)words[2,CURRENT-1]}" ||
    return 1
  [ -z "$ecrb_words" ] || compadd -- ${=ecrb_words}
  case $ecrb_files in
    files) _files ;;
    scripts) _files -g '*.lua' ;;
    folders) _files -/ ;;
  esac
}
[ "$funcstack[1]" != _ecrb ] || _ecrb "$@"
]]

local values = {
  REACHED = cases(reached, "ecrb_path"), FITS = cases(fits, "kind"),
  SPLITS = table.concat(splits(), " "),
  BENCHES = table.concat(bundled(), " "), METHODS = table.concat(shipped_methods.ids(), " "),
  FIRST = table.concat(joined(commands.names(), shipped_methods.ids(), { "lua" }), " "),
}

local shell = shells[arg[1]] or error("name a shell: bash or zsh", 0)
io.write((string.gsub(shell, "@(%u+)@", values)))
