-- `ecrb bench import SOURCE ...`: a benchmark out of other people's files.

local build = require "ecrb.import.build"
local options = require "ecrb.import.options"
local out = require "ecrb.out"

local action = { summary = "build a benchmark out of published or own files" }

local sources = {
  { name = "care", title = "CARE, task 1",
    summary = "CARE's task 1, from a copy of its repository" },
  { name = "care-task2", title = "CARE, task 2",
    summary = "CARE's task 2, reactions, from a copy of its repository" },
  { name = "table", title = "own table",
    summary = "Anyone's enzymes, from a table of labels and a FASTA file" },
  { name = "uniprot", title = "UniProt",
    summary = "UniProt, from a flat file or a tab-separated download" },
}

local function reader(source)
  return require("ecrb.import." .. string.gsub(source.name, "%-", "_"))
end

function action.configure(p)
  local parts = {}
  p:require_command(true):command_target("source")
  for _, source in ipairs(sources) do
    local part = p:command(source.name, source.summary .. ".")
    part:usage_max_width(80):help_max_width(80)
    reader(source).configure(part)
    options(part)
    parts[source.name] = part
  end
  return parts
end

local columns = [[

Evidence is FILE, plain or gzip'ed, or FILE:COLUMNS where its columns are not the
usual ones and it does not name them itself (outfmt 7 and header lines do). COLUMNS
are all of its columns in order, in the tool's words, between blanks or commas:
   --blast 'hits.tsv:qseqid sseqid pident length evalue bitscore qcovs'
Read are:
   the query        qseqid, qacc, query
   the neighbour    sseqid, sacc, target
   the score        bitscore, bits, or the column that is marked with `*`
   identity         pident in percent, fident as a fraction
   query coverage   qcovs or qcovhsp in percent, qcov as a fraction, or what qstart,
                    qend and qlen say
   the E-value      evalue
Usual are the twelve columns of outfmt 6 (--blast), `query target cosine*`
(--esm-knn), and those of easy-search (--structure, --mmseqs): `query target fident
alnlen mismatch gapopen qstart qend tstart tend evalue bits`. In TMalign's mode
Foldseek's column of E-values holds TM-scores: declare it as alntmscore*.
]]

-- For the imports themselves.
function action.more_help(words)
  for _, source in ipairs(sources) do
    if words[2] == source.name then return columns end
  end
  return ""
end

function action.run(args)
  for _, source in ipairs(sources) do
    if source.name == args.source then
      local report = build.run(args, source.title, reader(source).read)
      for _, line in ipairs(report:text()) do out.write(line, "\n") end
    end
  end
  return 0
end

return action
