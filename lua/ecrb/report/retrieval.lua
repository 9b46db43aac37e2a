-- What the evidence says without a model: the top hit of a channel, the vote
-- of two, and the oracle that picks the best channel item by item (the paper's
-- Table 6b). Each rule gives a list of scored records as a run would, so that
-- the same figures can be taken of it.

local core_ec = require "core.ec"
local core_score = require "core.score"
local core_vote = require "core.vote"

local retrieval = {}

-- In the order of Table 6b: key, label, channels. The vote takes the top hit
-- of each channel and each EC of it as one vote; a single channel gives the
-- first EC of its top hit.
retrieval.rules = {
  { "blast", "BLAST only", { "blast" } },
  { "hmmer", "HMMER only", { "hmmer" } },
  { "vote", "BLAST plus HMMER", { "blast", "hmmer" } },
  { "structure", "structure only", { "structure" } },
  { "site", "structure + site", { "structure", "active_site" } },
}

-- The ECs of the top hit in each channel that has one.
local function top_hits(bench, index, channels)
  local list = {}
  for _, channel in ipairs(channels) do
    local hit = bench:evidence(index, channel, 1)[1]
    if hit then list[#list + 1] = hit.ec end
  end
  return list
end

local function elected(tops)
  local ballots = {}
  for _, numbers in ipairs(tops) do
    for _, number in ipairs(numbers) do
      ballots[#ballots + 1] = { ec = number, weight = 1 }
    end
  end
  return ballots[1] and core_vote.neighbours(ballots)
end

local function first(tops)
  return tops[1] and tops[1][1]
end

-- Records for the items of `rows`, answered with `answer(record)`, an EC
-- number or nil.
local function answered(rows, answer)
  local run = { folder = rows.folder, benchmark = rows.benchmark,
                bench = rows.bench, settings = rows.settings }
  for i, row in ipairs(rows) do
    local number = answer(row)
    run[i] = { key = row.key, name = row.name, split = row.split,
               index = row.index, may_stop = true,
               path = number and core_ec.path(number) or {} }
  end
  for i, score in ipairs(core_score.items(rows.bench, run)) do
    run[i].score = score
  end
  return run
end

-- The channels in which any of the rows has a hit, as a set.
local function used_channels(rows)
  local used = {}
  for _, channel in ipairs(rows.bench:channels()) do
    for _, row in ipairs(rows) do
      if rows.bench:evidence(row.index, channel, 1)[1] then
        used[channel] = true
        break
      end
    end
  end
  return used
end

local function all_used(channels, used)
  for _, channel in ipairs(channels) do
    if not used[channel] then return false end
  end
  return true
end

local function by_rule(rows, rule)
  local choose = #rule[3] > 1 and elected or first
  return answered(rows, function (row)
    return choose(top_hits(rows.bench, row.index, rule[3]))
  end)
end

local function depth_right(record)
  local depth = 0
  for level = 1, 4 do
    if record.score["l" .. level] then depth = level end
  end
  return depth
end

-- Which answers the top hit of a channel offers: its ECs one by one.
local function each_ec(rows, channel, use)
  for number = 1, 32 do
    local any = false
    local run = answered(rows, function (row)
      local hit = rows.bench:evidence(row.index, channel, 1)[1]
      any = any or hit and hit.ec[number] ~= nil
      return hit and hit.ec[number]
    end)
    if not any then return end
    use(run)
  end
end

-- Per item the record, of any channel's top hit, that is right deepest.
local function oracle(rows, used)
  local best = answered(rows, function () end)
  local function take(run)
    for i, record in ipairs(run) do
      if depth_right(record) > depth_right(best[i]) then best[i] = record end
    end
  end
  for _, channel in ipairs(rows.bench:channels()) do
    if used[channel] then each_ec(rows, channel, take) end
  end
  return best
end

-- Marks the records whose channel's top hit carries a label under any of its
-- ECs as `any`.
local function mark_any(run, rows, channel)
  each_ec(rows, channel, function (one)
    for i, record in ipairs(one) do
      run[i].any = run[i].any or record.score.l4
    end
  end)
end

-- The references for the items of `rows`, a scored run or a list like one: a
-- list of {key=, label=, run=}, those whose channels hold any hit.
function retrieval.of(rows)
  local list, used = {}, used_channels(rows)
  for _, rule in ipairs(retrieval.rules) do
    if all_used(rule[3], used) then
      local run = by_rule(rows, rule)
      if #rule[3] == 1 then mark_any(run, rows, rule[3][1]) end
      list[#list + 1] = { key = rule[1], label = rule[2], run = run }
    end
  end
  list[#list + 1] = { key = "oracle", label = "oracle best-channel",
                      run = oracle(rows, used), oracle = true }
  return list
end

return retrieval
