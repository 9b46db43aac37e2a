-- The dialogue: reads lines, tells commands from Lua, prints what came of them.
-- An error never ends it.

local commands = require "ecrb.repl.commands"
local core_text = require "core.text"
local frozen = require "ecrb.frozen"
local input = require "ecrb.repl.input"
local log = require "ecrb.repl.log"
local sandbox = require "core.sandbox"
local session = require "ecrb.repl.session"
local shipped_methods = require "ecrb.shipped_methods"
local show = require "ecrb.repl.show"
local system = require "core.system"
local variants = require "ecrb.variants"

local console = {}

local Console = {}
Console.__index = Console

-- {==================================================================
-- Output
-- ===================================================================

local function write(text)
  io.stdout:write(text)
  io.stdout:flush()
end

-- Output that first takes a spinner away.
local function writer(self)
  return function (text)
    if self.spun then io.stderr:write("\r\27[K") end
    self.spun = false
    write(text)
  end
end

local function line_count(text)
  local _, n = string.gsub(text, "\n", "")
  return n
end

-- Text that is longer than the terminal goes to $PAGER.
local function paged(self)
  return function (text)
    if not self.terminal or line_count(text) < system.rows() then return self.out(text) end
    local pager = io.popen(system.getenv("PAGER") or "less -RX", "w")
    if not pager then return self.out(text) end
    pager:write(text)
    pager:close()
  end
end

-- A spinner while a call is waited for, on a terminal.
local function spinner(self)
  if not self.terminal then return nil end
  local turn, marks = 0, { "|", "/", "-", "\\" }
  return function ()
    turn, self.spun = turn % 4 + 1, true
    io.stderr:write("\r", marks[turn], " waiting for ", self.session.model.name,
      " (Ctrl-C interrupts) ")
  end
end

local function report(self, err)
  self.out("error: " .. core_text.printable(sandbox.message(err)) .. "\n")
end
-- }==================================================================

-- {==================================================================
-- Completion: commands, items, globals, fields of tables
-- ===================================================================

local function command_names()
  local names = {}
  for i, name in ipairs(commands.names()) do names[i] = ":" .. name .. " " end
  return names
end

local function item_names(bench)
  local names = {}
  for i = 1, #bench do names[i] = bench:item(i).name end
  return names
end

local fields = {
  tree = { "children", "parent", "name", "has", "count" },
  ec = { "parse", "prefix", "level", "path", "shared", "compare", "list" },
  item = { "name", "sequence", "length" }, enzyme = { "name", "sequence", "length" },
}

local function field_names(self, base)
  local names = {}
  local value = rawget(self.session.globals, base)
  if type(value) == "table" then
    for name in pairs(value) do
      if type(name) == "string" then names[#names + 1] = base .. "." .. name end
    end
  end
  for _, name in ipairs(fields[base] or {}) do names[#names + 1] = base .. "." .. name end
  return names
end

local function global_names(self)
  local names = frozen.names()
  for name in pairs(self.session.globals) do names[#names + 1] = name end
  for _, name in ipairs { "item", "enzyme", "opt", "tree" } do names[#names + 1] = name end
  return names
end

local function after_command(self, text)
  local name, stump = string.match(text, "^:(%a+)%s+.-([^%s]*)$")
  if name == "item" then
    return input.completion(stump, item_names(self.session.bench))
  elseif name == "edit" or name == "template" then
    return input.completion(stump, self.session.method:prompt_names())
  elseif name == "method" then
    return input.completion(stump, shipped_methods.ids())
  elseif name == "ablate" then
    local names = variants.names()
    table.move({ "saved", "now" }, 1, 2, #names + 1, names)
    return input.completion(stump, names)
  elseif name == "set" then
    local names = {}
    for option in pairs(self.session:settings()) do names[#names + 1] = option .. "=" end
    return input.completion(stump, names)
  end
end

local function complete(self)
  return function (text)
    if string.find(text, "^:%a*$") then return input.completion(text, command_names()) end
    if string.find(text, "^:") then return after_command(self, text) end
    local base, stump = string.match(text, "([%a_][%w_]*)%.([%w_]*)$")
    if base then return input.completion(base .. "." .. stump, field_names(self, base)) end
    return input.completion(string.match(text, "[%a_]?[%w_]*$"), global_names(self))
  end
end
-- }==================================================================

-- Items to draw at random, by a seeded generator, so that a session can be
-- done again; `where` is "wrong" or "right" by what `:ask` found.
local function drawer(seed)
  local draws = 0
  return { pick = function (_, one, where)
    local fitting = {}
    for i = 1, #one.bench do
      if not where or one.found[i] == where then fitting[#fitting + 1] = i end
    end
    if #fitting == 0 then error("no item was found " .. where .. " in this session yet", 0) end
    draws = draws + 1
    local digest = core_text.sha256(seed .. " " .. draws)
    return fitting[tonumber(string.sub(digest, 1, 8), 16) % #fitting + 1]
  end }
end

-- A console over command-line arguments {method=, bench=, model=, exec=, ...}.
function console.open(args)
  local self = setmetatable({ session = session.open(args), draw = drawer(args.seed or 1) },
    Console)
  self.out = writer(self)
  if args.exec then
    self.input, self.echo = input.file(args.exec), true
  else
    self.input, self.terminal = input.open(complete(self))
  end
  self.colour = self.terminal and not system.getenv("NO_COLOR")
  self.page = paged(self)
  self.session.tick = spinner(self)
  self.log = log.open(self.session.folder .. "/session.log")
  self.execute = function (line) return self:execute_line(line) end
  self.question = function (prompt) return self.input:line(prompt) end
  return self
end

local function evaluate(self, source)
  local ok, values = self.session:evaluate(source)
  if ok == nil then return self.out("interrupted\n") end
  if not ok then return report(self, values) end
  for i = 1, values.n do
    if values[i] ~= nil or values.n > 1 then self.page(show.value(values[i])) end
  end
end

local function notice_changes(self)
  if not self.session:stale() then return end
  local ok, err = pcall(self.session.reload, self.session)
  if ok then write("(the script or a template changed: reloaded)\n") else report(self, err) end
end

-- Does one line or chunk: a command or Lua.
function Console:execute_line(line)
  notice_changes(self)
  local ok, err
  if string.sub(line, 1, 1) == ":" then
    ok, err = pcall(commands.run, self, string.sub(line, 2))
  else
    ok, err = pcall(evaluate, self, line)
  end
  if not ok then report(self, err) end
  self.out("")
end

-- A whole chunk: more lines are read while what is there is only a beginning.
local function read_chunk(self)
  local line = self.input:line(self.session.method.id .. "> ")
  if not line or string.sub(line, 1, 1) == ":" then return line end
  while session.incomplete(line) do
    local more = self.input:line("  >> ")
    if more == false then return false end
    if more == nil then break end
    line = line .. "\n" .. more
  end
  return line
end

local function greet(self)
  if not self.terminal then return end
  local one = self.session
  write(string.format("ecrb REPL: %s (%d items), method %s %s, model %s\n"
    .. ":help lists the commands\n",
    one.benchmark.name, #one.bench, one.method.id, one.book, one.model.name))
end

-- Reads and does lines until the end.
function Console:run()
  greet(self)
  while not self.ended do
    local line = read_chunk(self)
    if line == nil then break end
    if line and string.find(line, "%S") then
      if self.echo then write("> " .. line .. "\n") end
      self.log:line(line)
      self:execute_line(line)
    end
  end
  self:close()
  return 0
end

function Console:close()
  self.input:close()
  self.log:close()
  self.session:close()
end

return console
