-- What a request can ask for: one setter a field. A setter gets the body, the
-- model and the request, and returns what is wrong, if anything.
local fragment = require "ecrb.wire.fragment"

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
local function thinking_piece(ways, wish)
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
  local piece, value = thinking_piece(ways, wish)
  if not piece then
    local word = wish == true and "on" or wish == false and "off" or tostring(wish)
    return string.format("thinking = %s cannot be mapped; it offers: %s", word, offered(ways))
  end
  return fragment.put(body, piece, value)
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
    return fragment.put(body, ways.object)
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
  return fragment.put(body, value)
end

-- Functions that the model may call: {name=, description=, parameters=} each,
-- the parameters as a JSON schema.
local function set_tools(body, _, request)
  body.tools = {}
  for i, tool in ipairs(request.tools) do
    body.tools[i] = { type = "function", ["function"] = tool }
  end
end

return {
  messages = set_messages, temperature = sampling "temperature",
  top_p = sampling "top_p", max_tokens = set_cap, seed = set_seed,
  stop = set_stop, thinking = set_thinking, json = set_json,
  choices = set_choices, tools = set_tools,
}
