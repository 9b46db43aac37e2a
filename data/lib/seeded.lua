-- Orders and names out of the benchmark's seed, by SHA-256: the same on every
-- machine, and nobody reads an id back out of a name.

local sha256 = require "sha256"

local seeded = { seed = 1 }

local function digest(purpose, id)
  return sha256(string.format("%d:%s:%s", seeded.seed, purpose, id))
end

-- A new list in an order that each purpose has for itself.
function seeded.shuffled(enzymes, purpose)
  local order, key = {}, {}
  for i, enzyme in ipairs(enzymes) do
    order[i], key[enzyme] = enzyme, digest(purpose, enzyme.id)
  end
  table.sort(order, function(a, b) return key[a] < key[b] end)
  return order
end

local BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"

-- The prefix and eight base-32 digits: the first 40 bits of the digest.
function seeded.name(prefix, id)
  local bits, name = string.unpack(">I5", digest("name", id)), prefix
  for shift = 35, 0, -5 do
    local digit = (bits >> shift & 31) + 1
    name = name .. string.sub(BASE32, digit, digit)
  end
  return name
end

return seeded
