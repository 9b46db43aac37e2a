-- ecrb's own form: one JSON object an item. Its fields are told in README.md.

local json = require "ecrb.json"
local samples = require "ecrb.export.samples"

local function visible(calls)
  local list = json.array()
  for i, call in ipairs(calls) do
    list[i] = { key = call.key, step = call.step, sample = call.sample, status = call.status,
      cause = call.cause, attempts = #(call.attempts or {}), messages = call.messages,
      text = call.text, reasoning = call.reasoning, finish = call.finish, usage = call.usage,
      reads = call.reads }
  end
  return list
end

local function score_of(score)
  if not score then return nil end
  local figures = samples.figures(score)
  for _, name in ipairs { "hp", "hr", "valid", "exists", "depth" } do
    figures[name] = score[name]
  end
  figures.set = score.set
  return figures
end

local function line_of(sample, options)
  local record, item = sample.record, sample.item
  return {
    item = item.id, name = item.name, split = item.split, shown = item.shown,
    visible = item.visible, reaction = item.reaction, labels = samples.list(sample.labels),
    answer = samples.answer(record) or json.null, path = samples.list(record.path),
    others = samples.list(record.others), outcome = record.outcome, cause = record.cause,
    message = record.message, stopped_at = record.stopped_at,
    confidence = record.confidence, confidences = samples.list(record.confidences),
    share = record.share, consensus = record.consensus, saved = record.saved,
    channels = samples.list(record.channels), turns = record.turns,
    usage = record.usage, notes = samples.list(record.notes), score = score_of(sample.score),
    calls = options.calls and visible(sample.calls) or nil,
  }
end

return function (run, put, options)
  for _, sample in samples.each(run) do
    put(json.encode(line_of(sample, options)), "\n")
  end
end
