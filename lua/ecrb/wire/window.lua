-- How many calls at once an endpoint is given (AIMD): the user's number to
-- begin with; half of it when the server says that it is too much, once per
-- episode, that is, only for a call that began after the last cut; one more
-- for each full round of good replies in which the window was really used. A
-- time-out begins the round anew without shrinking anything.
local window = {}
window.__index = window

function window.new(most)
  return setmetatable({ most = most, limit = most, round = 0, episode = 0 },
                      window)
end

-- What a call takes along, so that its result can be told from older ones.
function window:ticket()
  return self.episode
end

function window:succeeded(inside)
  if inside < self.limit then return end
  self.round = self.round + 1
  if self.round >= self.limit and self.limit < self.most then
    self.limit, self.round = self.limit + 1, 0
  end
end

function window:shrink(ticket)
  self.round = 0
  if ticket ~= self.episode then return end
  self.limit = math.max(1, self.limit // 2)
  self.episode = self.episode + 1
end

function window:stall()
  self.round = 0
end

return window
