-- `ecrb help`: the commands, one line each; `ecrb help NAME`: one of them, a
-- method by its id or script, `models`: what --model can name, `api`: what a
-- method script finds, or `core`: what C offers.

local commands = require "ecrb.commands"
local out = require "ecrb.out"
local tables = require "ecrb.tables"

local command = { summary = "this page, a command's, a method's, or the API's" }

function command.configure(parser)
  parser:argument("topic", "a command, a method (script or id), `models`, `lua`, `api` or `core`")
    :args("?")
end

local page = [[
ecrb measures, without training, what language models know about enzymes.

  ecrb METHOD ...       run a method over a benchmark: a script (METHOD.lua) or
                        %s
  ecrb lua FILE ...     run a Lua file with ecrb's modules in reach
  ecrb COMMAND ...      one of these:

]]

local lua_page = [[
ecrb lua FILE [ARGS]: runs a Lua file with all of Lua, ecrb's modules in reach
(require "ecrb.report") and ARGS in `arg`. examples/by_length.lua is one.
]]

local function row_of(one)
  local first = one.entry.endpoints and one.entry.endpoints[1] or {}
  local variable = one.entry.key_variable or first.key_variable
  return { one.name, variable and "$" .. variable or "-",
           one.entry.base_url or first.base_url or "-" }
end

-- What --model can name, a line each.
local function models_page()
  local models = require "ecrb.models"
  local rows = { { "reader", "-", "the built-in program, where no model is named" } }
  for _, one in ipairs(models.list()) do rows[#rows + 1] = row_of(one) end
  return "Names for --model; ID is the provider's own name of a model. Further ones stand in\n"
    .. (require "ecrb.models_file".path() or "models.lua") .. "\n\n"
    .. tables.write("text", { columns = { "name", "key", "address" }, rows = rows }, math.huge)
    .. "\nWith --base-url or OPENAI_BASE_URL any name goes.\n"
end

local function overview()
  out.write(string.format(page, table.concat(require "ecrb.shipped_methods".ids(), " ")))
  for _, name in ipairs(commands.names()) do
    local summary = commands.load(name).summary
    out.write(string.format("    %-10s %s\n", name, summary))
  end
  out.write("\n`ecrb COMMAND --help` explains one, `ecrb METHOD --help` a ",
    "method's options,\n`ecrb help models` what --model can name.\n")
end

function command.run(args)
  local topic = args.topic
  if not topic then
    overview()
  elseif topic == "api" or topic == "core" then
    out.write(require "ecrb.reference"[topic]())
  elseif topic == "models" then
    out.write(models_page())
  elseif topic == "lua" then
    out.write(lua_page)
  else
    return require "ecrb.cli".main { topic, "--help" }
  end
end

return command
