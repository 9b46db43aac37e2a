-- The commands: ecrb/command/NAME.lua, each loaded when it is asked for. A
-- command is a table
--
--     summary    one line for `ecrb help`
--     configure  function (parser): its arguments and options, for argparse;
--                may return the parsers of its parts, by their words
--     run        function (args): the work; returns the exit code, nil is 0
--     first_help function (words): what its help says first about these words, or
--                nil; more_help: what it says last
--
-- and ends early by raising: a message that says what the user must mend
-- (exit code 2), {code = "paused", message =} (3), {code = "interrupted",
-- message =} (130).

local system = require "core.system"
local fail = require "ecrb.fail"
local near = require "ecrb.near"
local shipped_methods = require "ecrb.shipped_methods"

local commands = {}

function commands.names()
  local names = {}
  for _, file in ipairs(system.list(system.self .. "/lua/ecrb/command")) do
    names[#names + 1] = string.match(file, "^(%w+)%.lua$")
  end
  table.sort(names)
  return names
end

function commands.exists(name)
  return string.find(name, "^%w+$")
    and package.searchpath("ecrb.command." .. name, package.path) ~= nil
end

function commands.load(name)
  if not commands.exists(name) then
    local known = shipped_methods.ids()
    table.move(commands.names(), 1, #commands.names(), #known + 1, known)
    fail("there is no command or method `%s`%s (`ecrb help` lists the "
      .. "commands)", name, near.hint(name, known))
  end
  return require("ecrb.command." .. name)
end

-- `make` compiled it: reading argparse's source takes longer than all the rest.
local function load_argparse()
  local compiled = loadfile(system.self .. "/lua/argparse.luac", "b")
  return compiled and compiled("argparse") or require "argparse"
end

-- What stands for a value on a help page: NAME, never <name>.
local function place(element)
  local target = element._get_default_target and element:_get_default_target()
  return element._argname or (string.gsub(string.upper(target or element._name), "_", "-"))
end

-- How an option is listed: `-o, --out FILE`.
local function option_label(self)
  local value = table.concat(self:_get_argument_list(), " ")
  return { table.concat(self._public_aliases, ", ") .. (value ~= "" and " " .. value or "") }
end

-- What an option refuses is told with its name.
local function name_refusals(option)
  local convert = option._convert
  if not convert then return end
  option:convert(function (word)
    local value, why = convert(word)
    if value ~= nil then return value end
    return nil, option._aliases[#option._aliases] .. ": " .. why
  end)
end

-- Every value of a parser gets its placeholder, arguments are listed under theirs.
local function name_places(parser)
  for _, option in ipairs(parser._options) do
    if not option._choices then option._argname = place(option) end
    option._get_label_lines = option_label
    name_refusals(option)
    if option._name == "-h" then option._description = "this page" end
  end
  for _, argument in ipairs(parser._arguments) do
    argument._argname = place(argument)
    argument._get_label_lines = function (self) return { self._argname } end
  end
  for _, part in ipairs(parser._commands) do name_places(part) end
end

-- argparse's own help option would end the process where it stands.
function commands.parser(name, command)
  local title = name == "run" and "ecrb METHOD.lua" or "ecrb " .. name
  local words = string.gsub(command.summary, "^%l", string.upper)
  local parser = load_argparse()(name == "run" and "ecrb" or title, words .. ".")
  parser:add_help(false):usage_max_width(80):help_max_width(80)
  local parts = command.configure(parser) or {}
  parser:flag("-h --help", "this page")
  name_places(parser)
  return parser, title, parts
end

-- The innermost parser that the leading words name, and those words.
function commands.part(parser, title, parts, words)
  local key, found = "", parser
  for _, word in ipairs(words) do
    if not parts[key .. word] then break end
    found, title = parts[key .. word], title .. " " .. word
    key = key .. word .. " "
  end
  return found, title
end

return commands
