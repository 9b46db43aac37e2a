-- The folder of a run as a command takes it up: what may be wrong with it, and
-- what to do then.

local fail = require "ecrb.fail"
local manifests = require "ecrb.manifest"
local regular = require "ecrb.regular"
local system = require "core.system"

local run_folder = {}

local function words_of(problem)
  return type(problem) == "table" and problem.message or tostring(problem)
end

-- f(...), which writes into the folder. A full disk, a folder of somebody else's.
function run_folder.write(folder, f, ...)
  local ok, result = pcall(f, ...)
  if ok then return result end
  return fail("%s: nothing can be written in %s; mend that and run the same again, or give another "
    .. "folder with --out; what is finished is kept", words_of(result), folder)
end

-- What a process that was killed was about to put in a file's place.
local BESIDE = { "^run%.json%.%d+%.new$", "^%a+%.jsonl%.reordered$" }

local function sweep(folder)
  for _, name in ipairs(system.list(folder)) do
    for _, pattern in ipairs(BESIDE) do
      if string.find(name, pattern) then system.remove(folder .. "/" .. name) end
    end
  end
end

-- Takes the folder for this process. Returns the lock.
function run_folder.claim(folder)
  run_folder.write(folder, system.mkdir, folder)
  local lock = run_folder.write(folder, system.lock, folder .. "/.lock")
    or fail("%s: another ecrb works on this run; wait for it or give --out", folder)
  run_folder.write(folder, sweep, folder)
  return lock
end

-- Whether a command is at work on the run. Where that cannot be told, as in a
-- folder of somebody else's, nobody is.
function run_folder.is_taken(folder)
  local path = folder .. "/.lock"
  if not system.exists(path) then return false end
  local told, lock = pcall(system.lock, path)
  if told and lock then lock:release() end
  return told and not lock
end

local function has_records(folder)
  local path = folder .. "/items.jsonl"
  if not system.exists(path) then return false end
  local file <close>, problem = regular(path)
  if not file then fail("%s; mend that, or give another folder with --out", problem) end
  return file:read(1) ~= nil
end

-- The manifest of the run in the folder, nil where no run is there yet. Records
-- without a manifest may be anybody's; calls are known by what was asked.
function run_folder.manifest(folder)
  local ok, found = pcall(manifests.find, folder)
  if not ok then
    fail("%s\nno reply is lost: remove run.json and items.jsonl, and the same command makes both "
      .. "again from calls.jsonl", words_of(found))
  end
  if not found and has_records(folder) then
    fail("%s: there are records (items.jsonl) but no run.json that tells whose\nno reply is lost: "
      .. "remove items.jsonl, and the same command makes both again from calls.jsonl", folder)
  end
  return found
end

return run_folder
