-- The registry: from `--model NAME`, `--base-url URL` or nothing at all to a
-- model. A user's own entries stand in ecrb/models.lua in the XDG config
-- folder, a Lua table that is loaded as data, in an empty environment:
--
--   return {
--     ["my-qwen"] = { base_url = "http://gpu:8000/v1", model = "Qwen/Qwen3-8B",
--                     dialect = "vllm", key_optional = true },
--   }
--
-- Fields: base_url, model (the id that the endpoint knows; the entry's name
-- where it is left out), dialect, mapping (changes to the dialect), and
-- key_variable or key_file (mode 0600), key_optional; headers, proxy, limits
-- {concurrency, requests_per_minute, tokens_per_minute}; endpoints (a list of
-- tables with any of these, for replicas and several keys); clocks {connect,
-- first_byte, idle, total} in seconds, and in them body, the most bytes of an
-- answer; body (extra fields
-- of every request), omit (parameters that are not sent), stream; accepts
-- (other names that the endpoint may answer under), strict (any other name
-- stops the run), context (tokens), bytes_per_token (for the check that no
-- prompt was cut); prices {prompt, completion, cached, currency} per million
-- tokens; max_tokens (the largest answer); identity (what stands for the model
-- in call keys).
local address = require "ecrb.wire.address"
local contents = require "ecrb.contents"
local dialect = require "ecrb.dialect"
local fail = require "ecrb.fail"
local model = require "ecrb.model"
local near = require "ecrb.near"
local numbers = require "ecrb.numbers"
local sandbox = require "core.sandbox"
local shape = require "ecrb.shape"
local shipped = require "ecrb.shipped_models"
local system = require "core.system"

local models = {}

