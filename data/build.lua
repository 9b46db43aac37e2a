-- Builds the bundled benchmark: lua5.4 data/build.lua [--genus DIR]
-- [--ncbi DIR] [--work DIR] [--out DIR]. Genus files of prokka in, EC
-- numbers brought up to date, test items drawn, blastp and phmmer run for
-- real, tables out. The same inputs and tool versions give the same bytes.

local here = string.match(arg[0], "^(.*)/[^/]*$") or "."
package.path = here .. "/lib/?.lua;" .. package.path

local difficulty = require "difficulty"
local draw = require "draw"
local ec = require "ec"
local files = require "files"
local genus = require "genus"
local nomenclature = require "nomenclature"
local search = require "search"
local sha256 = require "sha256"

local SEED = 1
local SOURCE, OTHER = "Escherichia", "Enterococcus"
local SPLITS = { "30", "30-50", "price", "promiscuous" }
local SHORTEST, LONGEST = 101, 1023 -- the lengths that CARE keeps
local VISIBLE = 5                   -- control items in each split
local NEAR_IDENTITY, NEAR_COVERAGE = 90, 80

local function options()
  local chosen = { ncbi = "/usr/share/ncbi/data", work = ".build/data",
    out = here .. "/ecoli" }
  for i = 1, #arg, 2 do
    local name = string.match(arg[i], "^%-%-(%a+)$")
    if not name or not arg[i + 1] then
      error("unknown argument " .. arg[i] .. "; the options are --genus DIR,"
        .. " --ncbi DIR, --work DIR, --out DIR", 0)
    end
    chosen[name] = arg[i + 1]
  end
  return chosen
end

local GENUS = "/usr/share/prokka/db/genus"

-- The folder of the genus files: named, installed, or unpacked from the
-- package, which need not be installed.
local function genus_folder(chosen)
  if chosen.genus then return chosen.genus end
  for _, folder in ipairs({ GENUS, chosen.work .. "/prokka" .. GENUS }) do
    local file = io.open(folder .. "/" .. SOURCE)
    if file then
      file:close()
      return folder
    end
  end
  local unpack = "cd %s && apt-get download prokka && dpkg -x prokka_*.deb prokka"
  files.run({ "sh", "-c", string.format(unpack, files.quoted(chosen.work)) })
  return chosen.work .. "/prokka" .. GENUS
end

