-- The commands: ecrb/command/NAME.lua, each loaded when it is asked for. A
-- command is a table
--
--     summary    one line for `ecrb help`
--     configure  function (parser): its arguments and options, for argparse;
--                may return the parsers of its parts, by their words
--     run        function (args): the work; returns the exit code, nil is 0
--
-- and ends early by raising: a message that says what the user must mend
-- (exit code 2), {code = "paused", message =} (3), {code = "interrupted",
-- message =} (130).

local system = require "core.system"
local fail = require "ecrb.fail"
local near = require "ecrb.near"

local commands = {}

function commands.names()
  local list = {}
  for _, file in ipairs(system.list(system.self .. "/lua/ecrb/command")) do
    list[#list + 1] = string.match(file, "^(%w+)%.lua$")
  end
  table.sort(list)
  return list
end

function commands.load(name)
  local module = "ecrb.command." .. name
  local known = string.find(name, "^%w+$")
    and package.searchpath(module, package.path)
  if not known then
    fail("there is no command `%s`%s (`ecrb help` lists the commands)", name,
      near.hint(name, commands.names()))
  end
  return require(module)
end

-- `make` compiled it: reading argparse's source takes longer than all the rest.
local function load_argparse()
  local compiled = loadfile(system.self .. "/lua/argparse.luac", "b")
  return compiled and compiled("argparse") or require "argparse"
end

-- argparse's own help option would end the process where it stands.
function commands.parser(name, command)
  local title = name == "run" and "ecrb" or "ecrb " .. name
  local parser = load_argparse()(title, command.summary .. ".")
  parser:add_help(false):usage_max_width(80):help_max_width(80)
  local parts = command.configure(parser) or {}
  parser:flag("-h --help", "Show this help.")
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
