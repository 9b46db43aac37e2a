-- Probes on disk: DIR/NAME/TIME.json, one folder a model, newest last by name.
-- A record holds no key.
local contents = require "ecrb.contents"
local fail = require "ecrb.fail"
local file_word = require "ecrb.file_word"
local json = require "ecrb.json"
local shape = require "ecrb.shape"
local system = require "core.system"
local text = require "core.text"

local record = {}

local function folder_of(dir, model)
  return dir .. "/" .. file_word(model.name)
end

function record.path(dir, model, now)
  return folder_of(dir, model) .. "/" .. os.date("!%Y%m%dT%H%M%SZ", now // 1 | 0)
    .. ".json"
end

function record.write(path, probe)
  system.mkdir(string.match(path, "^(.*)/"))
  system.write(path, json.pretty(probe))
end

-- What a later probe reads of this one: it is checked before the first of its calls
-- is paid for.
local optional, object, list = shape.optional, shape.object, shape.list
local count = shape.whole(0, 10000)
local FORM = object {
  kind = shape.one_of("ecrb probe"), time = shape.between(0, 1e11), verdict = shape.text,
  echo = optional(object { model = optional(shape.text), fingerprint = optional(shape.text) }),
  tokenizer = optional(list(object { unit = shape.text, slope = optional(shape.number) })),
  capabilities = optional(list(object { name = shape.text, state = shape.text })),
  sameness = optional(object { answers = list(list(shape.text)) }),
  floor = optional(object { right = count, of = count }),
}

function record.read(path)
  local content, why = contents(path)
  if not content then fail("cannot read the probe %s", why) end
  local probe, fault = json.decode(content)
  fault = fault or shape.fault(FORM, probe)
  if fault then fail("%s: is no probe record: %s", path, fault) end
  return probe, text.sha256(content)
end

-- The path of the newest probe of a model, or nil.
function record.latest(dir, model)
  local folder = folder_of(dir, model)
  if system.kind(folder) ~= "folder" then return nil end
  local newest
  for _, name in ipairs(system.list(folder)) do
    if string.find(name, "^%d+T%d+Z%.json$") then newest = name end
  end
  return newest and folder .. "/" .. newest
end

-- For a run that requires a probe at most `days` old: what goes into its
-- manifest. Raises where there is none.
function record.required(dir, model, days)
  local path = record.latest(dir, model)
  local probe, digest
  if path then probe, digest = record.read(path) end
  local age = probe and (system.now() - probe.time) / 86400
  if not age or age > days then
    fail("no probe of %s is younger than %g days: run `ecrb probe %s`",
         model.name, days, model.name)
  end
  return { path = path, sha256 = digest, time = probe.time,
           verdict = probe.verdict }
end

return record