-- {Every enzyme with one complete number that stands}, both genera.
local function labelled(folder, numbers)
  local enzymes, twins = {}, {}
  for _, name in ipairs({ SOURCE, OTHER }) do
    for _, record in ipairs(genus(folder .. "/" .. name)) do
      local number = numbers.current(record.ec)
      record.genus, record.ec = name, { number }
      twins[record.sequence] = (twins[record.sequence] or 0) + 1
      enzymes[#enzymes + 1] = record
    end
  end
  for _, enzyme in ipairs(enzymes) do
    enzyme.unique = twins[enzyme.sequence] == 1
  end
  return enzymes
end

local function sorted(list)
  table.sort(list, ec.before)
  return list
end

-- Gives the bifunctional enzymes their numbers from the table of facts.
local function mark_bifunctional(enzymes, numbers)
  local by_gene, marked = {}, {}
  for _, enzyme in ipairs(enzymes) do
    if enzyme.genus == SOURCE then by_gene[enzyme.gene] = enzyme end
  end
  for _, row in ipairs(files.rows(here .. "/bifunctional.tsv")) do
    local enzyme = assert(by_gene[row.gene], "no gene " .. row.gene)
    enzyme.ec = {}
    for number in string.gmatch(row.ec, "[^;]+") do
      assert(numbers.current(number) == number, row.gene .. ": " .. number)
      table.insert(enzyme.ec, number)
    end
    sorted(enzyme.ec)
    marked[#marked + 1] = enzyme
  end
  return marked
end

local function with_numbers(enzymes)
  local list, by_id = {}, {}
  for _, enzyme in ipairs(enzymes) do
    if #enzyme.ec > 0 then
      assert(not by_id[enzyme.id], enzyme.id .. " stands twice")
      list[#list + 1], by_id[enzyme.id] = enzyme, enzyme
    end
  end
  return { enzymes = list, by_id = by_id }
end

local function right_length(enzyme)
  return #enzyme.sequence >= SHORTEST and #enzyme.sequence <= LONGEST
end

-- Words that say that the label is a guess, or the number a complex's.
local DOUBT = { "putative", "predicted", "probable", "possible", "conserved",
  "homolog", "cryptic", "subunit", "component", "chain" }

local function established(enzyme)
  local product = string.lower(enzyme.product)
  for _, word in ipairs(DOUBT) do
    if string.find(product, word, 1, true) then return false end
  end
  return true
end

-- A name or an order out of the seed that nobody can read back.
local function digest(purpose, id)
  return sha256(string.format("%d:%s:%s", SEED, purpose, id))
end

local function shuffled(enzymes)
  local order, key = {}, {}
  for i, enzyme in ipairs(enzymes) do
    order[i], key[enzyme] = enzyme, digest("order", enzyme.id)
  end
  table.sort(order, function(a, b) return key[a] < key[b] end)
  return order
end

local BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"

-- A letter and eight base-32 digits: 40 bits of the digest.
local function anonymous(prefix, id)
  local bits, name = string.unpack(">I5", digest("name", id)), prefix
  for shift = 35, 0, -5 do
    local digit = (bits >> shift & 31) + 1
    name = name .. string.sub(BASE32, digit, digit)
  end
  return name
end

-- Fit to be shown: an id of EcoCyc that spells no enzyme.
local function opaque(id)
  return string.find(id, "^E?G%d+%-MONOMER$") ~= nil
end

-- The items in the order of the benchmark, named.
local function items_of(names)
  local items, visible = {}, {}
  for enzyme, split in pairs(names) do
    enzyme.split = split
    items[#items + 1] = enzyme
  end
  local rank = {}
  for i, split in ipairs(SPLITS) do rank[split], visible[split] = i, 0 end
  table.sort(items, function(a, b)
    if a.split ~= b.split then return rank[a.split] < rank[b.split] end
    return a.id < b.id
  end)
  for _, item in ipairs(shuffled(items)) do
    item.shown = anonymous("Q", item.id)
    if opaque(item.id) and visible[item.split] < VISIBLE then
      visible[item.split] = visible[item.split] + 1
      item.visible, item.shown = true, item.id
    end
  end
  return items
end

local function check_names(items, train)
  local seen = {}
  for _, list in ipairs({ items, train }) do
    for _, enzyme in ipairs(list) do
      assert(not seen[enzyme.shown], "two enzymes are shown as " .. enzyme.shown)
      seen[enzyme.shown] = true
    end
  end
end

local function write_items(out, items)
  local rows, labels = {}, {}
  for i, item in ipairs(items) do
    rows[i] = { item = item.id, split = item.split, shown = item.shown,
      flags = item.visible and "visible", sequence = item.sequence }
    rows[i].flags = rows[i].flags or nil
    labels[i] = { item = item.id, ec = table.concat(item.ec, ";") }
  end
  files.write_rows(out .. "/items.tsv",
    { "item", "split", "shown", "flags", "sequence" }, rows)
  files.write_rows(out .. "/labels.tsv", { "item", "ec" }, labels)
end

local function write_train(out, train)
  local rows = {}
  for i, enzyme in ipairs(train) do
    rows[i] = { enzyme = enzyme.id, shown = enzyme.shown,
      ec = table.concat(enzyme.ec, ";") }
  end
  files.write_rows(out .. "/train.tsv", { "enzyme", "shown", "ec" }, rows)
end

local function inner_names(leaves)
  local needed, rows = {}, {}
  for _, leaf in ipairs(leaves) do
    for level = 1, 3 do needed[ec.prefix(leaf, level)] = true end
  end
  for _, row in ipairs(files.rows(here .. "/ec_names.tsv")) do
    if needed[row.ec] then
      rows[#rows + 1] = { ec = row.ec, name = row.name, origin = "name" }
    end
  end
  return rows
end

local function write_tree(out, leaves, names)
  local rows = inner_names(leaves)
  for _, leaf in ipairs(leaves) do
    rows[#rows + 1] = { ec = leaf, name = names[leaf], origin = "list" }
  end
  files.write_rows(out .. "/ec.tsv", { "ec", "name", "origin" }, rows)
end

local function number(format, value)
  return value and string.format(format, value)
end

local function hit_row(item, channel, rank, hit, neighbour)
  return { item = item.id, channel = channel, rank = rank,
    neighbour = neighbour.id, shown = neighbour.shown,
    ec = table.concat(neighbour.ec, ";"),
    score = string.format("%.1f", hit.score), kind = "bits",
    identity = number("%.3f", hit.identity),
    coverage = number("%.1f", hit.coverage),
    evalue = string.format("%.2e", hit.evalue) }
end

local function write_evidence(out, items, channels, by_id)
  local rows = {}
  for _, item in ipairs(items) do
    for _, channel in ipairs(channels) do
      for rank, hit in ipairs(channel.hits[item.id]) do
        rows[#rows + 1] =
          hit_row(item, channel.name, rank, hit, by_id[hit.neighbour])
      end
    end
  end
  files.write_rows(out .. "/evidence.tsv", { "item", "channel", "rank",
    "neighbour", "shown", "ec", "score", "kind", "identity", "coverage",
    "evalue" }, rows)
  return #rows
end

local function write_decontamination(out, items, blast)
  local rows = {}
  for _, item in ipairs(items) do
    for _, hit in ipairs(blast.hits[item.id]) do
      if hit.identity >= NEAR_IDENTITY and hit.coverage >= NEAR_COVERAGE then
        rows[#rows + 1] = { item = item.id, neighbour = hit.neighbour,
          identity = number("%.3f", hit.identity),
          coverage = number("%.1f", hit.coverage),
          reason = "identity >= 90 over >= 80 of the query" }
      end
    end
  end
  files.write_rows(out .. "/decontamination.tsv",
    { "item", "neighbour", "identity", "coverage", "reason" }, rows)
end

local function write_difficulty(out, rows)
  files.write_rows(out .. "/difficulty.tsv", { "item", "h_split", "h_tail",
    "h_branch", "h_distr", "d", "bin", "homology", "homology_bin",
    "evidence_d" }, rows)
end

-- The hits that count as evidence, with what the neighbours carry.
local function evidence(items, hits, by_id)
  local kept = {}
  for _, item in ipairs(items) do
    kept[item.id] = search.cut(hits[item.id])
    for _, hit in ipairs(kept[item.id]) do hit.ec = by_id[hit.neighbour].ec end
  end
  return kept
end

local TABLES = { "ec.tsv", "items.tsv", "labels.tsv", "train.tsv",
  "evidence.tsv", "difficulty.tsv", "decontamination.tsv" }

local function json_lines(pairs_list, indent)
  local lines = {}
  for i, pair in ipairs(pairs_list) do
    local value = pair[2]
    if type(value) == "table" then
      value = "{\n" .. json_lines(value, indent .. "  ") .. "\n" .. indent .. "}"
    elseif type(value) == "string" then
      value = string.format("%q", value)
    end
    lines[i] = string.format('%s"%s": %s', indent, pair[1], value)
  end
  return table.concat(lines, ",\n")
end

local function counts(items, train, leaves, hits)
  local per_split = {}
  for i, split in ipairs(SPLITS) do
    local n = 0
    for _, item in ipairs(items) do
      if item.split == split then n = n + 1 end
    end
    per_split[i] = { split, n }
  end
  return { { "items", #items }, { "splits", per_split },
    { "leaves", #leaves }, { "training", #train }, { "hits", hits } }
end

local function write_manifest(out, folder, chosen, count)
  local versions, sums = search.versions(), {}
  for i, name in ipairs(TABLES) do
    sums[i] = { name, files.sha256(out .. "/" .. name) }
  end
  local inputs = {}
  for i, path in ipairs({ folder .. "/" .. SOURCE, folder .. "/" .. OTHER,
      chosen.ncbi .. "/ecnum_specific.txt", chosen.ncbi .. "/ecnum_replaced.txt",
      chosen.ncbi .. "/ecnum_deleted.txt" }) do
    inputs[i] = { string.match(path, "[^/]+$"), files.sha256(path) }
  end
  files.write(out .. "/bench.json", "{\n" .. json_lines({
    { "name", "ecoli" }, { "seed", SEED },
    { "source", "Escherichia and Enterococcus genus files of Debian's prokka"
      .. " 1.14.6, EC numbers of ncbi-data 6.1.20170106" },
    { "inputs", inputs }, { "counts", count },
    { "tools", { { "blastp", versions.blast }, { "phmmer", versions.hmmer } } },
    { "sha256", sums } }, "  ") .. "\n}\n")
end

local function leaves_of(names)
  local leaves = {}
  for leaf in pairs(names) do leaves[#leaves + 1] = leaf end
  return sorted(leaves)
end

-- Those from which the three single-label splits may pick.
local function pool_of(world, bifunctional)
  local reserved, pool = {}, {}
  for _, enzyme in ipairs(bifunctional) do reserved[enzyme] = true end
  for _, enzyme in ipairs(world.enzymes) do
    if enzyme.genus == SOURCE and not reserved[enzyme] and enzyme.unique
        and right_length(enzyme) and established(enzyme) then
      pool[#pool + 1] = enzyme
    end
  end
  return shuffled(pool)
end

local function main()
  local chosen = options()
  files.run({ "mkdir", "-p", chosen.work, chosen.out })
  local folder = genus_folder(chosen)
  local numbers = nomenclature(chosen.ncbi, here .. "/superseded.tsv")
  local enzymes = labelled(folder, numbers)
  local bifunctional = mark_bifunctional(enzymes, numbers)
  local world = with_numbers(enzymes)
  local pool = pool_of(world, bifunctional)
  local names, blast = draw.run(world, pool, bifunctional,
    function(queries, targets)
      return search.blast(chosen.work, queries, targets)
    end)
  local items = items_of(names)
  local _, train = draw.divide(world.enzymes, names)
  for _, enzyme in ipairs(train) do enzyme.shown = anonymous("T", enzyme.id) end
  check_names(items, train)
  local hmmer = search.hmmer(chosen.work, items, train)
  local channels = {
    { name = "blast", hits = evidence(items, blast, world.by_id) },
    { name = "hmmer", hits = evidence(items, hmmer, world.by_id) } }
  local leaves = leaves_of(numbers.names)
  write_tree(chosen.out, leaves, numbers.names)
  write_items(chosen.out, items)
  write_train(chosen.out, train)
  local hits = write_evidence(chosen.out, items, channels, world.by_id)
  write_difficulty(chosen.out, difficulty(items, leaves,
    draw.carriers(train, {}), channels))
  write_decontamination(chosen.out, items, channels[1])
  write_manifest(chosen.out, folder, chosen,
    counts(items, train, leaves, hits))
end

main()
