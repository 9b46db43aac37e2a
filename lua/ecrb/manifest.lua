-- The manifest of a run's folder, run.json: what was asked, and how each session
-- ended. Everybody reads it here, so that a file that is torn, edited by hand or
-- from another program is refused by name before anything is made of it.

local contents = require "ecrb.contents"
local fail = require "ecrb.fail"
local json = require "ecrb.json"
local sandbox = require "core.sandbox"
local shape = require "ecrb.shape"
local strict_json = require "ecrb.wire.strict_json"
local system = require "core.system"

local manifest = {}

manifest.format = 1

-- Words that a table may show are plain, whoever wrote the file.
local word, optional = shape.word, shape.optional

local wanted = shape.object {
  items_total = shape.between(0, 1e15), bench_folder = optional(shape.text),
  sessions = shape.list(shape.object { status = shape.text }),
  versions = optional(shape.map(shape.text)),
  settings = shape.object {
    method = shape.object {
      id = word, title = optional(word), base = optional(shape.object { id = word }) },
    model = shape.object { name = word, kind = optional(word) },
    bench = shape.object { name = word, sha256 = shape.text },
    book = word, split = optional(word), seed = optional(shape.number),
    options = optional(shape.table), parameters = optional(shape.table),
    oracle = optional(shape.boolean),
    shard = optional(shape.object {
      index = shape.integer, of = shape.integer, items = shape.integer }) } }

local function fault(value)
  if type(value) == "table" and value.format ~= manifest.format then
    return string.format("its format is `%s`, this ecrb reads %d",
      tostring(math.tointeger(value.format) or value.format), manifest.format)
  end
  return shape.fault(wanted, value)
end

local function path_of(folder)
  return folder .. "/run.json"
end

-- JSON has words for numbers that are none here, and nobody could write them again.
local function unwritable(value)
  local ok, problem = pcall(json.encode, value)
  return not ok and sandbox.message(problem) or nil
end

-- The manifest of a folder, nil where there is none; refuses what is no manifest.
function manifest.find(folder)
  local path = path_of(folder)
  if not system.exists(path) then return nil end
  local source, problem = contents(path)
  if not source then fail("cannot be read: %s", problem) end
  local value, why = strict_json.decode(source, {})
  why = why or fault(value) or unwritable(value)
  if why then fail("%s: is no run's manifest (%s)", path, why) end
  return value
end

-- The same where there must be one; `instead` says what to name.
function manifest.read(folder, instead)
  return manifest.find(folder)
    or fail("%s: there is no run here (no run.json); name %s", folder, instead)
end

function manifest.write(folder, value)
  system.write(path_of(folder), json.pretty(value))
end

return manifest
