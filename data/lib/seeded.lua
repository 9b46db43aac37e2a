-- Orders and names out of the benchmark's seed, by SHA-256: the same on every
-- machine, and nobody reads an id back out of a name.

local sha256 = require "sha256"

local seeded = { seed = 1 }

local function key(purpose, id)
  return sha256(string.format("%d:%s:%s", seeded.seed, purpose, id))
end

-- A new list in an order that each purpose has for itself.
function seeded.shuffled(enzymes, purpose)
  local order, keys = {}, {}
  for i, enzyme in ipairs(enzymes) do
    order[i], keys[enzyme] = enzyme, key(purpose, enzyme.id)
  end
  table.sort(order, function (a, b) return keys[a] < keys[b] end)
  return order
end

local BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"

-- The name under which an id is shown, as core/aliases.c makes it: a letter
-- and the first 40 bits of SHA-256 over `seed NUL id NUL` in base 32.
function seeded.name(letter, id)
  local hash = sha256(string.format("%d\0%s\0", seeded.seed, id))
  local bits, name = string.unpack(">I5", hash), letter
  for shift = 35, 0, -5 do
    local digit = (bits >> shift & 31) + 1
    name = name .. string.sub(BASE32, digit, digit)
  end
  return name
end

return seeded
