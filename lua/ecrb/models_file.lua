-- The user's own models: ecrb/models.lua in the XDG config folder, a Lua table that
-- is loaded as data, in an empty environment, and checked field by field:
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
local contents = require "ecrb.contents"
local near = require "ecrb.near"
local numbers = require "ecrb.numbers"
local sandbox = require "core.sandbox"
local shape = require "ecrb.shape"
local system = require "core.system"

local models_file = {}

local RATE, SECONDS, PRICE = { above = 0 }, { above = 0 }, { least = 0 }
local COUNT = { whole = true, least = 1 }

-- What a field holds: the name of a type, or the bounds of a number (ecrb.numbers).
local ENDPOINT_FIELDS = {
  base_url = "string", key_variable = "string", key_file = "string",
  key_optional = "boolean", headers = "table", proxy = "string",
  limits = "table",
}

local FIELDS = {
  model = "string", dialect = "string", mapping = "table",
  endpoints = "table", body = "table", omit = "table", stream = "boolean",
  accepts = "table", strict = "boolean", context = COUNT,
  bytes_per_token = { above = 0 }, prices = "table", identity = "string",
  max_tokens = COUNT, clocks = "table",
}
for name, kind in pairs(ENDPOINT_FIELDS) do FIELDS[name] = kind end

local INNER = {
  clocks = { connect = SECONDS, first_byte = SECONDS, idle = SECONDS,
             total = SECONDS, body = COUNT },
  limits = { concurrency = COUNT, requests_per_minute = RATE,
             tokens_per_minute = RATE },
  prices = { prompt = PRICE, completion = PRICE, cached = PRICE,
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

-- What a value of this kind must be, if it is not.
local function wanted(kind, value)
  if type(kind) == "table" then
    local fits = type(value) == "number" and numbers.fit(value, kind)
    return not fits and numbers.allowed(kind) or nil
  end
  return type(value) ~= kind and kind or nil
end

local function told(value)
  return type(value) == "number" and string.format("`%.14g`", value) or "a " .. type(value)
end

local function check_fields(entry, fields, where)
  for name, value in pairs(entry) do
    local kind = fields[name]
    local wrong = kind and wanted(kind, value)
    if not kind then
      return string.format("%s: there is no field `%s`%s", where,
                           tostring(name), near.hint(tostring(name), fields))
    elseif wrong then
      return string.format("%s: `%s` must be a %s, not %s", where, name, wrong, told(value))
    elseif INNER[name] then
      wrong = check_fields(value, INNER[name], where .. "." .. name)
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
function models_file.path()
  local config = system.getenv("XDG_CONFIG_HOME")
  if not config or string.sub(config, 1, 1) ~= "/" then
    local home = system.getenv("HOME")
    if not home then return nil end
    config = home .. "/.config"
  end
  return config .. "/ecrb/models.lua"
end

-- The user's entries by name (none without a file), or nil and a message.
function models_file.entries()
  local path = models_file.path()
  if not path or not system.exists(path) then return {} end
  local entries, why = load_table(path)
  if not entries then return nil, why end
  for name, entry in pairs(entries) do
    local wrong = check_entry(name, entry, path)
    if wrong then return nil, wrong end
  end
  return entries
end

return models_file
