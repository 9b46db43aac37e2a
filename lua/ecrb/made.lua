-- A folder that comes into being whole: it is filled beside its place, in
-- `PATH.new`, and takes it at once. A failure leaves nothing, and what a kill
-- leaves the next one removes.

local fail = require "ecrb.fail"
local system = require "core.system"

local LOCK = "/.lock"

-- Makes the folder beside empty, and keeps others out of it.
local function enter(beside)
  system.mkdir(beside)
  local lock = system.lock(beside .. LOCK)
  if not lock then fail("%s: another ecrb is at work there; wait for it", beside) end
  for _, name in ipairs(system.list(beside)) do
    if "/" .. name ~= LOCK then system.remove(beside .. "/" .. name) end
  end
  return lock
end

local function put(filled, path, replace)
  if type(replace) == "function" then return replace(filled, path) end
  if replace and system.exists(path) then
    system.exchange(filled, path)
  else
    system.rename(filled, path)
  end
  system.remove(path .. LOCK)
end

-- Calls fill(beside) with an empty folder beside `path`; it may return a folder
-- in it that is to take the place instead. With `replace` what stands in the
-- place goes, or a function replace(filled, path) puts what was filled there;
-- without it nothing may stand in the place. `beside`: where to fill it instead.
return function (path, fill, replace, beside)
  beside = beside or path .. ".new"
  local _ <close> = enter(beside)
  local good, inner = pcall(fill, beside)
  local problem = inner
  if good then good, problem = pcall(put, inner or beside, path, replace) end
  system.remove(beside)
  if not good then error(problem, 0) end
end
