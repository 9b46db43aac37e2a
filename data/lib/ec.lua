-- The little about EC numbers that the build needs.

local ec = {}

-- The parts of a complete number (a preliminary `n7` too), or nil.
function ec.parts(text)
  local a, b, c, n, d = string.match(text, "^(%d+)%.(%d+)%.(%d+)%.(n?)(%d+)$")
  if not a then return nil end
  return { tonumber(a), tonumber(b), tonumber(c), tonumber(d),
    preliminary = n == "n" }
end

-- EC order: by number, the preliminary ones after the plain ones.
function ec.before(a, b)
  local x, y = ec.parts(a), ec.parts(b)
  for i = 1, 3 do
    if x[i] ~= y[i] then return x[i] < y[i] end
  end
  if x.preliminary ~= y.preliminary then return y.preliminary end
  return x[4] < y[4]
end

-- `2.7.1.-` at level 3 of 2.7.1.69.
function ec.prefix(text, level)
  local cells, n = {}, 0
  for part in string.gmatch(text, "[^.]+") do
    n = n + 1
    cells[n] = n <= level and part or "-"
  end
  return table.concat(cells, ".")
end

-- How many leading parts agree.
function ec.shared(a, b)
  local level = 0
  while level < 4 and ec.prefix(a, level + 1) == ec.prefix(b, level + 1) do
    level = level + 1
  end
  return level
end

-- The deepest agreement between any two of two lists.
function ec.deepest(list, other)
  local best = 0
  for _, a in ipairs(list) do
    for _, b in ipairs(other) do best = math.max(best, ec.shared(a, b)) end
  end
  return best
end

return ec
