-- What the README files show without running it: every command line of ecrb in a
-- block of sh is one that the command line takes, and every link leads somewhere.

local commands = require "ecrb.commands"
local contents = require "ecrb.contents"
local system = require "core.system"

local function readmes()
  local code, listed = system.run { "find", ".", "-name", "README.md", "-not", "-path",
                                    "./.build/*" }
  assert(code == 0, listed)
  local list = {}
  for path in string.gmatch(listed, "%./([^\n]+)") do list[#list + 1] = path end
  table.sort(list)
  return list
end

-- The words of a shell line up to a comment or the end of the command; quotes
-- keep blanks, what a variable holds is one word.
local function words_of(line)
  local words = {}
  for word in string.gmatch(line, "%S+") do
    if string.find(word, "^[#|;>)]") or string.find(word, "^2?>") then break end
    words[#words + 1] = (string.gsub(word, "[\"')]+", ""))
    if string.find(word, ";$") then break end
  end
  return words
end

-- The commands of ecrb in the blocks of sh of a page: {line=, words=} each.
local function shown(path)
  local list, inside, number, joined = {}, false, 0, ""
  for line in string.gmatch(assert(contents(path)), "([^\n]*)\n") do
    number = number + 1
    local fence = string.match(line, "^```(%w*)")
    if fence then inside = fence == "sh" end
    local text = joined .. line
    joined = string.match(text, "^(.*)\\$") or ""
    local from = inside and joined == "" and string.match(text, "%f[%w]ecrb (.*)")
    if from and not string.find(text, "^%S*make ") then
      list[#list + 1] = { line = number, words = words_of(from) }
    end
  end
  return list
end

-- How the command line takes the words: true, or false and why not.
local function taken(words)
  local name = words[1]
  local is_method = require "ecrb.shipped_methods".paths()[name] or string.find(name, "%.lua$")
  local command = is_method and "run" or name
  local parser, _, parts = commands.parser(command, commands.load(command))
  local rest = table.move(words, is_method and 1 or 2, #words, 1, {})
  for _, word in ipairs(rest) do
    if word == "--help" then return commands.part(parser, "", parts, rest) ~= nil end
  end
  return parser:pparse(rest)
end

describe("the pages", function ()
  for _, path in ipairs(readmes()) do
    for _, one in ipairs(shown(path)) do
      local line = table.concat(one.words, " ")
      it(string.format("%s:%d: ecrb %s", path, one.line, line), function ()
        local good, why = taken(one.words)
        assert.is_truthy(good, why)
      end)
    end

    it(path .. " links to what is there", function ()
      local folder = string.match(path, "^(.*/)") or ""
      for target in string.gmatch(assert(contents(path)), "%]%(([^)%s]+)%)") do
        local file = string.gsub(target, "#.*$", "")
        if file ~= "" and not string.find(file, "^%a+://") then
          assert.is_true(system.exists(folder .. file), target)
        end
      end
    end)
  end

  it("show commands", function ()
    assert.is_true(#shown "README.md" > 3 and #shown "data/README.md" > 3)
  end)
end)
