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
