-- From what a method asks for to the body that an endpoint wants. How the
-- endpoints differ stands in dialects/NAME.lua, as tables; this file knows no
-- vendor. What a dialect cannot map is refused, never dropped in silence.
--
-- A dialect's fields (`base` names the dialect whose fields it takes over):
--   cap        the field that bounds the output
--   seed       the field for a seed, or false: then none is sent, and the
--              model's notes say so
--   ranges     {field={low, high}}: sampling values that are accepted
--   refuses    {field=why}: the endpoint answers with an error
--   ignores    {field=why}: sent, but without effect there; a note says so
--   stop       the most stop texts
--   thinking   {on=, off=, budget=, effort=}: a fragment of a body each; in a
--              budget's or an effort's the placeholder `$value` stands where
--              the value goes; `efforts` lists the words
--   json       {object=fragment, schema=`nested` or `flat`, word=true where
--              the prompt must hold the word json}
--   choices    {shape=`list`, `regex`, `grammar` or `schema`, at={path}}
--   system     `system`, or `fold`: into the first user message
--   always     a fragment that goes into every body
--   stream     `required` where the endpoint only streams
--   usage      whether a stream may be asked for its usage
--   auth       {header=, prefix=}
local fragment = require "ecrb.wire.fragment"
local near = require "ecrb.near"
local wishes = require "ecrb.wire.wishes"

local dialect = {}

dialect.names = {
  "azure", "compatible", "deepseek", "gemini", "glm", "groq", "litellm",
  "llamacpp", "lmstudio", "mistral", "ollama", "openai", "openai_chat",
  "openrouter", "qwen", "sglang", "together", "vllm",
}

local function overlaid(below, above)
  local both = {}
  for key, value in pairs(below) do both[key] = value end
  for key, value in pairs(above) do both[key] = value end
  return both
end

local function known(name)
  for _, listed in ipairs(dialect.names) do
    if listed == name then return true end
  end
  return false
end

-- The dialect of that name with `changes` over it, or nil and a message.
function dialect.get(name, changes)
  if not known(name) then
    return nil, string.format("no dialect is called `%s`%s", name,
                              near.hint(name, dialect.names))
  end
  local own = require("ecrb.dialects." .. name)
  local below = own.base and dialect.get(own.base) or {}
  return overlaid(overlaid(below, own), changes or {})
end

-- What goes into every body to this model.
local function set_standing(body, model)
  local rules = model.rules
  if model.stream then
    body.stream = true
    if rules.usage then body.stream_options = { include_usage = true } end
  end
  local wrong = rules.always and fragment.put(body, rules.always)
  if wrong or not model.extra then return wrong end
  wrong = fragment.put(body, model.extra)
  return wrong and wrong .. " (in `body` of models.lua)"
end

-- Why a field that the request sets cannot be sent to this model, if so.
function dialect.refusal(model, field)
  local why = model.rules.refuses and model.rules.refuses[field]
  return why and string.format(
    "%s cannot be sent: %s (drop it with --set %s=none, or list it under "
    .. "`omit` in models.lua)", field, why, field)
end

local function set_field(body, model, request, field)
  local set = wishes[field]
  if not set then
    return string.format("a request has no field `%s`%s", field,
                         near.hint(field, wishes))
  end
  if model.omit and model.omit[field] then return nil end
  return dialect.refusal(model, field) or set(body, model, request)
end

-- Of several faults the one of the first field by name is told, always.
local function set_fields(body, model, request)
  local wrong, at
  for field in next, request do
    local fault = set_field(body, model, request, field)
    if fault and (not at or field < at) then wrong, at = fault, field end
  end
  return wrong
end

-- The body for a request, or nil and why it cannot be made.
function dialect.build(model, request)
  local body = { model = model.id, messages = nil, seed = nil, -- room for most
                 temperature = nil, top_p = nil, max_tokens = nil, stop = nil }
  local wrong = request.messages == nil and "a request needs messages"
    or set_fields(body, model, request) or set_standing(body, model)
  if wrong then
    return nil, string.format("model %s: %s", model.name, wrong)
  end
  return body
end

-- What a user should know about how requests to this model differ from what
-- methods ask for.
function dialect.notes(model)
  local notes = {}
  for field, why in pairs(model.rules.ignores or {}) do
    notes[#notes + 1] = field .. " is sent but has no effect: " .. why
  end
  if not model.rules.seed then
    notes[#notes + 1] = "no seed is sent: the endpoint has none"
  end
  for field in pairs(model.omit or {}) do
    notes[#notes + 1] = field .. " is not sent, as models.lua says"
  end
  table.sort(notes)
  return notes
end

return dialect
