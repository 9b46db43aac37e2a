-- The command line. `ecrb METHOD.lua ...` is the command `run`; any other
-- first word names a command, and only that one is loaded, because start-up
-- counts.

local core_text = require "core.text"
local system = require "core.system"
local commands = require "ecrb.commands"
local fail = require "ecrb.fail"
local out = require "ecrb.out"
local shipped_methods = require "ecrb.shipped_methods"

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
  return not commands.exists(word) and shipped_methods.paths()[word] ~= nil
end

local function help(command, part, words)
  local function said(about) return about and about(words) or "" end
  out.write(said(command.first_help), part:get_help(), "\n", said(command.more_help))
  return 0
end

-- What is meant by an option that another command has, or the method: nil, or how
-- it is written.
local function meant_option(text, parser, words)
  local name = string.match(text, "^unknown option '%-%-([%w_-]+)'")
  if name == "out" and string.find(parser:get_usage(), "--runs ", 1, true) then
    return "--runs FOLDER"
  end
  if not name or not string.find(parser:get_usage(), "--set ", 1, true) then return nil end
  local good, loaded = pcall(require("ecrb.method").named, words)
  name = string.gsub(name, "-", "_")
  if good and loaded and loaded.options[name] then return "--set " .. name .. "=VALUE" end
end

-- The word without which the others would do, where they are not very many: argparse
-- counts, and names none.
local function superfluous(parser, words)
  if #words > 50 then return nil end
  for i = #words, 1, -1 do
    local others = table.move(words, 1, #words, 1, {})
    table.remove(others, i)
    if parser:pparse(others) then return words[i] end
  end
end

-- argparse's complaint on one line, with arguments as the help page calls them.
-- `whole` is the parser that `words` were put to, `parser` that of the part they name.
local function complaint(text, parser, whole, words)
  local meant = meant_option(text, parser, words)
  if text == "too many arguments" then
    local word = superfluous(whole, words)
    text = word and string.format("'%s' is one word too many", word) or text
  end
  -- A letter is near to any other letter.
  if string.find(text, "^unknown option '%-[^-]") then
    text = string.gsub(text, "\nDid you mean .*$", "")
  end
  if meant then
    text = string.gsub(text, "\nDid you mean .*$", "") .. "; did you mean '" .. meant .. "'?"
  end
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

-- The name of an option or of a part; a value may have any length.
local LONGEST_NAME = 64

-- argparse looks for near names among all spellings that lack a letter: for a
-- name of 100,000 bytes that takes minutes, and there is no such name.
local function refuse_long_names(words, parts, title)
  local first = next(parts) and words[1]
  if first and #first > LONGEST_NAME then
    fail("unknown command `%s` (`%s --help` explains)", first, title)
  end
  for _, word in ipairs(words) do
    if word == "--" then return end
    local name = string.match(word, "^%-[^=]*")
    if name and #name > LONGEST_NAME then
      fail("unknown option `%s` (`%s --help` explains)", name, title)
    end
  end
end

local function execute(name, words)
  local command = commands.load(name)
  local parser, whole, parts = commands.parser(name, command)
  local part, title = commands.part(parser, whole, parts, words)
  if wants_help(words) then return help(command, part, words) end
  refuse_long_names(words, parts, title)
  local good, args = parser:pparse(words)
  if not good then
    fail("%s (`%s --help` explains)", complaint(args, part, parser, words), title)
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

-- Of a word of the command line a message repeats this much.
local SHOWN_BYTES = 200

-- The message with long words cut, wherever they are repeated.
local function shortened(message, words)
  for _, word in ipairs(words) do
    local name, value = string.match(word, "^([^=]*)=?(.*)$")
    for _, part in ipairs { word, name, value } do
      local from, to = string.find(message, part, 1, true)
      while #part > SHOWN_BYTES and from do
        message = string.format("%s... (%d bytes)%s", string.sub(message, 1, from + 59), #part,
          string.sub(message, to + 1))
        from, to = string.find(message, part, 1, true)
      end
    end
  end
  return message
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
  -- Lua's own complaint about memory comes past `told`.
  if type(result) == "string" then result = { message = result } end
  if result.code ~= "unread" then
    io.stderr:write("ecrb: ", core_text.printable(shortened(result.message, words)), "\n")
  end
  return exit_codes[result.code] or 2
end

return cli
