-- The search tools: what each is called, where it comes from, and its command
-- lines. Queries are named q1, q2, ... and targets t1, t2, ..., because every
-- tool has ideas of its own about ids (MMseqs2 takes `sp|X|Y` apart, HMMER cuts
-- at blanks).
--
--   package   the Debian package
--   channels  what it can be evidence for, its usual channel first
--   format, columns   of its output, for core.import
--   batch     queries a call: a tool that reads its database anew for every
--             call wants many, one that is slow for every query wants few
--   version   the command that tells it, and where in its output
--   database(files)         commands that make files.database out of
--                           files.targets; nil: it reads the FASTA file
--   search(files, limits)   commands that leave hits of files.queries in
--                           files.hits; all scratch is in files.folder
--
-- `limits` = {evalue =, neighbours =, threads =}. Only programs that do their
-- work in one process of their own stand here, so that ending it ends the work;
-- hence MMseqs2's single modules, in the order in which `easy-search` runs them.

local fail = require "ecrb.fail"
local near = require "ecrb.near"
local system = require "core.system"

local tools = {}

local function targets(limits)
  return tostring(limits.neighbours)
end

local function number(value)
  return string.format("%.14g", value)
end

-- At the limit itself tools lose hits that would pass it: they drop alignments
-- before their scores are adjusted to the composition, or by more digits than
-- they print. They are given BLAST's usual limit; the import applies the real one.
local function loose(limits)
  return number(math.max(10, limits.evalue))
end

local known = {}

known.blastp = {
  package = "ncbi-blast+", channels = { "blast" }, batch = 100,
  format = "tabular", columns = "qseqid sseqid pident qcovs evalue bitscore",
  version = { "blastp", "-version" }, pattern = "blastp: (%S+)",
  database = function (files)
    return { { "makeblastdb", "-in", files.targets, "-dbtype", "prot", "-out",
      files.database } }
  end,
  search = function (files, limits)
    return { { "blastp", "-query", files.queries, "-db", files.database,
      "-evalue", loose(limits), "-max_target_seqs", targets(limits),
      "-num_threads", tostring(limits.threads),
      "-outfmt", "6 qseqid sseqid pident qcovs evalue bitscore",
      "-out", files.hits } }
  end,
}

known.phmmer = {
  package = "hmmer", channels = { "hmmer" }, batch = 100, format = "hmmer",
  version = { "phmmer", "-h" }, pattern = "# HMMER (%S+)",
  search = function (files, limits)
    return { { "phmmer", "-E", loose(limits), "--noali",
      "--cpu", tostring(limits.threads), "-o", "/dev/null",
      "--domtblout", files.hits, files.queries, files.targets } }
  end,
}

known.diamond = {
  package = "diamond-aligner", channels = { "blast", "hmmer" }, batch = 20000,
  format = "tabular", columns = "qseqid sseqid pident qcovhsp evalue bitscore",
  version = { "diamond", "version" }, pattern = "version (%S+)",
  database = function (files)
    return { { "diamond", "makedb", "--in", files.targets, "--db",
      files.database, "--quiet" } }
  end,
  search = function (files, limits)
    return { { "diamond", "blastp", "--query", files.queries, "--db",
      files.database, "--very-sensitive", "--evalue", loose(limits),
      "--max-target-seqs", targets(limits), "--threads", tostring(limits.threads),
      "--outfmt", "6", "qseqid", "sseqid", "pident", "qcovhsp", "evalue", "bitscore",
      "--out", files.hits, "--tmpdir", files.folder, "--ignore-warnings", "--quiet" } }
  end,
}

known.mmseqs = {
  package = "mmseqs2", channels = { "blast", "hmmer" }, batch = 20000,
  format = "tabular", columns = "query target pident qcov evalue bits",
  version = { "mmseqs", "version" }, pattern = "(%S+)",
  database = function (files)
    return { { "mmseqs", "createdb", files.targets, files.database, "-v", "1" } }
  end,
  search = function (files, limits)
    local query, found, aligned = files.folder .. "/query", files.folder .. "/found",
      files.folder .. "/aligned"
    local all = { "--threads", tostring(limits.threads), "-v", "1" }
    local function module(...)
      return table.move(all, 1, #all, select("#", ...) + 2, { "mmseqs", ... })
    end
    return {
      { "mmseqs", "createdb", files.queries, query, "-v", "1" },
      module("prefilter", query, files.database, found, "-s", "7.5",
        "--max-seqs", tostring(math.max(300, 5 * limits.neighbours))),
      module("align", query, files.database, found, aligned, "--alignment-mode", "3",
        "-e", loose(limits)),
      module("convertalis", query, files.database, aligned, files.hits,
        "--format-output", "query,target,pident,qcov,evalue,bits"),
    }
  end,
}

for name, tool in pairs(known) do tool.name = name end

tools.known = known

-- The tool of a channel where the user names none.
tools.usual = { blast = "blastp", hmmer = "phmmer" }

local function serves(tool, channel)
  for _, name in ipairs(tool.channels) do
    if name == channel then return true end
  end
end

local function names_for(channel)
  local names = {}
  for name, tool in pairs(known) do
    if serves(tool, channel) then names[#names + 1] = name end
  end
  table.sort(names)
  return table.concat(names, ", ")
end

-- The tool called `name` (or the usual one) for a channel.
function tools.find(channel, name)
  if not tools.usual[channel] then
    fail("no tool is known for the channel `%s`%s", channel, near.hint(channel, tools.usual,
      "import its hits with `ecrb bench import`"))
  end
  name = name or tools.usual[channel]
  if not known[name] then
    fail("there is no search tool `%s`%s", name, near.hint(name, known,
      "for " .. channel .. ": " .. names_for(channel)))
  end
  if not serves(known[name], channel) then
    fail("%s is no tool for the channel `%s`; there are %s", name, channel,
      names_for(channel))
  end
  return known[name]
end

-- The version of an installed tool; where it is missing, the message says what
-- to install.
function tools.version(tool)
  local good, code, output = pcall(system.run, tool.version)
  if not good then
    fail("%s is not installed: Debian's package %s has it (apt-get install %s)",
      tool.version[1], tool.package, tool.package)
  end
  local version = string.match(output, tool.pattern)
  if code ~= 0 or not version then
    fail("`%s` does not tell its version (exit code %d): %s",
      table.concat(tool.version, " "), code, string.sub(output, 1, 200))
  end
  return version
end

return tools
