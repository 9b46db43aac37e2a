-- A rate limit without a timer (virtual scheduling, GCRA): `due` is when the
-- last amount reserved will have been paid for; whoever comes waits until no
-- more than `burst` seconds' worth is ahead of the clock.
local pace = {}
pace.__index = pace

local BURST = 1 -- seconds

-- A limit of so many units a minute; nil gives none.
function pace.new(per_minute)
  return per_minute
    and setmetatable({ rate = per_minute / 60, due = 0 }, pace)
end

-- Takes `amount` units; the seconds to wait before using them.
function pace:reserve(amount, now)
  local wait = math.max(0, self.due - BURST - now)
  self.due = math.max(self.due, now) + amount / self.rate
  return wait
end

-- Gives back what was reserved too much; takes more where it was too little.
function pace:settle(reserved, used)
  self.due = self.due - (reserved - used) / self.rate
end

return pace
