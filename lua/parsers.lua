-- The command line as data, out of its own parsers, for what is generated at
-- build time from them: the manual page and the shells' completions.

local commands = require "ecrb.commands"

local parsers = {}

local function sorted_words(parts)
  local list = {}
  for words in pairs(parts) do list[#list + 1] = words end
  table.sort(list)
  return list
end

-- Every command and its parts in order: {words=, title=, parser=, leaf=}, where
-- words is `care score` and a leaf has no parts of its own.
function parsers.all()
  local list = {}
  for _, name in ipairs(commands.names()) do
    local parser, title, parts = commands.parser(name, commands.load(name))
    list[#list + 1] = { words = name, title = title, parser = parser,
                        leaf = #parser._commands == 0 }
    for _, words in ipairs(sorted_words(parts)) do
      list[#list + 1] = { words = name .. " " .. words, title = title .. " " .. words,
                          parser = parts[words], leaf = #parts[words]._commands == 0 }
    end
  end
  return list
end

-- The names of an option, `-h, --help`, and what stands for its value, or nil.
function parsers.option(option)
  local value
  if option._maxargs > 0 then
    value = option._choices and table.concat(option._choices, "|") or option._argname
      or string.upper(string.gsub(option._aliases[1], "^%-+", ""))
    if type(value) == "table" then value = table.concat(value, " ") end
  end
  return option._aliases, value
end

return parsers