-- {====================================================================
-- The user's file
-- =====================================================================

local ENDPOINT_FIELDS = {
  base_url = "string", key_variable = "string", key_file = "string",
  key_optional = "boolean", headers = "table", proxy = "string",
  limits = "table",
}

local FIELDS = {
  model = "string", dialect = "string", mapping = "table",
  endpoints = "table", body = "table", omit = "table", stream = "boolean",
  accepts = "table", strict = "boolean", context = "number",
  bytes_per_token = "number", prices = "table", identity = "string",
  max_tokens = "number", clocks = "table",
}
for name, kind in pairs(ENDPOINT_FIELDS) do FIELDS[name] = kind end

local INNER = {
  clocks = { connect = "number", first_byte = "number", idle = "number",
             total = "number", body = "number" },
  limits = { concurrency = "number", requests_per_minute = "number",
             tokens_per_minute = "number" },
  prices = { prompt = "number", completion = "number", cached = "number",
             currency = "string" },
}

local optional, object, list = shape.optional, shape.object, shape.list
local text, piece = optional(shape.text), optional(shape.map(shape.json))

local function text_or_false(value)
  if value ~= false then return shape.text(value) end
end

-- {low, high}
local function range(value)
  local good = not shape.fault(list(shape.number), value)
    and #value == 2 and value[1] <= value[2]
  if not good then return "", "pair of numbers, the lower one first" end
end

local KEY_HEADERS = { authorization = true, ["proxy-authorization"] = true,
                      ["api-key"] = true, ["x-api-key"] = true, cookie = true }

-- Headers as they go over the wire. A key has no place in this file, which others
-- may read.
local function header_list(value)
  if type(value) ~= "table" then return "", "table" end
  for name, content in pairs(value) do
    local where = "." .. tostring(name)
    if type(name) ~= "string" or not string.find(name, "^[%w!#$%%&'*+.^_`|~-]+$") then
      return where, "name of a header"
    elseif type(content) ~= "string" or string.find(content, "%c") then
      return where, "line of plain text"
    elseif KEY_HEADERS[string.lower(name)] then
      return where, "header for models.lua: a key is named by `key_variable` or "
        .. "`key_file`, its header by `mapping.auth`"
    end
  end
end

-- Of the other tables: what is in them, to their depth.
local DEPTHS = object {
  mapping = optional(object {
    cap = text, system = text, stream = text, seed = optional(text_or_false),
    stop = optional(shape.integer), usage = optional(shape.boolean), always = piece,
    ranges = optional(shape.map(range)),
    refuses = optional(shape.map(shape.text)), ignores = optional(shape.map(shape.text)),
    thinking = optional(object { on = piece, off = piece, budget = piece, effort = piece,
                                 efforts = optional(list(shape.text)) }),
    json = optional(object { object = piece, word = optional(shape.boolean),
                             schema = optional(shape.one_of("nested", "flat")) }),
    choices = optional(object { at = list(shape.text),
                                shape = shape.one_of("list", "regex", "grammar", "schema") }),
    auth = optional(object { header = text, prefix = text }),
  }),
  body = piece, omit = optional(list(shape.text)), accepts = optional(list(shape.text)),
  headers = optional(header_list),
  endpoints = optional(list(object { headers = optional(header_list) })),
}

local function check_depths(entry, where)
  local fault = shape.fault(DEPTHS, entry)
  return fault and where .. ": " .. fault
end

local function check_fields(entry, fields, where)
  for name, value in pairs(entry) do
    local kind = fields[name]
    if not kind then
      return string.format("%s: there is no field `%s`%s", where,
                           tostring(name), near.hint(tostring(name), fields))
    elseif type(value) ~= kind then
      return string.format("%s: `%s` must be a %s, not a %s", where, name,
                           kind, type(value))
    elseif INNER[name] then
      local wrong = check_fields(value, INNER[name], where .. "." .. name)
      if wrong then return wrong end
    end
  end
  return nil
end

local function check_endpoints(entry, where)
  for i, each in ipairs(entry.endpoints or {}) do
    local place = string.format("%s.endpoints[%d]", where, i)
    if type(each) ~= "table" then return place .. " must be a table" end
    local wrong = check_fields(each, ENDPOINT_FIELDS, place)
    if wrong then return wrong end
  end
  return nil
end

local function check_entry(name, entry, path)
  local where = string.format("%s: [\"%s\"]", path, tostring(name))
  if type(name) ~= "string" or type(entry) ~= "table" then
    return where .. ": an entry is a name and a table"
  end
  return check_fields(entry, FIELDS, where) or check_endpoints(entry, where)
    or check_depths(entry, where)
end

local function load_table(path)
  local source, why = contents(path)
  if not source then return nil, "cannot read " .. why end
  local compiled, chunk = pcall(sandbox.compile, path, source)
  if not compiled then return nil, sandbox.message(chunk) end
  local ok, result = sandbox.run({ instructions = 1000000 }, chunk, sandbox.frozen {})
  if not ok then
    local place = type(result) == "table" and path .. ": " or ""
    return nil, place .. sandbox.message(result)
  end
  if type(result) ~= "table" then
    return nil, path .. ": must return a table of entries"
  end
  return result
end

-- The user's file, whether or not it is there; nil without a home.
function models.path()
  local config = system.getenv("XDG_CONFIG_HOME")
  if not config or string.sub(config, 1, 1) ~= "/" then
    local home = system.getenv("HOME")
    if not home then return nil end
    config = home .. "/.config"
  end
  return config .. "/ecrb/models.lua"
end

-- The user's entries by name (none without a file), or nil and a message.
function models.user()
  local path = models.path()
  if not path or not system.exists(path) then return {} end
  local entries, why = load_table(path)
  if not entries then return nil, why end
  for name, entry in pairs(entries) do
    local wrong = check_entry(name, entry, path)
    if wrong then return nil, wrong end
  end
  return entries
end

-- }====================================================================

