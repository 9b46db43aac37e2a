-- Shards: a run, an annotation or a search cut into n parts, each of which is
-- the work of one process, on one machine or on many.
--
-- Where an item stands is decided by a hash of its id alone. The items, in the
-- order of their hashes, are cut into n stretches whose lengths differ by one at
-- most: neither the order of the items nor the machine says who gets which.
-- What is cut are the items that are chosen; another choice is another cut.

local core_text = require "core.text"
local fail = require "ecrb.fail"

local shard = {}

-- `3/8` as {index = 3, of = 8}, for argparse.
function shard.read(word)
  local index, of = string.match(word, "^(%d+)/(%d+)$")
  index, of = math.tointeger(tonumber(index)), math.tointeger(tonumber(of))
  if index and of and 1 <= index and index <= of then return { index = index, of = of } end
  return nil, string.format("`%s` is no shard; write 3/8 for the third of eight", word)
end

-- The option of a command line; returned for argparse's mutex.
function shard.option(p)
  return p:option("--shard", "only the I-th of N even parts, by a hash of the ids, into a result "
    .. "with `-IofN` in its name; limits are divided by N"):argname("I/N"):convert(shard.read)
end

-- The name of a shard's file or folder, from that of the whole: `m1-3of8`.
function shard.named(whole, one)
  return one and string.format("%s-%dof%d", whole, one.index, one.of) or whole
end

-- {==================================================================
-- Who gets what
-- ===================================================================

-- The place of an id: the first 60 bits of its SHA-256.
function shard.place(id)
  return tonumber(string.sub(core_text.sha256(id), 1, 15), 16)
end

-- Cuts a list of places, which is sorted thereby, into `of` stretches. Returns a
-- function that tells the number of the shard of a place.
function shard.cut(places, of)
  if #places < of then
    fail("--shard I/%d: %d {item|items} can be cut into %d {shard|shards} at most", of, #places,
      #places)
  end
  table.sort(places)
  local firsts = {}
  for i = 1, of do firsts[i] = places[(i - 1) * #places // of + 1] end
  return function (place)
    local low, high = 1, of
    while low < high do
      local middle = (low + high + 1) // 2
      if firsts[middle] <= place then low = middle else high = middle - 1 end
    end
    return low
  end
end

-- The shard's own among the chosen positions of a benchmark, and what a manifest
-- keeps of the shard: how the choice was made, so that it can be made again, and
-- a digest of it.
function shard.of(bench, chosen, choice, one)
  local number, ids = shard.numbers(bench, chosen, one.of)
  local own = {}
  for _, index in ipairs(chosen) do
    if number(index) == one.index then own[#own + 1] = index end
  end
  return own, { index = one.index, of = one.of, items = #chosen,
    sha256 = shard.digest(ids),
    limit = choice.limit, sample = choice.sample, visible = choice.visible }
end

-- What stands for a choice of items.
function shard.digest(ids)
  return core_text.sha256(table.concat(ids, "\n"))
end

-- A function from a chosen position to the number of its shard, and the ids of
-- all that are chosen.
function shard.numbers(bench, chosen, of)
  local ids, places, place_of = {}, {}, {}
  for i, index in ipairs(chosen) do
    ids[i] = bench.core:item(index).id
    places[i] = shard.place(ids[i])
    place_of[index] = places[i]
  end
  local number = shard.cut(places, of)
  return function (index) return number(place_of[index]) end, ids
end
-- }==================================================================

-- {==================================================================
-- Limits: a shard's part of what all shards may do together
-- ===================================================================

-- Of a whole number: the parts sum to it.
local function part(total, one)
  local rest = one.index <= total % one.of and 1 or 0
  return total // one.of + rest
end

-- No process can do with less than one call at a time.
local function width(total, one)
  return math.max(1, part(total, one))
end

local function divide_options(args, one)
  args.concurrency = width(args.concurrency, one)
  args.max_calls = args.max_calls and part(args.max_calls, one)
  args.max_tokens = args.max_tokens and part(args.max_tokens, one)
  args.max_cost = args.max_cost and args.max_cost / one.of
  return { concurrency = args.concurrency, max_calls = args.max_calls,
    max_tokens = args.max_tokens, max_cost = args.max_cost }
end

local function divide_rates(limits, one)
  local requests, tokens = limits.requests_per_minute, limits.tokens_per_minute
  return { concurrency = limits.concurrency and width(limits.concurrency, one),
    requests_per_minute = requests and requests / one.of,
    tokens_per_minute = tokens and tokens / one.of }
end

-- Divides the limits of a command's options, in place, and those of its model's
-- endpoints. Returns what is left of them, for the manifest; nil where there is
-- no shard.
function shard.divide(args, model)
  local one = args.shard
  if not one then return nil end
  local left = divide_options(args, one)
  for i, source in ipairs(model.sources) do
    source.limits = source.limits and divide_rates(source.limits, one)
    left.endpoints = left.endpoints or {}
    left.endpoints[i] = source.limits or {}
  end
  return left
end

local names = { "concurrency", "requests_per_minute", "tokens_per_minute", "max_calls",
  "max_tokens", "max_cost" }

-- What is left of the limits in words.
function shard.told(left)
  local words = {}
  local function add(limits, where)
    for _, name in ipairs(names) do
      if limits[name] then
        words[#words + 1] = string.format("%s %.6g%s", string.gsub(name, "_", " "), limits[name],
          where)
      end
    end
  end
  add(left, "")
  for i, limits in ipairs(left.endpoints or {}) do add(limits, " at endpoint " .. i) end
  return table.concat(words, ", ")
end
-- }==================================================================

return shard
