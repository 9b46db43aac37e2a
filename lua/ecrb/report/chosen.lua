-- chosen(folders): the folders of a command line that hold runs, as `runs/*` gives
-- them. A session of the REPL stands there too; it is no run, and is told and left
-- out where others are named beside it.

local core_text = require "core.text"
local fail = require "ecrb.fail"
local system = require "core.system"

local function is_session(folder)
  return system.exists(folder .. "/session.log") and not system.exists(folder .. "/run.json")
end

return function (folders)
  local runs, sessions = {}, {}
  for _, folder in ipairs(folders) do
    table.insert(is_session(folder) and sessions or runs, folder)
  end
  if not runs[1] then
    fail("%s: this is a session of the REPL, no run; the runs of its :ablate stand inside",
      sessions[1])
  end
  for _, folder in ipairs(sessions) do
    io.stderr:write("left out: ", core_text.printable(folder), ", a session of the REPL, no run\n")
  end
  return runs
end
