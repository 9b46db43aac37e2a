-- The status line of a run: one line that is rewritten on a terminal, a plain
-- line now and then elsewhere. On standard error, so that results can be piped.

local system = require "core.system"

local status = {}

local Status = {}
Status.__index = Status

local function clock(seconds)
  if seconds ~= seconds or seconds == math.huge then return "-" end
  local whole = math.floor(seconds)
  return string.format("%d:%02d", whole // 60, whole % 60)
end

-- The time left if what is to come goes on as what was done since the start.
function status.eta(s, elapsed)
  local fresh = s.done - (s.kept or 0)
  if fresh <= 0 then return "-" end
  return clock(elapsed / fresh * (s.total - s.done))
end

local function line_of(s, elapsed)
  local parts = { string.format("%d/%d items", s.done, s.total),
                  string.format("%d in flight", s.in_flight or 0),
                  string.format("%d calls, %.0f/s", s.sent, s.sent / math.max(elapsed, 0.001)),
                  string.format("%d tokens", s.tokens) }
  if s.cost > 0 then parts[#parts + 1] = string.format("cost %.4f", s.cost) end
  if s.waiting then parts[#parts + 1] = s.waiting end
  parts[#parts + 1] = "ETA " .. status.eta(s, elapsed)
  return table.concat(parts, "  ")
end

-- `state()` returns {done=, total=, kept=, waiting=text or nil, in_flight=, sent=,
-- tokens=, cost=}, or whatever describe(state, seconds), which makes the line,
-- wants to know.
function status.new(state, describe)
  return setmetatable({ state = state, describe = describe or line_of,
                        began = system.monotonic(), terminal = system.isatty(2), said = 0 },
                      Status)
end

-- A terminal gets a line at each call (the loop ticks four times a second at
-- most), anything else one every ten seconds.
function Status:tick()
  local now = system.monotonic()
  local line = self.describe(self.state(), now - self.began)
  if self.terminal then
    io.stderr:write("\r\27[K", string.sub(line, 1, system.columns() - 1))
    self.drawn = true
  elseif now - math.max(self.said, self.began) >= 10 then
    io.stderr:write(line, "\n")
    self.said = now
  end
end

-- Takes the line away.
function Status:clear()
  if self.drawn then io.stderr:write("\r\27[K") end
end

return status
