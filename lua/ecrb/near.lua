-- The near name for a mistyped one.

local near = {}

-- Levenshtein distance, two rows at a time.
local function distance(a, b)
  local row = {}
  for j = 0, #b do row[j] = j end
  for i = 1, #a do
    local diagonal = row[0]
    row[0] = i
    for j = 1, #b do
      local cost = (string.byte(a, i) == string.byte(b, j)) and 0 or 1
      local best = math.min(row[j] + 1, row[j - 1] + 1, diagonal + cost)
      diagonal, row[j] = row[j], best
    end
  end
  return row[#b]
end

-- The nearest of the known names (an array, or the keys of a table), if it is
-- near enough to be a slip of the finger.
function near.name(name, known)
  local best, least = nil, math.max(2, #name // 3) + 1
  for key, value in pairs(known) do
    local candidate = type(key) == "number" and value or key
    -- Each byte of a difference in length costs one: a name of any length is done at once.
    local d = math.abs(#name - #candidate) <= least and distance(name, candidate) or least + 1
    if d < least or (d == least and best and candidate < best) then best, least = candidate, d end
  end
  return best
end

-- What follows a complaint about an unknown name: `; did you mean `x`?`, or
-- nothing; with a remedy this too, as its own sentence or behind a semicolon.
function near.hint(name, known, remedy)
  local best = near.name(name, known)
  if not best then return remedy and "; " .. remedy or "" end
  return "; did you mean `" .. best .. "`?"
    .. (remedy and " " .. string.gsub(remedy, "^%l", string.upper) or "")
end

return near
