-- Leaves an endpoint alone that fails every call: after a few failures in a
-- row without one reply it opens; then one trial is let through after 1, 2, 4,
-- ... seconds, until one succeeds.
local breaker = {}
breaker.__index = breaker

local FAILURES, LONGEST = 5, 60

function breaker.new()
  return setmetatable({ failures = 0, rest = 1, opened = nil,
                        until_time = nil, trial = false }, breaker)
end

function breaker:is_open()
  return self.opened ~= nil
end

-- For how many seconds it has been open.
function breaker:open_for(now)
  return self.opened and now - self.opened or 0
end

-- Seconds until a call may be tried: 0 where it may go now.
function breaker:wait(now)
  if not self.opened then return 0 end
  if now < self.until_time then return self.until_time - now end
  return self.trial and 0.25 or 0
end

-- The caller goes: while open, it is the one trial.
function breaker:claim()
  self.trial = self:is_open()
end

function breaker:release()
  self.trial = false
end

function breaker:succeeded()
  self.failures, self.rest, self.opened = 0, 1, nil
end

function breaker:failed(now)
  self.failures = self.failures + 1
  if self.failures < FAILURES then return end
  if self.opened and now < self.until_time then return end
  self.opened = self.opened or now
  self.until_time = now + self.rest
  self.rest = math.min(LONGEST, self.rest * 2)
end

return breaker
