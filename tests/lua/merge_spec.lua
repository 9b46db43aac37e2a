-- What `ecrb merge` makes of folders that are not as they should be. The shards
-- are made by hand over the bundled benchmark.

local benchmark = require "ecrb.benchmark"
local json = require "ecrb.json"
local made_run = dofile "tests/made_run.lua"
local merge = require "ecrb.merge"
local shard = require "ecrb.shard"
local system = require "core.system"

local function read(path)
  local file <close> = assert(io.open(path, "rb"))
  return file:read("a")
end

-- The cut of the price split in two, as shard i has it.
local function settings_of(i)
  local bench = benchmark.open()
  local chosen = benchmark.select(bench, { split = "price" })
  local _, settings = shard.of(bench, chosen, {}, { index = i, of = 2 })
  return { split = "price", shard = settings, items = json.null }
end

describe("merging", function ()
  local folder, whole

  before_each(function ()
    folder = system.temporary(os.getenv "TMP")
    whole = folder .. "/whole"
    made_run(folder .. "/a", { split = "price", limit = 5, settings = settings_of(1) })
  end)

  -- Changes the manifest of the shard.
  local function change(edit)
    local path = folder .. "/a/run.json"
    local manifest = assert(json.decode(read(path)))
    edit(manifest)
    system.write(path, json.pretty(manifest))
  end

  local function refused(message)
    local good, problem = pcall(merge.run, { folder .. "/a" }, whole, {})
    assert.is_false(good)
    local told = type(problem) == "table" and problem.message or problem
    assert.equal(message, (string.gsub(told, string.gsub(folder, "%p", "%%%0"), "DIR")))
    assert.is_false(system.exists(whole))
    assert.is_false(system.exists(whole .. ".new"))
  end

  it("takes a shard by hand", function ()
    local found = merge.run({ folder .. "/a" }, whole, {})
    assert.same({ 5, 36, 0, 2 }, { found.done, found.items, found.failed, found.of })
    assert.same({ merged = { 1 }, of = 2, items = 36, sha256 = settings_of(1).shard.sha256 },
      json.decode(read(whole .. "/run.json")).shards)
  end)

  it("takes one that was killed before it had a journal", function ()
    system.remove(folder .. "/a/items.jsonl")
    system.remove(folder .. "/a/calls.jsonl")
    assert.equal(0, merge.run({ folder .. "/a" }, whole, {}).done)
  end)

  it("refuses manifests that ecrb did not write", function ()
    local function bad(fault)
      refused("DIR/a/run.json: is no manifest of a shard (" .. fault .. ")")
    end
    change(function (m) m.sessions = { { shard = 1, status = "done" } } end)
    bad "`sessions[1].started` is no text"
    change(function (m) m.bench_folder = nil end)
    bad "`bench_folder` is no text"
    change(function (m) m.bench_folder, m.sessions = ".", {} end)
    change(function (m) m.settings.shard.index = 3 end)
    bad "`settings.shard.index` is no whole number from 1 to 2"
    change(function (m) m.settings.shard.index, m.settings.shard.sha256 = 1, nil end)
    bad "`settings.shard.sha256` is no text"
    change(function (m) m.settings.shard.of = 1 << 40 end)
    bad "`settings.shard.of` is no whole number from 1 to 36"
    change(function (m) m.settings.shard = nil end)
    refused("DIR/a: is no shard: it was run without --shard, so there is nothing to merge")
  end)

  it("refuses a merged run whose shards are none", function ()
    change(function (m) m.shards, m.settings.shard = m.settings.shard, nil
      m.shards.index, m.shards.merged = nil, { 3 } end)
    refused("DIR/a/run.json: is no manifest of a shard (`shards.merged[1]` is no whole number "
      .. "from 1 to 2)")
  end)

  it("refuses a choice that the benchmark does not give", function ()
    change(function (m) m.settings.shard.sha256 = "0" end)
    refused("DIR/a: its items are others than benchmark " .. benchmark.bundled
      .. " gives now; restore the benchmark, or name it with --bench")
  end)

  it("refuses records of other items, and what is no record", function ()
    local path = folder .. "/a/items.jsonl"
    local lines = read(path)
    system.write(path, lines .. '{"key":"P99999","calls":[]}\n')
    refused("DIR/a/items.jsonl: 1 record is of no item of this run")
    system.write(path, (string.gsub(lines, '"calls":%[%]', '"calls":7', 1)))
    local id = string.match(lines, '"key":"([^"]*)"')
    refused("DIR/a/items.jsonl: the record of item " .. id .. " is none that ecrb writes")
  end)
end)
