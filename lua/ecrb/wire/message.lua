-- The message of a reply: the answer's text, the thinking apart from it, under
-- whatever names and in whatever parts they come, and a tool that was called.
local json = require "ecrb.json"
local tags = require "ecrb.wire.tags"
local text = require "core.text"

local present = json.present

local message_reader = {}

local function append(list, value)
  if type(value) == "string" then list[#list + 1] = value end
end

-- Thinking comes as a text or as nested lists of parts that hold texts.
local function append_thinking(list, value)
  if type(value) ~= "table" then return append(list, value) end
  append(list, value.text or value.summary)
  for _, part in ipairs(value) do append_thinking(list, part) end
end

local function joined(list)
  return list[1] and table.concat(list) or nil
end

-- Which fields of a content part hold text, by the part's type.
local ANSWER_PART = { text = "text", output_text = "text" }
local THINKING_PART = { thinking = "thinking", reasoning = "reasoning" }

local function read_parts(parts, flags)
  local answer, thinking = {}, {}
  for _, part in ipairs(parts) do
    local kind = type(part) == "table" and part.type or type(part)
    if ANSWER_PART[kind] then
      append(answer, part[ANSWER_PART[kind]])
    elseif THINKING_PART[kind] then
      append_thinking(thinking, part[THINKING_PART[kind]] or part.text)
    else
      flags.unknown_part = tostring(kind)
    end
  end
  return joined(answer), joined(thinking)
end

-- The answer text and the thinking in `content`; nil for what it lacks.
local function read_content(content, flags)
  if type(content) == "string" then return content, nil end
  if type(content) == "table" then return read_parts(content, flags) end
  return nil, nil
end

-- Vendors name the field differently; some fill two with the same text.
local function reasoning_field(message)
  local field = present(message.reasoning_content)
    or present(message.reasoning) or present(message.reasoning_details)
  if field == nil then return nil end
  local list = {}
  append_thinking(list, field)
  return joined(list)
end

local function valid_utf8(value, flags)
  local mended, broken = text.utf8(value)
  if broken then flags.bad_utf8 = true end
  return mended
end

-- The thinking out of every place where it may stand, or nil.
local function joined_thinking(...)
  local list = {}
  for i = 1, select("#", ...) do append(list, (select(i, ...))) end
  return list[1] and table.concat(list, "\n") or nil
end

-- Reads text and reasoning of a message into the outcome.
function message_reader.read(outcome, message)
  local flags = outcome.flags
  local content, thinking = read_content(present(message.content), flags)
  local inline, unclosed
  if content then
    content = valid_utf8(content, flags)
    outcome.text, inline, unclosed = tags.split(content)
    if unclosed then flags.unclosed = true end
  end
  local field = reasoning_field(message)
  if field or thinking or inline then
    outcome.reasoning = valid_utf8(joined_thinking(field, thinking, inline), flags)
  end
end

-- The first call of a tool that was offered: {name=, arguments=}, the arguments
-- as a table, empty where they are no JSON object.
function message_reader.tool_call(message)
  local calls = present(message.tool_calls)
  local first = type(calls) == "table" and calls[1]
  local called = type(first) == "table" and present(first["function"])
  if type(called) ~= "table" or type(called.name) ~= "string" then return nil end
  local arguments = type(called.arguments) == "string" and json.decode(called.arguments)
  return { name = called.name, arguments = type(arguments) == "table" and arguments or {} }
end

return message_reader
