-- A run as a log of Inspect, JSON form, version 2: header fields first and in
-- Inspect's order, then the samples one by one. Messages have ids: Inspect takes
-- those without one for the same message.

local core_text = require "core.text"
local json = require "ecrb.json"
local records = require "ecrb.record"
local samples = require "ecrb.export.samples"
local scored = require "ecrb.report.scored"
local system = require "core.system"

local stop_reasons = { stop = "stop", eos = "stop", length = "max_tokens",
  max_tokens = "max_tokens", tool_calls = "tool_calls", function_call = "tool_calls",
  content_filter = "content_filter" }

-- {====================================================================
-- The header
-- =====================================================================

-- Inspect's times carry a zone.
local function zoned(time)
  return time and (string.gsub(time, "Z$", "+00:00")) or ""
end

local function status_of(run)
  local last = run.manifest.sessions[#run.manifest.sessions] or {}
  if run.pending == 0 then return "success" end
  return last.status == "running" and "started" or "cancelled"
end

local function generation_of(run)
  local settings = run.settings
  return { temperature = settings.options.temperature,
           max_tokens = settings.parameters and settings.parameters.max_tokens }
end

local function ids_of(run)
  local ids = json.array()
  for i, record in ipairs(run) do ids[i] = record.key end
  return ids
end

local function spec_of(run)
  local settings = run.settings
  local hash = core_text.sha256(json.encode(settings))
  return {
    eval_id = string.sub(hash, 1, 22), run_id = string.sub(hash, 23, 44),
    task_id = string.sub(hash, 45), task = samples.task(run), task_version = scored.version,
    created = zoned((run.manifest.sessions[1] or {}).started), task_args = settings.options,
    model = settings.model.name, model_args = {}, solver = settings.method.id,
    dataset = { name = settings.bench.name, samples = #run, sample_ids = ids_of(run),
                shuffled = false },
    config = { epochs = 1, log_samples = true, fail_on_error = false },
    packages = { ecrb = system.version },
    metadata = settings, model_generate_config = generation_of(run),
    scorers = { { name = "ecrb" } },
  }
end

local function plan_of(run)
  local settings = run.settings
  return { name = "plan", config = generation_of(run), steps = { {
    solver = settings.method.id, params = settings.options, params_passed = settings.options } } }
end

local function means_of(run)
  local sums, n = {}, 0
  for _, record in ipairs(run) do
    if record.score then
      n = n + 1
      for name, value in pairs(samples.figures(record.score)) do
        sums[name] = (sums[name] or 0) + value
      end
    end
  end
  return sums, n
end

-- Items that ended in an error are scored and not completed, as Inspect says it.
local function completed(run)
  local n = 0
  for _, record in ipairs(run) do
    if not records.is_failure(record.outcome) then n = n + 1 end
  end
  return n
end

local function results_of(run)
  local sums, n = means_of(run)
  local scores, names = json.array(), {}
  for name in pairs(sums) do names[#names + 1] = name end
  table.sort(names)
  for i, name in ipairs(names) do
    scores[i] = { name = name, scorer = "ecrb", scored_samples = n, unscored_samples = #run - n,
      params = {}, metrics = { mean = { name = "mean", value = sums[name] / n, params = {} } } }
  end
  return { total_samples = #run + run.pending, completed_samples = completed(run), scores = scores }
end

local function usage_of(usage)
  local input, output = usage.prompt or 0, usage.completion or 0
  return { input_tokens = input, output_tokens = output, total_tokens = input + output,
           reasoning_tokens = usage.reasoning, input_tokens_cache_read = usage.cached,
           total_cost = usage.cost }
end

local function stats_of(run)
  local sums, sessions = {}, run.manifest.sessions
  for _, record in ipairs(run) do
    for name, count in pairs(record.usage) do sums[name] = (sums[name] or 0) + count end
  end
  return { started_at = zoned((sessions[1] or {}).started),
           completed_at = zoned((sessions[#sessions] or {}).ended),
           model_usage = { [run.settings.model.name] = usage_of(sums) } }
end

-- }====================================================================

-- {====================================================================
-- Samples
-- =====================================================================

-- A reply as a message; reasoning that the model kept apart stays apart.
local function assistant(call, model)
  local content = call.text or ""
  if call.reasoning and call.reasoning ~= "" then
    content = { { type = "reasoning", reasoning = call.reasoning },
                { type = "text", text = content } }
  end
  return { id = call.key, role = "assistant", content = content, source = "generate",
           model = model }
end

-- The i-th message of a call's prompt. One that only calls a tool says nothing.
local function asked(call, i)
  local message = call.messages[i]
  local content = message.content
  return { id = call.key .. "-" .. i, role = message.role, source = "input",
           content = type(content) == "string" and content or "" }
end

local function input_of(calls)
  if not calls[1] or not calls[1].messages then return "" end
  local input = json.array()
  for i = 1, #calls[1].messages do input[i] = asked(calls[1], i) end
  return input
end

-- All questions and replies, call after call: a walk asks anew at each level,
-- so a call's prompt does not go on from the reply before it.
local function messages_of(calls, model)
  local list = json.array()
  for _, call in ipairs(calls) do
    for i = 1, #(call.messages or {}) do list[#list + 1] = asked(call, i) end
    if call.text then list[#list + 1] = assistant(call, model) end
  end
  return list
end

local function output_of(calls, model)
  local last = calls[#calls]
  if not last or not last.text then return { model = model, choices = json.array() } end
  return { model = model, completion = last.text,
    usage = last.usage and usage_of(last.usage) or nil,
    choices = { { message = assistant(last, model),
                  stop_reason = stop_reasons[last.finish] or "unknown" } } }
end

local function scores_of(sample)
  if not sample.score then return nil end
  local scores, answer = {}, samples.answer(sample.record) or ""
  for name, value in pairs(samples.figures(sample.score)) do
    scores[name] = { value = value, answer = answer }
  end
  return scores
end

local function error_of(record)
  if not records.is_failure(record.outcome) then return nil end
  local message = record.message or record.cause or record.outcome
  return { message = message, traceback = message, traceback_ansi = message }
end

local function metadata_of(sample)
  local record, item = sample.record, sample.item
  return { name = item.name, split = item.split, shown = item.shown, visible = item.visible,
    path = samples.list(record.path), others = samples.list(record.others),
    outcome = record.outcome, cause = record.cause, stopped_at = record.stopped_at,
    confidence = record.confidence, confidences = samples.list(record.confidences),
    channels = samples.list(record.channels), share = record.share,
    consensus = record.consensus, calls = #sample.calls }
end

local function sample_of(sample, model)
  return { id = sample.item.id, epoch = 1, input = input_of(sample.calls),
    target = sample.labels or "", messages = messages_of(sample.calls, model),
    output = output_of(sample.calls, model), scores = scores_of(sample),
    metadata = metadata_of(sample), error = error_of(sample.record),
    model_usage = { [model] = usage_of(sample.record.usage) }, store = {},
    events = json.array(), attachments = {} }
end

-- }====================================================================

return function (run, put)
  local model = run.settings.model.name
  put('{"version":2,"status":', json.encode(status_of(run)))
  for _, part in ipairs { { "eval", spec_of }, { "plan", plan_of }, { "results", results_of },
                          { "stats", stats_of } } do
    put(',\n"', part[1], '":', json.encode(part[2](run)))
  end
  put(',\n"samples":[')
  for number, sample in samples.each(run) do
    put(number > 1 and ",\n" or "\n", json.encode(sample_of(sample, model)))
  end
  put("\n]}\n")
end
