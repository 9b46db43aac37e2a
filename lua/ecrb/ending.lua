-- What a command says when its runs have ended: what each did and what failed,
-- what was spent, and how it goes on.

local core_text = require "core.text"
local counted = require "ecrb.counted"
local oddities = require "ecrb.wire.oddities"

local ending = {}

-- A reason may quote a server's words, so it is made harmless first.
local function harmless(reason)
  return core_text.printable(tostring(reason))
end

-- Folders have what names their makers gave them.
local function tell(...)
  io.stderr:write(core_text.printable(table.concat { ... }))
end

local retry_options = { { "failed", "--retry-failed" },
                        { "script", "--retry-script-errors" } }

-- How to ask the failed items of a run again.
local function retry_hint(failures)
  local parts = {}
  for _, option in ipairs(retry_options) do
    local count = failures[option[1]]
    if count then parts[#parts + 1] = counted("%s (%d {item|items})", option[2], count) end
  end
  return table.concat(parts, " or ")
end

-- How many items failed, why the first did, how to see more of it, and what can
-- be done.
local function say_failures(one)
  local first = one.first_failure
  if not first then return end
  tell(string.format("%d of them failed, %s first: %s (%s); `ecrb show %s %s` tells "
    .. "more\n", one.counts.failed, first.name, first.cause, harmless(first.message),
    one.folder, first.name))
  if one.replay then return end -- it would answer with the same failures
  tell(string.format("the same command with %s asks them again%s\n",
    retry_hint(one.failures),
    one.failures.script and "; with a mended script it is another run" or ""))
end

local function say_counts(one)
  local counts = one.counts
  tell(counted("%s: %d {item|items} done now, %d before; %d {call|calls} sent%s, %d answered "
    .. "from the journal%s\n", one.folder, counts.done, counts.kept, counts.sent,
    counts.again > 0 and counted(" and %d {retry|retries}", counts.again) or "", counts.replayed,
    counts.missed > 0 and counted("; %d {attempt|attempts} did not reach the endpoint",
      counts.missed) or ""))
end

local function say_oddities(one)
  for _, line in ipairs(oddities.told(one.odd)) do tell(line, "\n") end
end

-- Whether a run that asks a model has come to anything. Where no run asks one,
-- whether any has.
function ending.has_records(runs)
  local asking, found = false, false
  for _, one in ipairs(runs) do
    local some = one.counts.done + one.counts.kept > 0
    if one.method.model and some then return true end
    asking, found = asking or one.method.model, found or some
  end
  return found and not asking
end

-- Of a command that was stopped, only runs that it had begun are worth a line.
local function is_begun(one)
  for _, count in pairs(one.counts) do
    if count > 0 then return true end
  end
  return false
end

function ending.say(runs, how, reason, spent)
  reason = harmless(reason)
  for _, one in ipairs(runs) do
    if how == "done" or is_begun(one) then say_counts(one) end
    say_oddities(one)
    say_failures(one)
  end
  if spent:told() then tell(spent:told(), "\n") end
  if how == "paused" then
    tell("paused: ", reason, "\nnothing is lost: the same command",
      spent.full and " with a higher limit" or "", " goes on from here\n")
  elseif how == "refused" then
    tell("ecrb: ", reason, "\n")
  elseif how == "interrupted" then
    tell("interrupted; the same command goes on from here\n")
  end
end

return ending
