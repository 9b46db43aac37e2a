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
--              budget's or an effort's the placeholder `dialect.value` stands
--              where the value goes; `efforts` lists the words
--   json       {object=fragment, schema=`nested` or `flat`, word=true where
--              the prompt must hold the word json}
--   choices    {shape=`list`, `regex`, `grammar` or `schema`, at={path}}
--   system     `system`, or `fold`: into the first user message
--   always     a fragment that goes into every body
--   stream     `required` where the endpoint only streams
--   usage      whether a stream may be asked for its usage
--   auth       {header=, prefix=}
local near = require "ecrb.near"

local dialect = {}

local VALUE = "$value"

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

-- {====================================================================
-- Merging fragments
-- =====================================================================

local function is_object(value)
  return type(value) == "table" and value[1] == nil
end

local function filled(fragment, value)
  if fragment == VALUE then return value end
  if type(fragment) ~= "table" then return fragment end
  local copy = {}
  for key, inner in pairs(fragment) do copy[key] = filled(inner, value) end
  return copy
end

-- Puts `fragment` into `body`. Two different values for one field are a
-- contradiction: the path is returned.
local function merge(body, fragment, path)
  for key, value in pairs(fragment) do
    local where = path and path .. "." .. key or key
    if body[key] == nil then
      body[key] = filled(value)
    elseif is_object(body[key]) and is_object(value) then
      local clash = merge(body[key], value, where)
      if clash then return clash end
    elseif body[key] ~= value then
      return where
    end
  end
  return nil
end

local function merge_value(body, fragment, value)
  local clash = merge(body, filled(fragment, value))
  return clash and "two values for the field `" .. clash .. "`"
end

-- }====================================================================

