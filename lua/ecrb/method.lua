-- Methods: loading, checking, and running afresh for each enzyme.
--
-- A method is a Lua file that returns a table. It is checked field by field
-- when it loads, so that a mistake shows before the first call is paid for.

local contents = require "ecrb.contents"
local core_text = require "core.text"
local frozen = require "ecrb.frozen"
local method_option = require "ecrb.method_option"
local near = require "ecrb.near"
local sandbox = require "core.sandbox"
local shipped_methods = require "ecrb.shipped_methods"
local system = require "core.system"

local method = {}

local Method = {}
Method.__index = Method

-- The fields of a method table: type, whether it must be there, what it is.
method.fields = {
  id = { "string", true, "short name: letters, digits and `_`" },
  title = { "string", true, "one line for tables" },
  books = { "table", true, "`closed`, `open`, or both" },
  run = { "function", true, "run(enzyme, opt) -> result" },
  options = { "table", false, "name = { default, \"help\", bounds }; become --set name=value" },
  prompts = { "table", false, "names of the templates it fills" },
  free_text = { "boolean", false, "true: the answer is free text, stopping is not an answer" },
  model = { "boolean", false, "false: it asks no model" },
  items = { "string", false, "`reactions`: it is asked about reactions, not proteins" },
  base = { "string", false, "the option that names the method it wraps" },
  grant = { "string", false, "`labels`: an oracle; marked as such in every table" },
}

local function read_file(path)
  if system.kind(path) == "folder" then return nil, path .. ": is a folder, not a script" end
  return contents(path)
end

-- The files that a script may `require`: ecrb's own words and what stands
-- beside it.
local function module_path(self, name)
  if not string.find(name, "^[%w_]+[%w_.]*$") then
    error("require: `" .. name .. "` is no module name", 3)
  end
  local own = string.match(name, "^ecrb%.([%w_]+)$")
  if own then
    if own ~= "walk" then
      error("require: scripts may use `ecrb.walk` and files beside them, not `" .. name .. "`", 3)
    end
    return system.self .. "/lua/ecrb/" .. own .. ".lua"
  end
  return self.folder .. "/" .. string.gsub(name, "%.", "/") .. ".lua"
end

