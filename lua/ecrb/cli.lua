-- The command line. `ecrb METHOD.lua ...` is the command `run`; any other
-- first word names a command, and only that one is loaded, because start-up
-- counts.

local core_text = require "core.text"
local system = require "core.system"
local commands = require "ecrb.commands"
local fail = require "ecrb.fail"
local out = require "ecrb.out"

local cli = {}

local exit_codes = { paused = 3, interrupted = 130, unread = 0 }

local function is_script(word)
  return string.sub(word, -4) == ".lua" or system.kind(word) == "file"
end

local function wants_help(words)
  for _, word in ipairs(words) do
    if word == "--" then return false end
    if word == "-h" or word == "--help" then return true end
  end
end

-- The id of a shipped method (m1, vote, ...), where no command has that name.
local function is_method(word)
  return not commands.exists(word) and commands.is_method(word)
end

local function help(command, part, words)
  local function said(about) return about and about(words) or "" end
  out.write(said(command.first_help), part:get_help(), "\n", said(command.more_help))
  return 0
end

-- argparse's complaint on one line, with arguments as the help page calls them.
local function complaint(text, parser)
  text = string.gsub(text, "\nDid you mean ", "; did you mean ")
  text = string.gsub(text, "argument '([%w-]+)'", function (name)
    for _, argument in ipairs(parser._arguments) do
      if argument._name == name then return argument._argname end
    end
  end)
  text = string.gsub(text, "^missing ([%u|-]+)$", "%1 is missing")
  return (string.gsub(text, "'", "`"))
end

-- An empty folder would be `/`: `--out "$FORGOTTEN"` must not write there.
local function refuse_empty(args)
  for _, name in ipairs { "out", "runs", "work", "index", "probes" } do
    if args[name] == "" then fail("--%s: is empty; name a file or a folder", name) end
  end
end

local function execute(name, words)
  local command = commands.load(name)
  local parser, whole, parts = commands.parser(name, command)
  local part, title = commands.part(parser, whole, parts, words)
  if wants_help(words) then return help(command, part, words) end
  local good, args = parser:pparse(words)
  if not good then
    fail("%s (`%s --help` explains)", complaint(args, part), title)
  end
  refuse_empty(args)
  collectgarbage("restart")
  return command.run(args) or 0
end

-- The command that the words name, and the words that are left for it. Options
-- may stand before a script.
local function resolve(words)
  local first = words[1]
  if not first then
    fail("no command and no method script; `ecrb help` lists the commands")
  end
  if is_script(first) or is_method(first) then return "run", words end
  if string.sub(first, 1, 1) ~= "-" then
    return first, table.move(words, 2, #words, 1, {})
  end
  for _, word in ipairs(words) do
    if is_script(word) then return "run", words end
  end
  fail("`%s` needs a command or a method script before it", first)
end

local function dispatch(words)
  local first = words[1]
  if first == "--version" then
    out.write("ecrb ", system.version, "\n")
    return 0
  end
  if first == "--help" or first == "-h" then return execute("help", {}) end
  return execute(resolve(words))
end

-- What was raised, as {code=, message=}. ECRB_DEBUG asks for a traceback.
local function told(problem)
  local known = type(problem) == "table" and problem.message
  local told_as = known and problem or { message = tostring(problem) }
  if system.getenv("ECRB_DEBUG") then
    told_as = { code = told_as.code,
      message = debug.traceback(told_as.message, 2) }
  end
  return told_as
end

-- What loads before the work stays: collecting would only slow the start.
local function main(words)
  collectgarbage("stop")
  local code = dispatch(words)
  out.flush()
  return code
end

-- From the words behind the program's name to the exit code.
function cli.main(words)
  local good, result = xpcall(main, told, words)
  collectgarbage("restart")
  if good then return result end
  if result.code ~= "unread" then
    io.stderr:write("ecrb: ", core_text.printable(result.message), "\n")
  end
  return exit_codes[result.code] or 2
end

return cli