-- {====================================================================
-- One setter for each thing that a request can ask for. It gets the body, the
-- model and the request, and returns what is wrong, if anything.
-- =====================================================================

local ROLES = { system = true, user = true, assistant = true }

local function check_messages(messages)
  if type(messages) ~= "table" or #messages == 0 then
    return "a request needs messages"
  end
  local asked = false
  for i, message in ipairs(messages) do
    if not ROLES[message.role] or type(message.content) ~= "string" then
      return string.format("message %d needs a role (system, user, "
        .. "assistant) and a text", i)
    end
    asked = asked or message.role == "user"
  end
  return not asked and "a request needs a user message" or nil
end

local function plain(message)
  return { role = message.role, content = message.content }
end

-- For models without a system role: its text goes before the first question.
local function folded(messages)
  local system, out = {}, {}
  for _, message in ipairs(messages) do
    if message.role == "system" then
      system[#system + 1] = message.content
    else
      out[#out + 1] = plain(message)
    end
  end
  if #system > 0 then
    table.insert(system, out[1].content)
    out[1].content = table.concat(system, "\n\n")
  end
  return out
end

local function copied(messages)
  local out = {}
  for i, message in ipairs(messages) do out[i] = plain(message) end
  return out
end

local function set_messages(body, model, request)
  local wrong = check_messages(request.messages)
  if wrong then return wrong end
  local fold = model.rules.system == "fold"
  body.messages = (fold and folded or copied)(request.messages)
end

local function out_of_range(range, value)
  return range and (value < range[1] or value > range[2])
end

local function sampling(field)
  return function(body, model, request)
    local value = request[field]
    if value == nil then return end
    local range = (model.rules.ranges or {})[field]
    if type(value) ~= "number" or out_of_range(range, value) then
      return string.format("%s must be a number from %g to %g", field,
                           range and range[1] or 0, range and range[2] or 2)
    end
    body[field] = value
  end
end

local function set_cap(body, model, request)
  local cap = request.max_tokens
  if cap == nil then return end
  if math.type(cap) ~= "integer" or cap < 1 then
    return "max_tokens must be a whole number above 0"
  end
  body[model.rules.cap] = cap
end

local function set_seed(body, model, request)
  local field = model.rules.seed
  if request.seed and field then body[field] = request.seed end
end

local function set_stop(body, model, request)
  local stop = request.stop
  if stop == nil then return end
  if type(stop) == "string" then stop = { stop } end
  local most = model.rules.stop or 4
  if #stop > most then
    return string.format("at most %d stop texts", most)
  end
  body.stop = stop
end

local function contains(list, value)
  for _, entry in ipairs(list or {}) do
    if entry == value then return true end
  end
  return false
end

-- Which of the dialect's fragments a wish for thinking means, and its value.
local function thinking_fragment(ways, wish)
  if wish == true or wish == "on" then return ways.on end
  if wish == false or wish == "off" then return ways.off end
  if math.type(wish) == "integer" and wish > 0 then
    return ways.budget, wish
  end
  if contains(ways.efforts, wish) then return ways.effort, wish end
  return nil
end

local function offered(ways)
  local names = {}
  for _, name in ipairs { "on", "off" } do
    if ways[name] then names[#names + 1] = name end
  end
  if ways.budget then names[#names + 1] = "a number of tokens" end
  for _, word in ipairs(ways.efforts or {}) do names[#names + 1] = word end
  return #names > 0 and table.concat(names, ", ") or "nothing"
end

local function set_thinking(body, model, request)
  local wish = request.thinking
  if wish == nil then return end
  local ways = model.rules.thinking or {}
  local fragment, value = thinking_fragment(ways, wish)
  if not fragment then
    return string.format("thinking = %s cannot be mapped; it offers: %s",
                         tostring(wish), offered(ways))
  end
  return merge_value(body, fragment, value)
end

local SCHEMA = {
  nested = function(schema)
    return { type = "json_schema", json_schema = {
      name = "answer", strict = true, schema = schema } }
  end,
  flat = function(schema)
    return { type = "json_schema", schema = schema }
  end,
}

local function mentions_json(messages)
  for _, message in ipairs(messages) do
    if string.find(string.lower(message.content), "json", 1, true) then
      return true
    end
  end
  return false
end

local function set_json(body, model, request)
  local wish, ways = request.json, model.rules.json or {}
  if not wish then return end
  if ways.word and not mentions_json(request.messages) then
    return "JSON mode wants the word json in the prompt"
  end
  if type(wish) == "table" then
    if not ways.schema then return "no JSON schema can be sent" end
    body.response_format = SCHEMA[ways.schema](wish)
  elseif ways.object then
    return merge_value(body, ways.object)
  else
    return "there is no JSON mode"
  end
end

local function escaped(text, set)
  return (string.gsub(text, set, "\\%0"))
end

local function joined(choices, set, before, after)
  local parts = {}
  for i, choice in ipairs(choices) do
    parts[i] = before .. escaped(choice, set) .. after
  end
  return table.concat(parts, "|")
end

local CHOICE = {
  list = function(choices) return choices end,
  regex = function(choices)
    return "(" .. joined(choices, "[%^%$%(%)%%%.%[%]%*%+%-%?{}|\\]", "", "")
      .. ")"
  end,
  grammar = function(choices)
    return "root ::= " .. joined(choices, "[\"\\]", '"', '"')
  end,
  schema = function(choices)
    return SCHEMA.nested {
      type = "object", additionalProperties = false,
      required = { "choice" },
      properties = { choice = { type = "string", enum = choices } } }
  end,
}

local function set_choices(body, model, request)
  local choices, way = request.choices, model.rules.choices
  if choices == nil then return end
  if not way then return "no choice constraint can be sent" end
  if request.json then return "json and choices exclude each other" end
  local value = CHOICE[way.shape](choices)
  for i = #way.at, 1, -1 do value = { [way.at[i]] = value } end
  return merge_value(body, value)
end

-- Functions that the model may call: {name=, description=, parameters=} each,
-- the parameters as a JSON schema.
local function set_tools(body, _, request)
  body.tools = {}
  for i, tool in ipairs(request.tools) do
    body.tools[i] = { type = "function", ["function"] = tool }
  end
end

local SETTERS = {
  messages = set_messages, temperature = sampling "temperature",
  top_p = sampling "top_p", max_tokens = set_cap, seed = set_seed,
  stop = set_stop, thinking = set_thinking, json = set_json,
  choices = set_choices, tools = set_tools,
}

-- What goes into every body to this model.
local function set_standing(body, model)
  local rules = model.rules
  if model.stream then
    body.stream = true
    if rules.usage then body.stream_options = { include_usage = true } end
  end
  local wrong = rules.always and merge_value(body, rules.always)
  if wrong or not model.extra then return wrong end
  wrong = merge_value(body, model.extra)
  return wrong and wrong .. " (in `body` of models.lua)"
end

-- }====================================================================

-- Why a field that the request sets cannot be sent to this model, if so.
function dialect.refusal(model, field)
  local why = model.rules.refuses and model.rules.refuses[field]
  return why and string.format(
    "%s cannot be sent: %s (drop it with --set %s=none, or list it under "
    .. "`omit` in models.lua)", field, why, field)
end

local function set_field(body, model, request, field)
  local set = SETTERS[field]
  if not set then
    return string.format("a request has no field `%s`%s", field,
                         near.hint(field, SETTERS))
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
  local body = { model = model.id }
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
