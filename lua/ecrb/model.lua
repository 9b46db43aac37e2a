-- A model: what stands in its entry, its dialect's rules, how it makes bodies
-- and reads replies. Opening it gives the client that sends. Nothing here
-- holds a key; keys are read when a client is opened.
local address = require "ecrb.wire.address"
local dialect = require "ecrb.dialect"
local fail = require "ecrb.fail"
local json = require "ecrb.json"
local reader = require "ecrb.reader"
local reply = require "ecrb.reply"
local secret = require "ecrb.wire.secret"
local system = require "core.system"

local model = {}
model.__index = model

-- {====================================================================
-- Entries
-- =====================================================================

local INHERITED = { "base_url", "key_variable", "key_file", "key_optional",
                    "headers", "proxy", "limits" }

-- The entry's endpoints, each with what it takes over from the entry.
local function sources_of(entry)
  local sources = {}
  for i, own in ipairs(entry.endpoints or { {} }) do
    local source = {}
    for _, name in ipairs(INHERITED) do
      source[name] = own[name]
      if source[name] == nil then source[name] = entry[name] end
    end
    sources[i] = source
  end
  return sources
end

local function check_sources(name, sources)
  if #sources == 0 then return string.format("model %s: `endpoints` names none", name) end
  for _, source in ipairs(sources) do
    local wrong = not source.base_url and "it has no base_url"
      or address.fault(source.base_url)
    if wrong then return string.format("model %s: %s", name, wrong) end
  end
  return nil
end

-- }====================================================================

local function set_of(list)
  local set = {}
  for _, name in ipairs(list or {}) do set[name] = true end
  return set
end

-- A model out of an entry of models.lua, or nil and a message.
function model.new(name, entry)
  local rules, why = dialect.get(entry.dialect or "compatible", entry.mapping)
  if not rules then return nil, string.format("model %s: %s", name, why) end
  local sources = sources_of(entry)
  local wrong = check_sources(name, sources)
  if wrong then return nil, wrong end
  return setmetatable({
    name = name, id = entry.model, dialect = entry.dialect or "compatible",
    identity = entry.identity
      or string.gsub(sources[1].base_url, "/+$", "") .. " " .. entry.model,
    rules = rules, sources = sources, omit = set_of(entry.omit),
    extra = entry.body, stream = entry.stream or rules.stream == "required",
    accepts = entry.accepts, strict = entry.strict, prices = entry.prices,
    context = entry.context, bytes_per_token = entry.bytes_per_token,
    max_tokens = entry.max_tokens, clocks = entry.clocks, kind = "endpoint",
  }, model)
end

local function within(kind, name, complete)
  return setmetatable({ name = name, id = name, identity = name, kind = kind,
                        dialect = "compatible", omit = {}, sources = {},
                        complete = complete,
                        rules = assert(dialect.get("compatible",
                          { choices = { shape = "list", at = { "choices" } } })) },
                      model)
end

-- The built-in reader: a program that answers from the prompt alone.
function model.reader()
  return within("reader", "reader", reader.complete)
end

-- A function of the program around ecrb: complete(request, body) -> the JSON of
-- a chat completion, or nil and why there is none.
function model.program(name, complete)
  return within("host", name, complete)
end

-- No model at all, for methods that ask none.
function model.none() return within("none", "none") end

-- A stream that says nothing for so long is broken; a plain answer may take its
-- time.
local STREAM_IDLE = 120

-- The longest answers on offer come to a few MiB.
local BODY_BYTES = 16 * 1024 * 1024

-- The clocks for the loop that serves this model (see sched.loop). The total
-- bounds the first byte too.
function model:times()
  local own = self.clocks or {}
  return { connect = own.connect, total = own.total,
           first_byte = own.first_byte or own.total,
           idle = own.idle or self.stream and STREAM_IDLE or nil,
           body = own.body or BODY_BYTES }
end

-- The body for a request, as a table, or nil and why it cannot be made.
function model:body(request)
  return dialect.build(self, request)
end

local function clear_text_note(source)
  local host = string.match(source.base_url, "^http://([^/:?]+)")
  if not host or host == "localhost" or string.find(host, "^127%.")
    or not (source.key_variable or source.key_file) then
    return nil
  end
  return "a key would travel to " .. host .. " without encryption"
end

local function proxy_note(source)
  for _, name in ipairs { "https_proxy", "http_proxy", "all_proxy" } do
    local value = system.getenv(name) or system.getenv(string.upper(name))
    if value and value ~= "" and not source.proxy then
      return name .. " is set but not used: a proxy is named by --proxy or in "
        .. "models.lua"
    end
  end
  return nil
end