local function compiled(self, path)
  if not self.chunks[path] then
    local source, message = read_file(path)
    if not source then error("require: " .. message, 4) end
    self.chunks[path] = sandbox.compile(path, source)
    self.sources[#self.sources + 1] = { path = path, sha256 = core_text.sha256(source) }
  end
  return self.chunks[path]
end

local function requirer(self, environment)
  local loaded = {}
  return function (name)
    local path = module_path(self, name)
    if loaded[path] == nil then loaded[path] = compiled(self, path)(environment()) or true end
    return loaded[path]
  end
end

-- A fresh run of the chunk: the method's table, with nothing left over from an
-- earlier enzyme.
function Method:instance(run)
  local extra = { }
  if self.grant == "labels" and run then extra.gold = run.gold end
  local env = frozen.environment(extra)
  extra.require = requirer(self, function () return env end)
  return self.chunk(env)
end

local function complain(self, format, ...)
  error(self.path .. ": " .. string.format(format, ...), 0)
end

local function check_fields(self, fields)
  if type(fields) ~= "table" then
    complain(self, "a method script returns a table, not a %s", type(fields))
  end
  for name in pairs(fields) do
    if not method.fields[name] then
      complain(self, "unknown field `%s`%s", tostring(name),
        near.hint(tostring(name), method.fields))
    end
  end
  for name, rule in pairs(method.fields) do
    local value = fields[name]
    if value == nil and rule[2] then complain(self, "field `%s` is missing: %s", name, rule[3]) end
    if value ~= nil and type(value) ~= rule[1] then
      complain(self, "field `%s` must be a %s (%s), not a %s", name, rule[1], rule[3], type(value))
    end
  end
end

local function check_books(self, books)
  local known = { closed = true, open = true }
  if #books == 0 then complain(self, "field `books` is empty: `closed`, `open`, or both") end
  for _, book in ipairs(books) do
    if not known[book] then
      complain(self, "field `books`: `%s` is neither `closed` nor `open`", tostring(book))
    end
  end
end

-- The options that the script declares, checked one by one.
local function read_options(self, declared)
  local options = {}
  for name, each in pairs(declared) do
    local option, wrong = method_option.read(each)
    if type(name) ~= "string" then wrong = "has no name; write name = { default, \"help\" }" end
    if wrong then complain(self, "option `%s` %s", tostring(name), wrong) end
    options[name] = option
  end
  return options
end

local function check(self, fields)
  check_fields(self, fields)
  if not string.find(fields.id, "^%l[%w_]*$") then
    complain(self, "field `id`: `%s` must be letters, digits and `_`, a small letter first",
      fields.id)
  end
  if core_text.printable(fields.title) ~= fields.title or string.find(fields.title, "\n") then
    complain(self, "field `title` is one line without control characters")
  end
  check_books(self, fields.books)
  if fields.items and fields.items ~= "reactions" and fields.items ~= "proteins" then
    complain(self, "field `items`: `%s` is neither `proteins` nor `reactions`", fields.items)
  end
  if fields.grant and fields.grant ~= "labels" then
    complain(self, "field `grant`: only `labels` can be asked for")
  end
  if fields.base and not (fields.options or {})[fields.base] then
    complain(self, "field `base` names the option `%s`, which `options` does not have", fields.base)
  end
end

local kept = { "id", "title", "books", "free_text", "model", "grant", "base", "items",
  "prompts" }

-- Loads and checks a script. Returns the method; raises a message that names
-- the file.
function method.load(path)
  local source, message = read_file(path)
  if not source then error(message, 0) end
  local self = setmetatable({ path = path, chunks = {}, sources = {} }, Method)
  self.folder = string.match(path, "^(.*)/[^/]*$") or "."
  self.sha256 = core_text.sha256(source)
  self.chunk = sandbox.compile(path, source)
  local ok, fields = sandbox.run(nil, self.instance, self)
  if not ok then
    local where = type(fields) == "table" and path .. ": " or ""
    error(where .. sandbox.message(fields), 0)
  end
  check(self, fields)
  for _, name in ipairs(kept) do self[name] = fields[name] end
  self.options = read_options(self, fields.options or {})
  if self.model == nil then self.model = true end
  self.items = self.items or "proteins"
  return self
end

-- What a mistyped name may have meant: an id, or a script in the same folder.
local function known_names(name, shipped)
  local names, folder = {}, string.match(name, "^(.*/)[^/]*$")
  for id in pairs(shipped) do names[#names + 1] = id end
  if folder and system.kind(folder) == "folder" then
    for _, file in ipairs(system.list(folder)) do
      if string.sub(file, -4) == ".lua" then names[#names + 1] = folder .. file end
    end
  end
  return names
end

-- The path of a method by id, by path, or by a file beside `folder`.
function method.find(name, folder)
  local shipped = shipped_methods.paths()
  if shipped[name] then return shipped[name] end
  local beside = (folder or ".") .. "/" .. name
  for _, path in ipairs { name, beside, beside .. ".lua" } do
    if system.kind(path) == "file" then return path end
  end
  error("there is no method `" .. name .. "`" .. near.hint(name, known_names(name, shipped)), 0)
end

-- The method that the first of some words names, nil where none does.
function method.named(words)
  for _, word in ipairs(words) do
    local good, path = pcall(method.find, word)
    if good then return method.load(path) end
  end
end

-- The method's options over those of its base.
local function all_options(self)
  local options = {}
  for _, source in ipairs { self.wrapped and self.wrapped.options or {}, self.options } do
    for name, option in pairs(source) do options[name] = option end
  end
  return options
end

-- Raises where values of the options name channels that are not in the set.
function Method:check_channels(values, there)
  for name, option in pairs(all_options(self)) do
    local wrong = method_option.wrong_channel(option, values[name], there)
    if wrong then complain(self, "option `%s`: %s", name, wrong) end
  end
end

-- The options in force: defaults of the base, then the method's own, then what
-- the user set; an unknown name and a value that is not allowed are errors.
function Method:settings(given)
  local options, values = all_options(self), {}
  for name, option in pairs(options) do values[name] = option.default end
  for name, value in pairs(given) do
    if not options[name] then
      complain(self, "it has no option `%s`%s", name, near.hint(name, options))
    end
    local allowed
    values[name], allowed = method_option.value(options[name], value)
    if allowed then
      complain(self, "option `%s` is %s, not `%s`", name, allowed, tostring(value))
    end
  end
  return values
end

-- Resolves the base that a method wraps, given the user's options; a chain of
-- bases that comes back to itself is refused.
function Method:bind(given, above)
  if not self.base then return self end
  above = above or {}
  above[self.id] = true
  local name = given[self.base] or self.options[self.base].default
  local base = method.load(method.find(name, self.folder))
  if above[base.id] then
    complain(self, "base `%s` wraps itself: a base must not lead back to `%s`", name, base.id)
  end
  base:bind({}, above)
  self.wrapped = base
  self.base_methods = { [name] = base }
  if self.free_text == nil then self.free_text = base.free_text end
  return self
end

-- Every template that the method and its base fill, in the order in which they
-- are declared: the first is the one that people mean where they name none.
function Method:prompt_names()
  local names, seen = {}, {}
  for _, source in ipairs { self, self.wrapped } do
    for _, name in ipairs(source.prompts or {}) do
      if not seen[name] then names[#names + 1] = name end
      seen[name] = true
    end
  end
  return names
end

function Method:offers(book)
  for _, name in ipairs(self.books) do
    if name == book then return true end
  end
  return false
end

return method