-- {====================================================================
-- Names
-- =====================================================================

local function copy(entry)
  local fresh = {}
  for name, value in pairs(entry) do fresh[name] = value end
  return fresh
end

local function named(name, entry)
  local found = copy(entry)
  found.model = found.model or name
  return found
end

-- `deepseek/deepseek-v4-flash`: a provider, and a model by its own name.
local function of_provider(name, entries)
  local provider, id = string.match(name, "^([^/]+)/(.+)$")
  local entry = provider and (entries[provider] or shipped[provider])
  return entry and named(id, entry)
end

-- Who serves at this address decides the dialect where nobody names one; the
-- model's name never does.
local function dialect_at(url)
  for _, entry in pairs(shipped) do
    if address.host(entry.base_url) == address.host(url) then
      return entry.dialect
    end
  end
  return "compatible"
end

local function of_url(url, args)
  return { base_url = url, model = args.model, dialect = args.dialect
             or dialect_at(url),
           key_variable = args.key_env or "OPENAI_API_KEY",
           key_optional = true }
end

local function unknown(name, entries)
  local known = {}
  for entry in pairs(entries) do known[#known + 1] = entry end
  for provider in pairs(shipped) do known[#known + 1] = provider .. "/ID" end
  table.sort(known)
  local file = models.path()
  return string.format("no model is called `%s`%s", name, near.hint(name, known,
    "name PROVIDER/ID (`ecrb help models`), give --base-url or OPENAI_BASE_URL, or describe it in "
      .. (file or "models.lua")))
end

local function entry_for(args, entries)
  local name = args.model
  if args.base_url then
    if not name then return nil, "--base-url needs --model ID" end
    return of_url(args.base_url, args)
  end
  if entries[name] then return named(name, entries[name]) end
  local found = of_provider(name, entries)
  if found then return found end
  local url = system.getenv("OPENAI_BASE_URL")
  if url and url ~= "" then return of_url(url, args) end
  return nil, unknown(name, entries)
end

-- }====================================================================

local function find(args)
  local entries, why = models.user()
  if not entries then return nil, why end
  local entry
  entry, why = entry_for(args, entries)
  if not entry then return nil, why end
  entry.dialect = args.dialect or entry.dialect
  entry.proxy = args.proxy or entry.proxy
  if args.timeout then
    entry.clocks = copy(entry.clocks or {})
    entry.clocks.total = args.timeout
  end
  return model.new(args.model, entry)
end

-- The options that decide how a request is worded.
function models.wording_options(p)
  p:option("--base-url", "OpenAI-compatible endpoint (also OPENAI_BASE_URL)")
    :argname("URL")
  p:option("--dialect", "how requests are worded; by default as the address "
    .. "suggests"):argname("NAME")
end

-- The options of a command line that name a model.
function models.options(p)
  models.wording_options(p)
  p:option("--key-env", "variable that holds the key (default: "
    .. "OPENAI_API_KEY)"):argname("NAME")
  p:option("--proxy", "HTTP proxy; the environment's are never used")
    :argname("URL")
  p:option("--timeout", "longest time for one answer (default: 900)")
    :argname("SECONDS"):convert(numbers.within { above = 0 })
end

-- The model that the command line means. `args`: model, base_url, dialect,
-- key_env, proxy, timeout, all optional; without model and base_url it is the built-in
-- reader. Raises a sentence for the user.
function models.resolve(args)
  if (args.model == nil and not args.base_url) or args.model == "reader" then
    return model.reader()
  end
  local found, why = find(args)
  return found or fail("%s", why)
end

models.builtin = model.reader

-- For methods that ask no model.
models.none = model.none

-- What `--model` can name: {name=, entry=, own=} each, the user's entries, then the
-- providers, whose names end in `/ID`.
function models.list()
  local entries, why = models.user()
  if not entries then fail("%s", why) end
  local found = {}
  for _, kind in ipairs { { entries, "", true }, { shipped, "/ID", false } } do
    local names = {}
    for name in pairs(kind[1]) do names[#names + 1] = name end
    table.sort(names)
    for _, name in ipairs(names) do
      found[#found + 1] = { name = name .. kind[2], entry = kind[1][name], own = kind[3] }
    end
  end
  return found
end

models.dialects = dialect.names

return models
