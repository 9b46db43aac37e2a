-- The built-in model `reader`: a program, not a language model. It gets the
-- request body that any endpoint would get and answers from the words of the
-- prompt alone: it reads the rows of the evidence table and the candidates that
-- stand there. Closed book it has nothing to read and mostly abstains.
--
-- Reading: every evidence row votes for each EC number that it carries with the
-- weight 1/rank; a node's support is the share of the weight under it.

local core_ec = require "core.ec"
local core_text = require "core.text"
local json = require "ecrb.json"
local tokens = require "ecrb.tokens"

local reader = {}

local row = [[(?m)^[a-z_]+ +(\d+) +\S+ +([\d.;nB-]+) +\S+ \S+ ]]

-- Rows of the evidence table: channel, rank, enzyme, EC numbers.
local function evidence_rows(prompt)
  local rows = {}
  local heading = string.find(prompt, "\nchannel ", 1, true)
  if not heading then return rows end
  local block = string.sub(prompt, heading, string.find(prompt, "\n\n", heading, true))
  for _, match in ipairs(core_text.all(block, row)) do
    local list = core_ec.list(match[4])
    if list then rows[#rows + 1] = { rank = tonumber(match[3]), ec = list } end
  end
  return rows
end

-- The names at the head of list lines (`- name  note`) below a heading.
local function list_under(prompt, heading)
  local names = {}
  local _, from = string.find(prompt, heading, 1, true)
  if not from then return names end
  local rest = string.sub(prompt, from + 1)
  local block = string.match(rest, "^[^\n]*\n(.-)\n\n") or rest
  for name in string.gmatch(block, "%- (%S+)") do names[#names + 1] = name end
  return names
end

local function candidates_in(prompt)
  local list = {}
  for _, name in ipairs(list_under(prompt, "Candidates")) do
    list[#list + 1] = core_ec.parse(name)
  end
  return list
end

-- The weight under each node of a level, and the whole weight.
local function support(rows, level)
  local weight, total = {}, 0
  for _, hit in ipairs(rows) do
    for _, number in ipairs(hit.ec) do
      local node = core_ec.prefix(number, level)
      local w = 1 / hit.rank / #hit.ec
      weight[node] = (weight[node] or 0) + w
      total = total + w
    end
  end
  return weight, total
end

-- The best supported of the nodes in hand, in EC order on a tie.
local function best_of(nodes, weight)
  local best
  for _, node in ipairs(nodes) do
    local w = weight[node] or 0
    if w > 0 and (not best or w > weight[best]
        or (w == weight[best] and core_ec.compare(node, best) < 0)) then
      best = node
    end
  end
  return best
end

local function keys_of(weight)
  local keys = {}
  for key in pairs(weight) do keys[#keys + 1] = key end
  return keys
end

local function lines(...)
  return table.concat({ ... }, "\n")
end

local function supported(node, share)
  return string.format("The evidence rows support %s with %.0f%% of their weight.",
    node, 100 * share)
end

local function committed(node, share)
  return lines(supported(node, share), "HYPOTHESIS: " .. node, "ENOUGH: yes",
    "ANSWER: " .. node, string.format("CONFIDENCE: %.2f", share))
end

local function unsure()
  return lines("No evidence row supports any of the candidates.", "HYPOTHESIS: none",
    "ENOUGH: no", "ANSWER: UNSURE", "CONFIDENCE: 0.00")
end

-- Of a text with an answer line, what a constraint lets through.
local function constrained(text)
  return string.match(text, "ANSWER: (%S+)")
end

local function call(channel, hypothesis)
  return lines("The evidence read so far does not settle this level.",
    "HYPOTHESIS: " .. (hypothesis or "none"), "ENOUGH: no", "ACTION: " .. channel)
end

-- The channels that are offered as a tool.
local function channels_in(tools)
  local offered = tools and tools[1] and tools[1]["function"]
  return offered and offered.parameters.properties.channel.enum or {}
end

-- A question with candidates, and perhaps a menu of channels in the prompt or
-- as a tool. Returns the text of the answer, or nil and the channel to call.
local function choose(prompt, candidates, tools)
  local rows = evidence_rows(prompt)
  local weight, total = support(rows, select(2, core_ec.parse(candidates[1])))
  local best = best_of(candidates, weight)
  local menu = list_under(prompt, "Evidence channels")
  local share = best and weight[best] / total or 0
  local callable = channels_in(tools)
  if callable[1] and share < 0.9 then return nil, callable[1] end
  if menu[1] and share < 0.9 then return call(menu[1], best) end
  if not best then return unsure() end
  return committed(best, share)
end

-- A question for a whole EC number.
local function write(prompt)
  local weight, total = support(evidence_rows(prompt), 4)
  local best = best_of(keys_of(weight), weight)
  if not best then
    return lines("The prompt holds no evidence to read.", "ANSWER: UNSURE")
  end
  return lines(supported(best, weight[best] / total), "ANSWER: " .. best)
end

-- The whole conversation's first question stands in the last user message that
-- is not a repair request; a repair request comes after an assistant message.
local function question_in(messages)
  for _, message in ipairs(messages) do
    if message.role == "user" then return message.content end
  end
  return ""
end

local completion = '{"choices":[{"finish_reason":"stop","index":0,"message":{"content":%s,'
  .. '"role":"assistant"}}],"model":"reader","object":"chat.completion","usage":'
  .. '{"completion_tokens":%d,"prompt_tokens":%d,"total_tokens":%d}}'

local calling = '{"choices":[{"finish_reason":"tool_calls","index":0,"message":{"content":null,'
  .. '"role":"assistant","tool_calls":[{"function":{"arguments":%s,"name":"read_evidence"},'
  .. '"id":"call","type":"function"}]}}],"model":"reader","object":"chat.completion","usage":'
  .. '{"completion_tokens":8,"prompt_tokens":%d,"total_tokens":%d}}'

local function tool_call(channel, asked)
  local arguments = json.encode(json.encode { channel = channel })
  return string.format(calling, arguments, asked, asked + 8)
end

-- Answers a chat-completion request body with the JSON text of a completion.
function reader.complete(body)
  local prompt = question_in(body.messages)
  local candidates = candidates_in(prompt)
  local text, channel
  if candidates[1] then
    text, channel = choose(prompt, candidates, body.tools)
  else
    text = write(prompt)
  end
  if channel then return tool_call(channel, tokens.of_messages(body.messages)) end
  if body.choices then text = constrained(text) end
  local asked, said = tokens.of_messages(body.messages), tokens.estimate(text)
  return string.format(completion, json.encode(text), said, asked, asked + said)
end

return reader
