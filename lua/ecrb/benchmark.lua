-- Opening a benchmark folder: bench.json here, the tables in C.

local contents = require "ecrb.contents"
local core_bench = require "core.bench"
local core_text = require "core.text"
local fail = require "ecrb.fail"
local import = require "core.import"
local json = require "ecrb.json"
local shape = require "ecrb.shape"
local system = require "core.system"

local benchmark = {}

benchmark.bundled = system.self .. "/data/ecoli"

-- A folder by path, or a bundled benchmark by name.
local function folder_of(name)
  if not name then return benchmark.bundled end
  if system.kind(name) == "folder" then return name end
  local bundled = system.self .. "/data/" .. name
  local plain = not string.find(name, "/", 1, true)
  if plain and system.kind(bundled) == "folder" then return bundled end
  error("there is no benchmark `" .. name .. "`: give a folder, or `ecoli` for the bundled one", 0)
end

-- What is relied on; `ecrb bench check` looks at the rest.
local described = shape.object { seed = shape.whole(0, 2 ^ 53), name = shape.optional(shape.word) }

local function manifest_of(folder)
  local path = folder .. "/bench.json"
  local source, why = contents(path)
  if not source then
    fail("%s; a benchmark folder has a bench.json (`ecrb bench import` makes one)",
      system.exists(path) and why or path .. ": cannot be opened")
  end
  local manifest, message = json.decode(source)
  if not manifest then fail("%s: is no JSON object: %s", path, message) end
  local fault = shape.fault(described, manifest)
  if fault then
    fail("%s: %s; mend it, or `ecrb bench import` makes the folder again", path, fault)
  end
  manifest.seed = math.tointeger(manifest.seed)
  return manifest, core_text.sha256(source)
end

-- Opens a benchmark. Returns {name, folder, sha256, seed, core}; raises a
-- message that names the file.
function benchmark.open(name)
  local folder = folder_of(name)
  local manifest, sha256 = manifest_of(folder)
  return { name = manifest.name or string.match(folder, "([^/]+)/*$"), folder = folder,
           sha256 = sha256, seed = manifest.seed, manifest = manifest,
           core = core_bench.open(folder, manifest.seed) }
end

-- A hash over the tables that a run reads, as they are now: a benchmark that was
-- edited is another one, whatever its bench.json says.
function benchmark.contents(bench)
  local digests = {}
  for i, name in ipairs { "ec.tsv", "items.tsv", "labels.tsv", "evidence.tsv" } do
    local path = bench.folder .. "/" .. name
    digests[i] = name .. " " .. (system.exists(path) and import.sha256(path) or "-")
  end
  return core_text.sha256(table.concat(digests, "\n"))
end

-- The split names in the order in which they first stand, each with its count.
function benchmark.splits(bench)
  local names, counts = {}, {}
  for i = 1, #bench.core do
    local split = bench.core:item(i).split
    if not counts[split] then names[#names + 1] = split end
    counts[split] = (counts[split] or 0) + 1
  end
  return names, counts
end

local function wanted_splits(bench, list)
  local names, counts = benchmark.splits(bench)
  local wanted = {}
  for name in string.gmatch(list, "[^,]+") do
    if not counts[name] then
      error("the benchmark " .. bench.name .. " has no split `" .. name .. "`; it has "
        .. table.concat(names, ", "), 0)
    end
    wanted[name] = true
  end
  return wanted
end

-- The position of an item by name, accession or anonymized id.
function benchmark.index(bench, name)
  return bench.core:find(name) or fail("the benchmark %s has no item `%s`; name one as `price/3`, "
    .. "by its accession or by its anonymized id", bench.name, name)
end

local function named_items(bench, list)
  local chosen = {}
  for name in string.gmatch(list, "[^,]+") do
    chosen[#chosen + 1] = benchmark.index(bench, name)
  end
  table.sort(chosen)
  for i = #chosen, 2, -1 do
    if chosen[i] == chosen[i - 1] then table.remove(chosen, i) end
  end
  return chosen
end

-- `n` of the positions, drawn by a hash of seed and id, so that a larger draw
-- holds the smaller one.
local function drawn(bench, chosen, n, seed)
  local places = {}
  for i, index in ipairs(chosen) do
    places[i] = { index = index, hash = core_text.sha256(seed .. " " .. bench.core:item(index).id) }
  end
  table.sort(places, function (a, b) return a.hash < b.hash end)
  local kept = {}
  for i = 1, math.min(n, #places) do kept[i] = places[i].index end
  table.sort(kept)
  return kept
end

-- All positions, without a list of them: a benchmark may be large.
local function all_of(bench)
  local count = #bench.core
  return setmetatable({}, { __len = function () return count end,
    __index = function (_, i) return 1 <= i and i <= count and i or nil end })
end

-- The positions of the items that {split=, items=, visible=, limit=, sample=,
-- seed=} choose, in the order of the benchmark, to be read and not changed.
-- `limit` counts within each split.
function benchmark.select(bench, choice)
  if choice.items then return named_items(bench, choice.items) end
  local some = choice.split or choice.visible or choice.limit
  if not some and not choice.sample and #bench.core > 0 then return all_of(bench) end
  local wanted = choice.split and wanted_splits(bench, choice.split)
  local taken, chosen = {}, {}
  for i = 1, #bench.core do
    local item = bench.core:item(i)
    local fits = (not wanted or wanted[item.split]) and (not choice.visible or item.visible)
    if fits and (taken[item.split] or 0) < (choice.limit or math.huge) then
      taken[item.split] = (taken[item.split] or 0) + 1
      chosen[#chosen + 1] = i
    end
  end
  if #chosen == 0 then error("no item is chosen", 0) end
  return choice.sample and drawn(bench, chosen, choice.sample, choice.seed) or chosen
end

return benchmark
