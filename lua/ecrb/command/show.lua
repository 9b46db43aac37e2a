-- `ecrb show RUN ITEM`: one item as a person wants to see it, from the enzyme
-- to the outcome. What a model wrote is made visible before it is printed.

local brief = require "ecrb.brief"
local core_text = require "core.text"
local counted = require "ecrb.counted"
local out = require "ecrb.out"
local records = require "ecrb.report.records"
local story = require "ecrb.report.story"
local summary = require "ecrb.report.summary"
local tables = require "ecrb.tables"

local command = {
  summary = "one item of a run: evidence, prompts, replies, decisions",
}

function command.configure(parser)
  parser:argument("run", "run folder"):argname("RUN")
  parser:argument("item", "item, as price/3, by accession or anonymized id")
    :argname("ITEM")
  parser:flag("--labels", "show the item's labels too")
  parser:flag("--brief", "leave the prompts out")
  parser:option("--bench", "where the benchmark of the run stands")
end

local function heading(lines, words)
  lines[#lines + 1] = "\n== " .. words
end

local function indented(text)
  return "  " .. (string.gsub(text, "\n", "\n  "))
end

local function number(format, value)
  return value and string.format(format, value) or "-"
end

local function add_enzyme(lines, told)
  local item = told.item
  lines[#lines + 1] = string.format("%s  %s  shown to the model as %s%s", item.name,
    item.id, item.shown, item.visible and " (visible control)" or "")
  if item.reaction then
    heading(lines, "Reaction")
    lines[#lines + 1] = brief.reaction(told.enzyme, "both", true)
    return
  end
  heading(lines, "Enzyme")
  lines[#lines + 1] = brief.descriptors(told.enzyme)
  lines[#lines + 1] = brief.sequence(told.enzyme)
  heading(lines, "Motifs")
  lines[#lines + 1] = brief.motifs(told.enzyme)
end

local function add_evidence(lines, told)
  heading(lines, "Evidence")
  local rows = {}
  for _, channel in ipairs(told.evidence) do
    for h, hit in ipairs(channel.hits) do
      rows[#rows + 1] = { channel.channel .. (channel.read and " (read)" or ""),
        hit.rank, hit.neighbour, hit.shown, table.concat(hit.ec, "; "),
        number("%.4g ", hit.score) .. hit.kind, number("%.1f", hit.identity),
        number("%.1f", hit.coverage), number("%.1e", hit.evalue),
        rule = h == 1 }
    end
  end
  if #rows == 0 then
    lines[#lines + 1] = "none in any channel"
    return
  end
  local written = tables.write("text", { rows = rows, columns = { "channel",
    "rank", "neighbour", "shown as", "EC", "score", "ident%", "cov%",
    "E-value" } }, math.huge)
  lines[#lines + 1] = string.sub(written, 1, -2)
end

local function add_reply(lines, call)
  if call.reasoning and call.reasoning ~= "" then
    lines[#lines + 1] = "reasoning:\n" .. indented(call.reasoning)
  end
  if call.text then
    lines[#lines + 1] = "reply:\n" .. indented(call.text)
  elseif call.raw then
    lines[#lines + 1] = string.format("no reply (%s, HTTP %s):\n%s",
      tostring(call.cause), tostring(call.status), indented(call.raw))
  else
    lines[#lines + 1] = "no record of this call in calls.jsonl"
  end
  for _, read in ipairs(call.reads) do
    lines[#lines + 1] = string.format("read: %s from `%s` (bytes %d to %d)",
      read.what, read.text, read.first, read.last)
  end
end

local function call_title(n, call)
  local words = { "Call " .. n }
  local function add(format, value)
    if value and value ~= "" then
      words[#words + 1] = string.format(format, value)
    end
  end
  add("prompt %s", call.step)
  add("chain %s", call.sample)
  add("%d attempts", #(call.attempts or {}) > 1 and #call.attempts)
  return table.concat(words, ", ")
end

local function add_calls(lines, told, brief_only)
  for n, call in ipairs(told.calls) do
    heading(lines, call_title(n, call))
    for _, message in ipairs(not brief_only and call.messages or {}) do
      lines[#lines + 1] = message.role .. ":\n" .. indented(message.content)
    end
    add_reply(lines, call)
  end
end

local function add_path(lines, run, record)
  local tree = run.bench:tree()
  for level, node in ipairs(record.path) do
    local confidence = record.confidences and record.confidences[level]
    lines[#lines + 1] = string.format("L%d  %-14s %s%s", level, node,
      tree:name(node) or "",
      type(confidence) == "number" and string.format("  confidence %.2f", confidence) or "")
  end
end

local function add_ending(lines, record)
  local words = { record.outcome }
  local level = math.tointeger(record.stopped_at) or record.stopped_at
  if level then
    words[#words + 1] = "at level " .. level
  end
  if record.cause and record.cause ~= record.outcome then
    words[#words + 1] = "because of " .. record.cause
  end
  if record.message then words[#words + 1] = "(" .. record.message .. ")" end
  if record.confidence then
    words[#words + 1] = string.format("with confidence %.2f", record.confidence)
  end
  if record.share then
    words[#words + 1] = string.format("winning share %.2f", record.share)
  end
  lines[#lines + 1] = table.concat(words, " ")
end

local function add_decision(lines, run, record)
  heading(lines, "Decision")
  add_path(lines, run, record)
  add_ending(lines, record)
  if record.others then
    lines[#lines + 1] = "other answers: " .. table.concat(record.others, "; ")
  end
  for _, note in ipairs(record.notes or {}) do
    lines[#lines + 1] = string.format("note %s: %s", note.name, note.value)
  end
  local usage = record.usage
  lines[#lines + 1] = counted("%d {call|calls}, %d prompt and %d completion tokens",
    usage.calls or 0, usage.prompt or 0, usage.completion or 0)
end

local function add_labels(lines, run, record, wanted)
  if not wanted then return end
  heading(lines, "Labels")
  lines[#lines + 1] = run.bench:labelled()
    and table.concat(run.bench:reveal(record.index), "; ")
    or "the benchmark has none"
end

function command.run(args)
  local run = records.open(args.run, { partial = true, bench = args.bench })
  local record = story.find(run, args.item)
  local told = story.of(run, record)
  local lines = { summary.title(run) }
  add_enzyme(lines, told)
  add_evidence(lines, told)
  add_calls(lines, told, args.brief)
  add_decision(lines, run, record)
  add_labels(lines, run, record, args.labels)
  out.write(core_text.printable(table.concat(lines, "\n")), "\n")
end

return command
