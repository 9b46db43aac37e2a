-- Several runs of one setting that differ in their seeds. Every run has the same
-- items, so a score is the sum of what the item, the run and neither explain; the
-- variance of the mean over runs r and items i is
--
--     items / n + runs / r + rest / (n r)
--
-- A bootstrap over the items' means estimates the first and the last part. What
-- is added to it here is the second: the variance of the runs' means, less what
-- the rest contributes to it (two-way analysis of variance).

local fail = require "ecrb.fail"
local json = require "ecrb.json"

local seeds = {}

-- What must agree in the settings of runs that are one setting.
local same = { "method", "book", "model", "options", "parameters", "prompts",
               "candidates", "hits", "oracle" }

local function plain(folder)
  return (string.gsub(string.gsub(folder, "/+$", ""), "^%./", ""))
end

-- Refuses runs that are not several seeds of one setting.
function seeds.check(runs)
  local first, met = runs[1], {}
  for _, run in ipairs(runs) do
    local folder = plain(run.folder)
    if met[folder] then
      fail("%s stands twice in one arm: its scores would count as two runs",
        run.folder)
    end
    met[folder] = true
    for _, name in ipairs(same) do
      if json.encode(run.settings[name]) ~= json.encode(first.settings[name]) then
        fail("%s and %s are not runs of one setting: they differ in `%s`; what "
          .. "commas join differs in the seed alone", first.folder, run.folder,
          name)
      end
    end
  end
end

local function mean(column)
  local sum = 0
  for _, value in ipairs(column) do sum = sum + value end
  return sum / #column
end

local function squares(column, centre)
  local sum = 0
  for _, value in ipairs(column) do sum = sum + (value - centre) ^ 2 end
  return sum
end

-- What neither item nor run explains, squared and summed.
local function rest_of(columns, means, centre)
  local sum = 0
  for i = 1, #columns[1] do
    local own = 0
    for _, column in ipairs(columns) do own = own + column[i] / #columns end
    for r, column in ipairs(columns) do
      sum = sum + (column[i] - own - means[r] + centre) ^ 2
    end
  end
  return sum
end

-- The variance that the choice of seeds adds to the mean of several runs, from a
-- column of scores for each, and the mean squares that it is made of, {mean
-- square, degrees of freedom} each; 0 for a single run, of which nothing is known.
function seeds.variance(columns)
  local r, n = #columns, #columns[1]
  if r == 1 or n == 1 then return 0, {} end
  local means = {}
  for i, column in ipairs(columns) do means[i] = mean(column) end
  local centre, free = mean(means), (n - 1) * (r - 1)
  local runs = squares(means, centre) / (r - 1) / r
  local rest = rest_of(columns, means, centre) / free / n / r
  if runs <= rest then return 0, {} end
  return runs - rest, { { runs, r - 1 }, { rest, free } }
end

-- Satterthwaite's degrees of freedom of a variance made of mean squares.
function seeds.degrees(variance, parts)
  local below = 0
  for _, part in ipairs(parts) do below = below + part[1] ^ 2 / part[2] end
  return variance ^ 2 / below
end

return seeds
