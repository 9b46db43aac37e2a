-- Server-sent events: an incremental parser after the WHATWG rules (CRLF, LF
-- or CR ends a line, in any mixture and split at any byte; `:` begins a
-- comment; several `data` lines join with LF; a blank line ends an event), and
-- the joining of completion chunks into the one object that a plain reply is.
local json = require "ecrb.json"
local errors = require "ecrb.wire.errors"
local strict_json = require "ecrb.wire.strict_json"

local present = json.present

local sse = {}

local BOM = "\u{feff}"

-- More than the longest answers have, at one token an event.
local LINES_MOST = 1000000

local parser = {}
parser.__index = parser

-- A parser; `emit(data)` is called for each event that carries data.
function sse.parser(emit)
  return setmetatable({ emit = emit, rest = "", started = false, data = {}, lines = 0 },
                      parser)
end

function parser:dispatch()
  if #self.data == 0 then return end
  local data = table.concat(self.data, "\n")
  self.data = {}
  self.emit(data)
end

function parser:line(line)
  self.lines = self.lines + 1
  if line == "" then return self:dispatch() end
  local name, value = string.match(line, "^([^:]*):? ?(.*)$")
  if name == "data" then self.data[#self.data + 1] = value end
end

-- The end of the line that begins at `at`: its last byte, and where the next
-- begins; nil while the end is not known (a CR may have its LF in the next
-- piece).
local function line_end(text, at, last_piece)
  local stop = string.find(text, "[\r\n]", at)
  if not stop then return nil end
  if string.byte(text, stop) == 10 then return stop - 1, stop + 1 end
  if stop == #text and not last_piece then return nil end
  local next_at = string.byte(text, stop + 1) == 10 and stop + 2 or stop + 1
  return stop - 1, next_at
end

function parser:begin(text, last_piece)
  if self.started or #text < #BOM and not last_piece then return text end
  self.started = true
  if string.sub(text, 1, #BOM) == BOM then
    return string.sub(text, #BOM + 1)
  end
  return text
end

local function consume(self, text, last_piece)
  local at = 1
  local stop, after = line_end(text, at, last_piece)
  while stop and self.lines <= LINES_MOST do
    self:line(string.sub(text, at, stop))
    at = after
    stop, after = line_end(text, at, last_piece)
  end
  self.rest = string.sub(text, at)
end

function parser:feed(piece)
  local text = self:begin(self.rest .. piece, false)
  if not self.started then
    self.rest = text
    return
  end
  consume(self, text, false)
end

-- The stream is over. An event that no blank line ended is given out all the
-- same: servers forget it.
function parser:finish()
  consume(self, self:begin(self.rest, true), true)
  if self.rest ~= "" then self:line(self.rest) end
  self.rest = ""
  self:dispatch()
end

-- {====================================================================
-- Chunks to one completion
-- =====================================================================

local function append(list, value)
  if type(value) == "string" then list[#list + 1] = value end
end

-- A delta's content is a text or, at some vendors, a list of parts.
local function append_content(join, content)
  if type(content) == "string" then
    append(join.content, content)
  elseif type(content) == "table" then
    for _, part in ipairs(content) do join.parts[#join.parts + 1] = part end
  end
end

-- A tool's name comes once, its arguments in pieces.
local function add_tool_call(join, piece)
  local part = type(piece) == "table" and present(piece["function"])
  if type(part) ~= "table" then return end
  local place = (tonumber(piece.index) or 0) + 1
  local call = join.calls[place] or { arguments = {} }
  call.name = present(part.name) or call.name
  append(call.arguments, part.arguments)
  join.calls[place] = call
end

local function add_delta(join, delta)
  local calls = present(delta.tool_calls)
  for _, piece in ipairs(type(calls) == "table" and calls or {}) do
    add_tool_call(join, piece)
  end
  append_content(join, delta.content)
  append(join.reasoning, present(delta.reasoning_content)
         or present(delta.reasoning))
  append(join.refusal, delta.refusal)
end

local function add_choice(join, choice)
  if type(choice) ~= "table" or (present(choice.index) or 0) ~= 0 then
    return
  end
  join.chosen = true
  join.finish = present(choice.finish_reason) or join.finish
  join.error = join.error or present(choice.error)
  if type(choice.delta) == "table" then add_delta(join, choice.delta) end
end

local CARRIED = { "id", "model", "system_fingerprint", "provider", "usage" }

local function add_chunk(join, chunk)
  for _, name in ipairs(CARRIED) do
    join.whole[name] = present(chunk[name]) or join.whole[name]
  end
  if type(chunk.choices) == "table" then
    for _, choice in ipairs(chunk.choices) do add_choice(join, choice) end
  end
end

local function add_event(join, data, flags)
  if data == "[DONE]" then
    join.done = true
  elseif not string.find(data, "^[ \t]*:") and string.find(data, "%S") then
    local chunk, why, cause = strict_json.decode(data, flags)
    if type(chunk) ~= "table" then
      join.broken = join.broken or why or "an event is no JSON object"
      join.cause = join.cause or cause
    elseif present(chunk.error) or not chunk.choices
      and errors.extract(chunk) then
      join.failed = join.failed or chunk
    else
      add_chunk(join, chunk)
    end
  end
end

local function tool_calls_of(join)
  local list = {}
  for i, call in ipairs(join.calls) do
    list[i] = { type = "function", ["function"] = {
      name = call.name, arguments = table.concat(call.arguments) } }
  end
  return list[1] and list
end

local function message_of(join)
  local text = table.concat(join.content)
  local content = text
  if #join.parts > 0 then
    table.insert(join.parts, { type = "text", text = text })
    content = join.parts
  end
  local function joined(list)
    return list[1] and table.concat(list) or nil
  end
  return { role = "assistant", content = content,
           reasoning_content = joined(join.reasoning),
           refusal = joined(join.refusal),
           tool_calls = tool_calls_of(join) }
end

local function whole_of(join)
  local whole = join.whole
  whole.object = "chat.completion"
  whole.choices = {}
  if join.chosen then
    whole.choices[1] = { index = 0, finish_reason = join.finish,
                         error = join.error, message = message_of(join) }
  end
  return whole
end

-- The completion that a stream amounts to, or nil and why. Where the stream
-- carries an error object, that object is the result.
function sse.assemble(body, flags)
  local join = { whole = {}, content = {}, parts = {}, reasoning = {},
                 refusal = {}, calls = {} }
  local stream = sse.parser(function(data) add_event(join, data, flags) end)
  stream:feed(body)
  stream:finish()
  if stream.lines > LINES_MOST then
    return nil, string.format("the stream has more than %d lines", LINES_MOST), "too_many_values"
  end
  if join.failed then return join.failed end
  if join.broken then return nil, "an event of the stream: " .. join.broken, join.cause end
  flags.streamed = true
  return whole_of(join)
end

local FIELDS = { [""] = true, data = true, event = true, id = true,
                 retry = true }

-- Whether a body is a stream: it begins with a field or a comment.
function sse.is_stream(body)
  local field = string.match(body, "^%s*(%a*):")
  return FIELDS[field] or false
end

-- }====================================================================

return sse
