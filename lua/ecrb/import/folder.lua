-- A benchmark folder, which comes into being whole.

local fail = require "ecrb.fail"
local json = require "ecrb.json"
local made = require "ecrb.made"
local regular = require "ecrb.regular"
local system = require "core.system"
local writer = require "ecrb.writer"

local folder = {}

local function is_benchmark(path)
  return system.exists(path .. "/bench.json")
end

-- Raises early, before any work, if `path` cannot be the result.
function folder.check(path, force)
  if path == "" then fail("--out: name the folder to make") end
  if not system.exists(path) then return end
  if not is_benchmark(path) then
    fail("%s: is there already and is no benchmark; choose another name", path)
  end
  if not force then
    fail("%s: is there already; choose another name, or --force to replace it",
      path)
  end
end

local function copy(from, to)
  local source <close> = assert(regular(from))
  local target <close> = writer.open(to)
  for block in source:lines(1 << 16) do target:write(block) end
  target:finish()
end

-- Copies what `path` holds and `beside` does not: nothing of a user's is lost
-- where a folder is replaced.
function folder.carry(path, beside)
  for _, name in ipairs(system.list(path)) do
    local from, to = path .. "/" .. name, beside .. "/" .. name
    if system.kind(from) == "folder" then
      system.mkdir(to)
      folder.carry(from, to)
    elseif name ~= "bench.json" and not system.exists(to) then
      copy(from, to)
    end
  end
end

-- Calls fill(beside) with an empty folder; what it returns is written as
-- bench.json.
function folder.build(path, force, fill)
  path = string.match(path, "^(.-)/*$")
  folder.check(path, force)
  made(path, function (beside)
    system.write(beside .. "/bench.json", json.pretty(fill(beside)))
  end, force)
end

return folder
