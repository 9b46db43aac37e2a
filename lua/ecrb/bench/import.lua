-- `ecrb bench import SOURCE ...`: a benchmark out of other people's files.

local build = require "ecrb.import.build"
local options = require "ecrb.import.options"
local out = require "ecrb.out"

local action = { summary = "Builds a benchmark out of published or own files" }

local sources = {}

sources.care = {
  summary = "CARE's task 1, from a copy of its repository",
  source = "CARE, task 1",
  configure = function (p)
    p:argument("dir", "Folder with CARE's `processed_data` and `splits`.")
      :argname("DIR")
  end,
  read = function (state)
    require("ecrb.import.care").read(state, state.args.dir)
  end,
}

local order = { "care" }

function action.configure(p)
  local parts = {}
  p:require_command(true):command_target("source")
  for _, name in ipairs(order) do
    local part = p:command(name, sources[name].summary .. ".")
    part:usage_max_width(80):help_max_width(80)
    sources[name].configure(part)
    options(part)
    parts[name] = part
  end
  return parts
end

function action.run(args)
  local source = sources[args.source]
  local report = build.run(args, source.source, source.read)
  for _, line in ipairs(report:text()) do out.write(line, "\n") end
  return 0
end

return action