-- What users should know about this model (lines of text).
function model:notes()
  if self.kind == "reader" then
    return { "the reader is a program, not a language model" }
  end
  local notes = self.kind == "none" and {} or dialect.notes(self)
  for _, source in ipairs(self.sources) do
    notes[#notes + 1] = clear_text_note(source)
  end
  notes[#notes + 1] = self.sources[1] and proxy_note(self.sources[1])
  return notes
end

-- What a run's manifest keeps: no key is in it.
function model:manifest()
  local urls = {}
  for i, source in ipairs(self.sources) do urls[i] = source.base_url end
  return { name = self.name, id = self.id, identity = self.identity,
           dialect = self.dialect, base_urls = json.array(urls),
           body = self.extra, prices = self.prices, stream = self.stream or nil,
           notes = json.array(self:notes()) }
end

-- {====================================================================
-- Reading
-- =====================================================================

-- The output cap that stands in a body. (Found by its name, because a pattern
-- would be tried at every byte of the prompt.)
local function cap_in(body, rules)
  local name = '"' .. rules.cap .. '":'
  local at = body and string.find(body, name, 1, true)
  return at and tonumber(string.match(body, "^%d+", at + #name))
end

-- What a reply to this body must hold (see reply.read).
function model:want(body, choices)
  local rules = self.rules
  return { model = self.id, accepts = self.accepts, strict = self.strict,
           cap = cap_in(body, rules), bytes = body and #body,
           bytes_per_token = self.bytes_per_token, choices = choices,
           tools = body and string.find(body, '"tools":[', 1, true) ~= nil,
           unwrap = choices and rules.choices
             and rules.choices.shape == "schema" }
end

-- The outcome of a recorded exchange: the same as when it was received if it
-- is given the same body (as text) and choices.
function model:read(status, raw, body, choices)
  return reply.read({ ending = "done", status = status, body = raw,
                      headers = "" }, self:want(body, choices), system.now())
end

-- }====================================================================

-- {====================================================================
-- Sending
-- =====================================================================

local session = {}
session.__index = session

-- `context`: key, reservation, and where they were asked for, choices.
function session:send(body, context)
  local want = self.model:want(body, context.choices)
  return self.client:send(body, { key = context.key, want = want,
    tokens = #body // 4 + (want.cap or 0), reservation = context.reservation })
end

function session:state() return self.client:state() end

-- Why nothing can be sent any more, or nil.
function session:stopped() return self.client:stopped() end

-- The session of a model inside this process: it answers at once.
local reading = {}
reading.__index = reading

local function lost(why)
  local outcome = reply.failure("program", why)
  outcome.attempts = {}
  return outcome
end

function reading:send(body, context)
  local raw, why = self.model.complete(assert(json.decode(body)), body)
  if not raw then return lost(why) end
  local outcome = self.model:read(200, raw, body, context.choices)
  outcome.raw, outcome.status, outcome.attempts = raw, 200, {}
  return outcome
end

function reading.state()
  return { inside = 0, waiting = 0, limit = 1, endpoints = {} }
end

function reading.stopped() return nil end

-- The session of a model that nothing may be sent to.
local silent = setmetatable({}, { __index = reading })
silent.__index = silent

function silent:send()
  local outcome = reply.failure("paused", self.why)
  outcome.unsent, outcome.attempts = true, {}
  return outcome
end

function silent:stopped() return self.why end

local function spec_of(self, source)
  local key, why = secret.read {
    key_variable = source.key_variable, key_file = source.key_file,
    key_optional = source.key_optional, auth = self.rules.auth }
  if not key then return nil, string.format("model %s: %s", self.name, why) end
  return { base_url = source.base_url, secret = key,
           proxy = source.proxy, headers = source.headers,
           limits = source.limits }
end

local function specs_of(self)
  local specs = {}
  for i, source in ipairs(self.sources) do
    local spec, why = spec_of(self, source)
    specs[i] = spec or fail("%s", why)
  end
  return specs
end

-- The plain line to the model's first endpoint, for probing: a function like
-- endpoint.fetcher's and one that takes the key out of texts. No retries, no
-- limits. Raises where a key is missing.
function model:line()
  local spec, why = spec_of(self, self.sources[1])
  if not spec then fail("%s", why) end
  return require("ecrb.endpoint").fetcher(spec), spec.secret.redact
end

-- What sends to this model inside tasks of the loop. `policy` as client.lua
-- has it; with `replay` nothing is ever sent and no key is needed. Raises a
-- sentence for the user where a key is missing.
function model:open(_, policy)
  if self.complete then
    return setmetatable({ model = self }, reading)
  elseif self.kind == "none" or policy.replay then
    return setmetatable({ why = "nothing is sent: " .. (policy.replay
      and "this is a replay" or "there is no model") }, silent)
  end
  local specs = specs_of(self)
  local client = require "ecrb.client" -- only what sends pays for it
  return setmetatable({ model = self, client = client.new(specs, policy) },
                      session)
end

-- }====================================================================

return model
