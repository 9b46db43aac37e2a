-- Builds the bundled benchmark: lua5.4 data/build.lua [--genus DIR]
-- [--ncbi DIR] [--work DIR] [--out DIR]. Reads the genus files of Debian's
-- prokka and the EC list of its ncbi-data, draws the test items, runs blastp
-- and phmmer and writes the tables. The same inputs and the same versions of
-- the tools give the same bytes.

local here = string.match(arg[0], "^(.*)/[^/]*$") or "."
package.path = here .. "/lib/?.lua;" .. package.path

local difficulty = require "difficulty"
local draw = require "draw"
local ec = require "ec"
local files = require "files"
local items = require "items"
local manifest = require "manifest"
local nomenclature = require "nomenclature"
local search = require "search"
local seeded = require "seeded"
local tables = require "tables"
local world = require "world"

local SOURCE = "Escherichia and Enterococcus genus files of Debian's prokka"
  .. " 1.14.6, EC numbers of its ncbi-data 6.1.20170106"
local GENUS = "/usr/share/prokka/db/genus"
local LISTS = { "ecnum_specific.txt", "ecnum_replaced.txt",
  "ecnum_deleted.txt" }

local function options()
  local chosen = { genus = "", ncbi = "/usr/share/ncbi/data",
    work = ".build/data", out = here .. "/ecoli" }
  for i = 1, #arg, 2 do
    local name = string.match(arg[i], "^%-%-(%a+)$")
    if not chosen[name] or not arg[i + 1] then
      error("what is `" .. arg[i] .. "`? The options are"
        .. " --genus DIR, --ncbi DIR, --work DIR and --out DIR", 0)
    end
    chosen[name] = arg[i + 1]
  end
  return chosen
end

local function readable(path)
  local file = io.open(path)
  return file and file:close()
end

local function unpack_prokka(folder)
  local done = pcall(files.run, { "sh", "-c", "cd " .. files.quoted(folder)
    .. " && apt-get -q download prokka && dpkg -x prokka_*.deb prokka" })
  if not done then
    error("Debian's package prokka cannot be fetched and unpacked; name a copy"
      .. " of its db/genus folder with --genus DIR", 0)
  end
end

-- The folder of the genus files: named, installed, or unpacked from the
-- package without installing it.
local function genus_folder(chosen)
  if chosen.genus ~= "" then return chosen.genus end
  if readable(GENUS .. "/" .. world.source) then return GENUS end
  local unpacked = chosen.work .. "/prokka" .. GENUS
  if not readable(unpacked .. "/" .. world.source) then
    unpack_prokka(chosen.work)
  end
  return unpacked
end

-- Each split has an order of its own, so that none runs before another.
local function drawn(w, folder)
  local orders = {}
  for _, split in ipairs(items.splits) do
    orders[split] = seeded.shuffled(w.pool, split)
  end
  return draw.run(w, orders, function (queries, targets)
    return search.blast(folder, queries, targets)
  end)
end

-- The hits that count as evidence, with what the neighbours carry.
local function channel(name, list, hits, by_id)
  local kept = {}
  for _, item in ipairs(list) do
    kept[item.id] = search.cut(hits[item.id])
    for _, hit in ipairs(kept[item.id]) do hit.ec = by_id[hit.neighbour].ec end
  end
  return { name = name, hits = kept }
end

local function leaves_of(names)
  local leaves = {}
  for leaf in pairs(names) do leaves[#leaves + 1] = leaf end
  table.sort(leaves, ec.before)
  return leaves
end

local function counts(list, train, leaves, hits)
  local per_split, n = {}, {}
  for _, item in ipairs(list) do n[item.split] = (n[item.split] or 0) + 1 end
  for i, split in ipairs(items.splits) do per_split[i] = { split, n[split] } end
  return { { "items", #list }, { "splits", per_split },
    { "leaves", #leaves }, { "training", #train }, { "hits", hits } }
end

local function inputs(chosen, folder)
  local paths = { folder .. "/" .. world.source, folder .. "/" .. world.other }
  for _, name in ipairs(LISTS) do
    paths[#paths + 1] = chosen.ncbi .. "/" .. name
  end
  return paths
end

local function main()
  local chosen = options()
  files.run({ "mkdir", "-p", chosen.work, chosen.out })
  local folder, out = genus_folder(chosen), chosen.out
  local numbers = nomenclature(chosen.ncbi, here .. "/superseded.tsv")
  local w = world.read(folder, here, numbers)
  local names, blast = drawn(w, chosen.work)
  local _, train = draw.divide(w.enzymes, names)
  local list = items.of(names, train)
  local hmmer = search.hmmer(chosen.work, list, train)
  local channels = { channel("blast", list, blast, w.by_id),
    channel("hmmer", list, hmmer, w.by_id) }
  local leaves = leaves_of(numbers.names)
  tables.tree(out, leaves, numbers.names, files.rows(here .. "/ec_names.tsv"))
  tables.items(out, list)
  tables.train(out, train)
  local hits = tables.evidence(out, list, channels, w.by_id)
  tables.difficulty(out, difficulty(list, leaves, draw.carriers(train, {}),
    channels))
  tables.decontamination(out, list, channels[1].hits)
  tables.superseded(out, numbers.gone)
  manifest(out, { name = "ecoli", seed = seeded.seed, source = SOURCE,
    inputs = inputs(chosen, folder), tools = search.versions(),
    counts = counts(list, train, leaves, hits) })
end

local done, reason = pcall(main)
if not done then
  io.stderr:write("data/build.lua: ", reason, "\n")
  os.exit(1)
end
