-- The items of a benchmark as queries, in pieces that are searched apart: one
-- piece of all items, or one a shard.

local channel = require "ecrb.search.channel"
local shard = require "ecrb.shard"
local system = require "core.system"

local pieces = {}

local function batches_of(bench, items, size)
  local batches = {}
  for i, index in ipairs(items) do
    if (i - 1) % size == 0 then batches[#batches + 1] = {} end
    local item = bench.core:item(index)
    table.insert(batches[#batches], { id = item.id, sequence = item.sequence })
  end
  return batches
end

-- The pieces of which choice = {shard = one of them, gather = the number of
-- them} speaks: {{shard =, batches = {{{id =, sequence =}...}...}}...}.
function pieces.of(bench, size, choice)
  local all, parts, one = {}, {}, choice.shard
  for i = 1, #bench.core do all[i] = i end
  local of = one and one.of or choice.gather
  if not of then return { { batches = batches_of(bench, all, size) } } end
  local number_of, items = shard.numbers(bench, all, of), {}
  for i = 1, of do items[i] = {} end
  for _, index in ipairs(all) do table.insert(items[number_of(index)], index) end
  for i = one and one.index or 1, one and one.index or of do
    parts[#parts + 1] = { shard = { index = i, of = of },
      batches = batches_of(bench, items[i], size) }
  end
  return parts
end

local function is_there(piece, folder)
  for i in ipairs(piece.batches) do
    if not system.exists(channel.file(shard.named(folder, piece.shard), i)) then return false end
  end
  return true
end

-- Raises where the results of a shard are not all there.
function pieces.check(parts, name, folder)
  local missing = {}
  for _, piece in ipairs(parts) do
    if not is_there(piece, folder) then missing[#missing + 1] = tostring(piece.shard.index) end
  end
  if #missing == 0 then return end
  error({ code = "paused", message = string.format("%s: shards that are not searched to their "
    .. "end: %s of %d; run them with --shard and the same options, then gather again", name,
    table.concat(missing, ", "), #parts) }, 0)
end

return pieces
