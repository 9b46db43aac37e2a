-- gather(args): the results of the shards of an annotation as one result, whose
-- rows stand in the order of the FASTA file. Returns the exit code. A result
-- comes into being whole, so whatever stands there is finished.

local counted = require "ecrb.counted"
local fail = require "ecrb.fail"
local lines_of = require "ecrb.lines"
local out = require "ecrb.out"
local parts = require "ecrb.annotate.parts"
local record = require "ecrb.record"
local rows = require "ecrb.annotate.rows"
local shard = require "ecrb.shard"
local system = require "core.system"
local task = require "ecrb.annotate.task"
local writer = require "ecrb.writer"

-- The paths of the shards' results; raises where some are missing.
local function paths_of(whole, of)
  local paths, missing = {}, {}
  for i = 1, of do
    paths[i] = shard.named(whole, { index = i, of = of })
    if not system.exists(paths[i]) then missing[#missing + 1] = tostring(i) end
  end
  if #missing > 0 then
    error({ code = "paused", message = string.format("%s: missing or unfinished are the shards %s "
      .. "of %d; run them with --shard, then gather again", whole, table.concat(missing, ", "),
      of) }, 0)
  end
  return paths
end

-- Lines of a shard's result, without the header, which must be the format's.
local function open_lines(path, format)
  local next_line = lines_of(path)
  if format.header ~= "" and (next_line() or "") .. "\n" ~= format.header then
    fail("%s: is no result of this format and version: its header is another one", path)
  end
  return next_line
end

-- Hands on the row of each sequence in the order of the file; returns how many
-- ended in a failure.
local function each_row(args, format, paths, take)
  local survey = task.survey(args.fasta)
  local number_of = parts.of(args.fasta, survey, #paths)
  local lines, failed = {}, 0
  for i, path in ipairs(paths) do lines[i] = open_lines(path, format) end
  parts.each_id(args.fasta, survey, function (id)
    local number = number_of(id)
    local line = lines[number]()
    local name, stop = format.read(line or "")
    if not line or name ~= format.name(id) then
      fail("%s: has no row of `%s` where it should be; was it made of this FASTA file?",
        paths[number], id)
    end
    if record.is_failure(stop) then failed = failed + 1 end
    take(line, "\n")
  end)
  for i, next_line in ipairs(lines) do
    if next_line() then fail("%s: has more rows than %s has sequences", paths[i], args.fasta) end
  end
  return failed
end

local function write(args, format, paths, path)
  local beside = string.format("%s.%d.new", path, system.pid()) -- nothing locks the result
  return writer.whole(path, function (file)
    file:write(format.header)
    return each_row(args, format, paths, function (...) file:write(...) end)
  end, beside)
end

return function (args)
  local format, path = rows.formats[args.format], task.places(args)
  if path == "-" then
    fail("--gather: name the result, whose shards stand beside it, with --out")
  end
  task.check_out(path, args.force)
  local failed = write(args, format, paths_of(path, args.gather), path)
  out.write(counted("%s: the rows of %d {shard|shards}\n", path, args.gather))
  return failed > 0 and 1 or 0
end
