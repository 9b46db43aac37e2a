-- A run folder made by hand over the bundled benchmark, for tests of what reads
-- runs: made_run(folder, {bench=, split=, limit=, answer=, settings=, calls=,
-- pending=, version=}) -> the ids of its
-- items. answer(item, labels) returns the fields of a record that differ from
-- an answer with the first label.

local benchmark = require "ecrb.benchmark"
local core_ec = require "core.ec"
local json = require "ecrb.json"
local system = require "core.system"

local function settings(bench, choice)
  local made = {
    method = { id = "m1", title = "Hierarchical cascade", sha256 = "0" },
    book = "open", options = {}, prompts = {}, parameters = {}, seed = 1,
    bench = { name = bench.name, sha256 = bench.sha256 },
    model = { name = "reader", identity = "reader", kind = "reader" },
    split = choice.split or "all", hits = 10, oracle = false,
  }
  for name, value in pairs(choice.settings or {}) do made[name] = value end
  return made
end

local function record_of(item, labels, answer)
  local path = core_ec.path(labels[1])
  local record = {
    name = item.name, split = item.split, path = path, may_stop = true,
    confidences = { 0.9, 0.9, 0.9, 0.9 }, confidence = 0.9,
    outcome = "answered", channels = { "blast" }, turns = 2, calls = {},
    notes = {}, spans = {}, usage = { calls = 1, prompt = 100, completion = 20,
                                      reasoning = 0, unknown = 0 },
  }
  for name, value in pairs(answer(item, labels) or {}) do record[name] = value end
  for _, name in ipairs { "path", "channels", "calls", "notes", "spans" } do
    json.array(record[name])
  end
  return record
end

return function (folder, choice)
  local bench = benchmark.open(choice.bench)
  local lines, ids = {}, {}
  for _, index in ipairs(benchmark.select(bench, choice)) do
    local item = bench.core:item(index)
    local record = record_of(item, bench.core:reveal(index),
      choice.answer or function () end)
    ids[#ids + 1] = item.id
    lines[#lines + 1] = string.format('{"key":"%s",%s\n', item.id,
      string.sub(json.encode(record), 2))
  end
  system.mkdir(folder)
  system.write(folder .. "/items.jsonl", table.concat(lines))
  system.write(folder .. "/calls.jsonl", choice.calls or "")
  system.write(folder .. "/run.json", json.pretty {
    format = 1, settings = settings(bench, choice), items_total = #ids
      + (choice.pending or 0), bench_folder = bench.folder, complete = true,
    versions = { ecrb = choice.version or system.version, lua = _VERSION },
    sessions = json.array() })
  return ids
end
