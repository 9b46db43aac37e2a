-- One item of a run from its enzyme to its outcome: evidence, every question
-- with its reply, and what was read from where. For `ecrb show` and for the
-- browser of items; nothing in it is fit for a terminal or a page as it is,
-- because a model wrote parts of it.

local benchmark = require "ecrb.benchmark"
local call_key = require "ecrb.call_key"
local core_journal = require "core.journal"
local fail = require "ecrb.fail"
local json = require "ecrb.json"
local reply = require "ecrb.reply"
local shape = require "ecrb.shape"

local story = {}

-- The text of a message: a string, or content parts.
local function content_of(message)
  if type(message.content) == "string" then return message.content end
  local parts = {}
  for _, part in ipairs(type(message.content) == "table" and message.content
                        or {}) do
    parts[#parts + 1] = part.text
  end
  return table.concat(parts, "\n")
end

local function messages_of(request)
  local list = {}
  for i, message in ipairs(request.messages or {}) do
    list[i] = { role = tostring(message.role), content = content_of(message) }
  end
  return list
end

-- What the endpoint said, if anything can be made of the raw bytes.
local function said(call)
  local status = call.status ~= json.null and call.status or 200
  local good, outcome = pcall(reply.read,
    { ending = "done", status = status, body = call.raw, headers = "" }, {}, 0)
  return good and outcome or {}
end

local function trimmed(text)
  return string.match(text, "^%s*(.-)%s*$")
end

-- The spans that were read from this call's reply, with their text.
local function reads_of(record, key, text)
  local list = {}
  for _, span in ipairs(record.spans or {}) do
    if span.key == key and text then
      list[#list + 1] = { what = span.what, first = span.first,
                          last = span.last,
                          text = trimmed(string.sub(text, span.first,
                            span.last)) }
    end
  end
  return list
end

local present = json.present

local optional = shape.optional

local call_shape = shape.object {
  key = shape.text, raw = optional(shape.text), status = optional(shape.integer),
  step = optional(shape.text), sample = optional(shape.plain), ordinal = optional(shape.number),
  attempts = optional(shape.list(shape.table)),
  request = shape.object { messages = optional(shape.list(shape.object {})) } }

local function call_of(record, line)
  local call, why = json.decode(line)
  why = why or shape.fault(call_shape, call)
  if why then
    fail("calls.jsonl: a call of the item `%s` cannot be read: %s", record.key, why)
  end
  local outcome = said(call)
  return { key = call.key, step = present(call.step), sample = call.sample,
           ordinal = call.ordinal, status = math.tointeger(present(call.status)),
           cause = present(call.cause), attempts = call.attempts or {},
           request = call.request, messages = messages_of(call.request),
           raw = call.raw, text = outcome.text, reasoning = outcome.reasoning,
           finish = outcome.finish, usage = outcome.usage,
           reads = reads_of(record, call.key, outcome.text) }
end

local Journal = {}
Journal.__index = Journal

-- The line of a call, whether it was answered or failed; the newest failure.
function Journal:find(key)
  local line = self.lines:find(key)
  for session = self.sessions, 1, -1 do
    if line then break end
    line = self.lines:find(call_key.failed(key, session))
  end
  return line
end

function Journal:close()
  self.lines:close()
end

Journal.__close = Journal.close

-- The journal of a run's calls. Whoever tells many items opens it once.
function story.journal(run)
  return setmetatable({
    lines = core_journal.open(run.folder .. "/calls.jsonl", "r"),
    sessions = #(run.manifest.sessions or {}) }, Journal)
end

-- The recorded calls of an item, in the order in which they were asked.
function story.calls(record, journal)
  local calls = {}
  for _, key in ipairs(record.calls or {}) do
    local line = journal:find(key)
    calls[#calls + 1] = line and call_of(record, line) or { key = key, reads = {} }
  end
  return calls
end

-- The hits of an item, {channel=, hits=, read=} each; `read` by the record.
function story.evidence(run, record)
  local read, list = {}, {}
  for _, channel in ipairs(record.channels) do read[channel] = true end
  for _, channel in ipairs(run.bench:channels()) do
    local hits = run.bench:evidence(record.index, channel)
    if #hits > 0 then
      list[#list + 1] = { channel = channel, hits = table.move(hits, 1, #hits, 1, {}),
                          read = read[channel] or false }
    end
  end
  return list
end

-- The record of the item called `name` (price/3, an accession, the anonymized
-- id).
function story.find(run, name)
  local index = benchmark.index(run.benchmark, name)
  for _, record in ipairs(run) do
    if record.index == index then return record end
  end
  fail("%s: the run has no record of item `%s`", run.folder, name)
end

-- {item=, record=, enzyme=, evidence=, calls=} of a record of a run
-- (ecrb.report.records).
function story.of(run, record)
  local journal <close> = story.journal(run)
  return { item = run.bench:item(record.index), record = record,
           enzyme = run.bench:enzyme(record.index),
           evidence = story.evidence(run, record),
           calls = story.calls(record, journal) }
end

return story
