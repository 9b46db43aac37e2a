-- Samples in the form in which lm-evaluation-harness logs them: one JSON object
-- an item, a request for each call, figures by name beside them.

local core_text = require "core.text"
local json = require "ecrb.json"
local samples = require "ecrb.export.samples"

local function doc_of(item)
  return { item = item.id, name = item.name, split = item.split, shown = item.shown,
           sequence = item.sequence, reaction = item.reaction, equation = item.equation,
           text = item.text }
end

-- Everything of a request but its messages.
local function settings_of(request)
  local settings = {}
  for name, value in pairs(request or {}) do
    if name ~= "messages" then settings[name] = value end
  end
  return settings
end

-- The prompt as chat templates leave it: the messages as JSON text.
local function prompt_of(call)
  return json.encode(json.array(call.messages))
end

-- Readers of such files look at the first request, so an item that asked nothing has
-- an empty one.
local function requests_of(calls)
  if not calls[1] then
    return { gen_args_0 = { arg_0 = "", arg_1 = {} } }, { { "" } }
  end
  local arguments, replies = {}, json.array()
  for i, call in ipairs(calls) do
    arguments["gen_args_" .. i - 1] = { arg_0 = prompt_of(call),
                                        arg_1 = settings_of(call.request) }
    replies[i] = { call.text or "" }
  end
  return arguments, replies
end

-- The hash that the harness takes of a document: of its JSON as Python writes it with
-- an indent of two.
local function doc_hash(doc)
  local text = string.gsub(json.pretty(doc), "\\/", "/")
  return core_text.sha256((string.gsub(text, "\n$", "")))
end

local function line_of(number, sample)
  local doc, target = doc_of(sample.item), table.concat(sample.labels or {}, ";")
  local arguments, replies = requests_of(sample.calls)
  local figures = sample.score and samples.figures(sample.score) or {}
  local line = { doc_id = number - 1, doc = doc, target = target, arguments = arguments,
    resps = replies, filtered_resps = { samples.answer(sample.record) or "" },
    filter = "none", metrics = json.array(), doc_hash = doc_hash(doc),
    prompt_hash = core_text.sha256(arguments.gen_args_0.arg_0),
    target_hash = core_text.sha256(target), ecrb_outcome = sample.record.outcome,
    ecrb_cause = sample.record.cause }
  for name, value in pairs(figures) do
    line[name] = value
    line.metrics[#line.metrics + 1] = name
  end
  table.sort(line.metrics)
  return line
end

return function (run, put)
  for number, sample in samples.each(run) do
    put(json.encode(line_of(number, sample)), "\n")
  end
end
