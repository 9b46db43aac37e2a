-- Which channels are searched with which tools, within which limits: the
-- options that every command with a search has.

local fail = require "ecrb.fail"
local near = require "ecrb.near"
local numbers = require "ecrb.numbers"
local system = require "core.system"
local tools = require "ecrb.search.tools"

local plan = {}

function plan.options(p)
  p:option("--channels", "channels to search, separated by commas"):argname("LIST")
    :default("blast,hmmer")
  p:option("--tool", "another tool for a channel, blast=diamond or hmmer=mmseqs; may be "
    .. "repeated"):count("*")
    :argname("CHANNEL=TOOL")
  p:option("--evalue", "largest E-value of a hit"):argname("E")
    :convert(numbers.within { above = 0 }):default("1e-3")
  p:option("--neighbours", "most neighbours a query and channel"):argname("N")
    :convert(numbers.whole(1)):default("10")
  p:option("--threads", "processors to use (default: all)"):argname("N"):convert(numbers.whole(1))
  p:option("--batch", "queries that are searched at once, as many as a kill loses at most "
    .. "(default: as the tools like it)"):argname("N"):convert(numbers.whole(1))
  p:flag("--quiet", "no progress line")
end

local function chosen_tools(list)
  local chosen = {}
  for _, word in ipairs(list or {}) do
    local channel, tool = string.match(word, "^([%w_]+)=([%w_]+)$")
    if not channel then fail("--tool %s: write CHANNEL=TOOL, as in blast=diamond", word) end
    chosen[channel] = tool
  end
  return chosen
end

-- Names between commas, each once.
function plan.names(words)
  local names, seen = {}, {}
  for name in string.gmatch(words, "[^,%s]+") do
    if seen[name] then fail("--channels: `%s` stands twice", name) end
    names[#names + 1], seen[name] = name, true
  end
  if #names == 0 then fail("--channels: name at least one") end
  return names, seen
end

-- {channels = {{channel =, tool =, version =}...}, named = set of all channels,
-- limits =, batch =} out of the options; `besides` are channels that no tool is
-- run for.
function plan.of(args, besides)
  local names, named = plan.names(args.channels)
  local chosen = chosen_tools(args.tool)
  for channel in pairs(chosen) do
    if not named[channel] then
      fail("--tool %s=...: the channel is not among --channels%s", channel,
        near.hint(channel, names))
    end
  end
  local self = { channels = {}, named = named, limits = { evalue = args.evalue,
    neighbours = args.neighbours, threads = args.threads or system.cpus() } }
  for _, channel in ipairs(names) do
    if not (besides and besides[channel]) then
      local tool = tools.find(channel, chosen[channel])
      self.channels[#self.channels + 1] = { channel = channel, tool = tool,
        version = tools.version(tool) }
      self.batch = math.min(self.batch or math.huge, tool.batch)
    end
  end
  self.batch = args.batch or self.batch
  return self
end

-- A command line as it is recorded.
local function line_of(argv)
  local words = {}
  for i, word in ipairs(argv) do
    words[i] = string.find(word, " ", 1, true) and '"' .. word .. '"' or word
  end
  return table.concat(words, " ")
end

-- What bench.json says of a channel that was searched; words in capitals stand
-- for the places of the machine.
function plan.record(entry, limits)
  local files = { queries = "QUERIES", targets = "TARGETS", database = "DATABASE",
    hits = "HITS", folder = "FOLDER" }
  local commands = {}
  for _, list in ipairs { entry.tool.database and entry.tool.database(files) or {},
      entry.tool.search(files, limits) } do
    for _, argv in ipairs(list) do commands[#commands + 1] = line_of(argv) end
  end
  return { channel = entry.channel, tool = entry.tool.name, version = entry.version,
    commands = commands, format = entry.tool.format, columns = entry.tool.columns,
    limits = { evalue = limits.evalue, neighbours = limits.neighbours } }
end

return plan
