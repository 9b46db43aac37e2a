-- Several runs of one setting that differ in their seeds. Every run has the same
-- items, so a score is the sum of what the item, the run and neither explain; the
-- variance of the mean over runs r and items i is
--
--     items / n + runs / r + rest / (n r)
--
-- A bootstrap over the items' means estimates the first and the last part together.
-- What is taken from the runs is the mean square of their means, which estimates the
-- second and the last (two-way analysis of variance), and never goes below nothing.

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

-- How several runs scatter, from a column of scores for each: {between=, the mean
-- square of their means, rest=, what it holds of chance, free=, its degrees of
-- freedom}, both as parts of the variance of the mean. Nil for a single run.
function seeds.scatter(columns)
  local r, n = #columns, #columns[1]
  if r == 1 or n == 1 then return nil end
  local means = {}
  for i, column in ipairs(columns) do means[i] = mean(column) end
  local centre, chances = mean(means), (n - 1) * (r - 1)
  return { between = squares(means, centre) / (r - 1) / r, free = r - 1,
           rest = rest_of(columns, means, centre) / chances / n / r }
end

-- The variance of a mean over n items and over the runs of scattered arms, and
-- Satterthwaite's degrees of freedom: `items` is the variance over the items, of which
-- the rest is not counted twice. The runs' mean square stays in the degrees of freedom
-- where it happens to be small: leaving it out then is what makes intervals short.
-- No degrees of freedom where no arm scatters.
function seeds.combined(items, n, scatters)
  local between, rest, below = 0, 0, 0
  for _, scatter in ipairs(scatters) do
    between, rest = between + scatter.between, rest + scatter.rest
    below = below + scatter.between ^ 2 / scatter.free
  end
  if between == 0 then return items, nil end
  local own = math.max(0, items - rest)
  return math.max(items, own + between),
    (own + between) ^ 2 / (own ^ 2 / (n - 1) + below)
end

return seeds
