-- Answering from another run's journal and never from the network. A question
-- that the journal does not hold is an error that names the first field in
-- which it differs from what was asked for that item at that place.

local call_key = require "ecrb.call_key"
local core_journal = require "core.journal"
local json = require "ecrb.json"
local manifests = require "ecrb.manifest"
local system = require "core.system"

local replay = {}

local Replay = {}
Replay.__index = Replay

-- How many sessions the run had. A journal alone can be replayed, too, but for
-- its failures.
local function sessions_of(folder)
  local manifest = manifests.find(folder)
  return manifest and #manifest.sessions or 0
end

function replay.open(folder)
  local path = folder .. "/calls.jsonl"
  if not system.exists(path) then error(path .. ": there is no journal to replay", 0) end
  return setmetatable({ folder = folder, journal = core_journal.open(path, "r"),
                        sessions = sessions_of(folder) }, Replay)
end

function Replay:find(key)
  return self.journal:find(key)
end

-- The newest failure of a call that was lost for its item; one that stopped the
-- run leaves the call still to be made.
function Replay:failure(key)
  for session = self.sessions, 1, -1 do
    local line = self.journal:find(call_key.failed(key, session))
    local entry = line and json.decode(line)
    local is_call = type(entry) == "table"
    if is_call and entry.class ~= "endpoint" and entry.class ~= "run" then return line end
  end
end

-- The recorded call of the same item, chain and place, whatever was asked.
local function same_place(self, context)
  for n = 1, self.journal:count() do
    local record = json.decode(self.journal:line(n))
    local request = record and record.request
    if type(request) == "table" and record.item == context.item.id
        and record.sample == context.sample and record.ordinal == context.asked then
      return record
    end
  end
end

local function words_of(value)
  return type(value) == "table" and json.encode(value) or tostring(value)
end

-- Where two texts part, a few bytes before it for the eye.
local function parting(a, b)
  local at = 1
  while at <= #a and string.byte(a, at) == string.byte(b, at) do at = at + 1 end
  return math.max(1, at - 20)
end

local function short(text, from)
  local last = from + 56
  return (from > 1 and "..." or "") .. string.sub(text, from, last)
    .. (last < #text and "..." or "")
end

local function difference(recorded, now)
  local names = {}
  for name in pairs(recorded) do names[#names + 1] = name end
  for name in pairs(now) do
    if recorded[name] == nil then names[#names + 1] = name end
  end
  table.sort(names)
  for _, name in ipairs(names) do
    local a, b = recorded[name], now[name]
    if json.encode(a == nil and json.null or a) ~= json.encode(b == nil and json.null or b) then
      a, b = words_of(a), words_of(b)
      local from = parting(a, b)
      return string.format("field `%s`: recorded %s, now %s", name, short(a, from), short(b, from))
    end
  end
  return "the model's identity"
end

-- The error for a question that is not in the journal.
function Replay:miss(context, body)
  local chain = context.sample ~= "" and ", chain " .. context.sample or ""
  local place = string.format("%s: item %s%s, call %d", self.folder, context.item.name, chain,
    context.asked)
  local record = same_place(self, context)
  local why = record and "differs in " .. difference(record.request, json.decode(body))
    or "was never asked" .. (context.asked == 1
      and "; choose the items of the recorded run (--split, --limit, ...)" or "")
  return { code = "replay_miss", message = place .. " " .. why }
end

return replay
