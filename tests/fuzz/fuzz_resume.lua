-- Any bytes as one of the three files of a run's folder; the rest of it is good.
-- Whoever goes on with the run, replays it, or merges it as a shard refuses it in a
-- sentence, or does. The first byte chooses the file and what is done.

local commands = require "ecrb.commands"
local input = dofile "tests/fuzz/input.lua"
local system = require "core.system"

local names = { "items.jsonl", "calls.jsonl", "run.json" }

local bench, run = input.folder "bench", input.folder "run-1of2"
local other = input.folder "other"
for name, text in pairs {
  ["bench.json"] = '{"seed":1,"name":"tiny"}\n',
  ["ec.tsv"] = "ec\tname\torigin\n1.1.1.1\tx\tlist\n1.1.1.2\t-\tlist\n",
  ["items.tsv"] = "item\tsplit\tshown\tflags\tsequence\nP1\t30\te1\t-\tMK\nP2\t30\te2\t-\tMKV\n",
  ["evidence.tsv"] = "item\tchannel\trank\tneighbour\tshown\tec\tscore\tkind\t"
    .. "identity\tcoverage\tevalue\n",
  ["labels.tsv"] = "item\tec\nP1\t1.1.1.1\nP2\t1.1.1.2\n",
} do
  input.file(text, "bench/" .. name)
end

require "ecrb.out".write = function () end
require "ecrb.ending".say = function () end

-- What the command line does with these words.
local function runner(name, words)
  local command = commands.load(name)
  local parser = commands.parser(name, command)
  return function () return command.run(parser:parse(words)) end
end

local function b0(...)
  return runner("run", { "b0", "--closed", "--bench", bench, "--quiet", ... })
end

local shard = { "--shard", "1/2", "--out", (string.gsub(run, "-1of2$", "")) }
local resume, replay = b0(table.unpack(shard)), b0("--out", other, "--replay", run)
local merge = runner("merge", { run, "-o", other, "--bench", bench })
system.remove(run)
resume()

local good = {}
for _, name in ipairs(names) do
  local file <close> = assert(io.open(run .. "/" .. name, "rb"))
  good[name] = file:read("a")
end

-- The files as they were, but for one.
local function lay_out(changed, text)
  for _, name in ipairs(names) do
    input.file(name == changed and text or good[name], "run-1of2/" .. name)
  end
  system.remove(other)
end

local uses = { resume, replay, merge }

return function (bytes)
  local choice, text = input.choice(bytes, #names * #uses)
  lay_out(names[(choice - 1) % #names + 1], text)
  input.refusable(uses[(choice - 1) // #names + 1])
end
