-- Any bytes as one of the three files of a run's folder, which the first byte
-- chooses; the rest of it is good. Whoever looks at the run refuses it in a
-- sentence, or tells of it.

local input = dofile "tests/fuzz/input.lua"
local json = require "ecrb.json"

local names = { "items.jsonl", "calls.jsonl", "run.json" }

local bench, run = input.folder "bench", input.folder "run"
for name, text in pairs {
  ["bench.json"] = '{"seed":1,"name":"tiny"}\n',
  ["ec.tsv"] = "ec\tname\torigin\n1.1.1.1\tx\tlist\n1.1.1.2\t-\tlist\n",
  ["items.tsv"] = "item\tsplit\tshown\tflags\tsequence\nP1\t30\te1\t-\tMK\nP2\t30\te2\t-\tMKV\n",
  ["labels.tsv"] = "item\tec\nP1\t1.1.1.1\nP2\t1.1.1.2\n",
} do
  input.file(text, "bench/" .. name)
end

local record = {
  name = "30/1", split = "30", path = { "1.-.-.-", "1.1.-.-", "1.1.1.-", "1.1.1.1" },
  may_stop = true, confidences = { 0.9, 0.8, 0.7, 0.6 }, confidence = 0.6,
  outcome = "answered", channels = { "blast" }, turns = 1, calls = { "c1" },
  notes = { { name = "note", value = "why" } }, others = { "1.1.1.2" },
  spans = { { key = "c1", what = "choice", first = 1, last = 3 } }, share = 0.5,
  usage = { calls = 1, prompt = 100, completion = 20, reasoning = 0, unknown = 0 },
}

local call = {
  item = "P1", sample = "", ordinal = 1, step = "l1", status = 200, attempts = {},
  request = { messages = { { role = "user", content = "Which?" } } },
  raw = '{"choices":[{"finish_reason":"stop","message":{"content":"ANSWER: 1"}}]}',
}

local function line(key, value)
  return string.format('{"key":"%s",%s\n', key, string.sub(json.encode(value), 2))
end

local good = {
  ["items.jsonl"] = line("P1", record), ["calls.jsonl"] = line("c1", call),
  ["run.json"] = json.pretty {
    format = 1, items_total = 1, bench_folder = "bench", sessions = json.array(),
    settings = {
      method = { id = "m1", title = "Cascade", sha256 = "0" }, book = "open",
      options = {}, prompts = {}, parameters = {}, seed = 1, split = "all", hits = 10,
      oracle = false, model = { name = "reader", identity = "reader", kind = "reader" },
      bench = { name = "tiny",
                sha256 = require "ecrb.benchmark".open(bench).sha256 } } },
}

require "ecrb.out".write = function () end

local show, score = require "ecrb.command.show", require "ecrb.command.score"
local options = { partial = true, ece_target = "leaf", ece_edges = "right", replicates = 2,
                  seed = 1, bench = bench, by = "all", losses = true, json = false }

local function look(overlay)
  for name, value in pairs(options) do overlay[name] = value end
  input.refusable(score.run, overlay)
  collectgarbage("restart") -- the command, which ends with this, stops it
end

local function describe_page()
  local open = require "ecrb.report.board".open({ run }, options)
  if not open then return end
  require "ecrb.report.paper".tables(open)
  require "ecrb.report.page".details(open, false)
end

return function (bytes)
  local place, text = input.choice(bytes, #names)
  for _, name in ipairs(names) do input.file(good[name], "run/" .. name) end
  input.file(text, "run/" .. names[place])
  input.refusable(show.run, { run = run, item = "P1", labels = true, bench = bench })
  look { runs = { run } }
  options.json = not options.json
  input.refusable(describe_page)
end
