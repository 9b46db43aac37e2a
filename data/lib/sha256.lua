-- SHA-256 (FIPS 180-4) in 64-bit integer arithmetic: the padded message goes
-- block by block through sixty-four rounds. Here to make identifiers; files
-- are left to sha256sum.

local MASK = 0xffffffff

-- The first 32 bits of the fractional part of `power` of the first n primes.
local function prime_fractions(n, power)
  local words, candidate = {}, 2
  while #words < n do
    local prime = true
    for divisor = 2, math.floor(math.sqrt(candidate)) do
      prime = prime and candidate % divisor ~= 0
    end
    if prime then
      words[#words + 1] = math.floor(candidate ^ power % 1 * 2 ^ 32)
    end
    candidate = candidate + 1
  end
  return words
end

local START = prime_fractions(8, 1 / 2)
local ROUND = prime_fractions(64, 1 / 3)

local function rotate(x, n)
  return (x >> n | x << (32 - n)) & MASK
end

local function padded(message)
  local zeros = (55 - #message) % 64
  return message .. "\x80" .. string.rep("\0", zeros)
    .. string.pack(">I8", #message * 8)
end

local function schedule(block)
  local w = { string.unpack(string.rep(">I4", 16), block) }
  for i = 17, 64 do
    local a, b = w[i - 15], w[i - 2]
    local s0 = rotate(a, 7) ~ rotate(a, 18) ~ a >> 3
    local s1 = rotate(b, 17) ~ rotate(b, 19) ~ b >> 10
    w[i] = (w[i - 16] + s0 + w[i - 7] + s1) & MASK
  end
  return w
end

local function compress(state, block)
  local w = schedule(block)
  local a, b, c, d, e, f, g, h = table.unpack(state)
  for i = 1, 64 do
    local s1 = rotate(e, 6) ~ rotate(e, 11) ~ rotate(e, 25)
    local t1 = h + s1 + (e & f ~ ~e & g) + ROUND[i] + w[i]
    local s0 = rotate(a, 2) ~ rotate(a, 13) ~ rotate(a, 22)
    local t2 = s0 + (a & b ~ a & c ~ b & c)
    h, g, f, e = g, f, e, (d + t1) & MASK
    d, c, b, a = c, b, a, (t1 + t2) & MASK
  end
  for i, word in ipairs({ a, b, c, d, e, f, g, h }) do
    state[i] = (state[i] + word) & MASK
  end
end

-- The digest of a string: 32 bytes.
return function (message)
  local text, state = padded(message), { table.unpack(START) }
  for at = 1, #text, 64 do
    compress(state, string.sub(text, at, at + 63))
  end
  return string.pack(string.rep(">I4", 8), table.unpack(state))
end
