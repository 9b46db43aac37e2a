-- `:ablate`: the command `ablate` with the session's method, benchmark, model
-- and options; the variant `now` is what the session has edited.

local commands = require "ecrb.commands"
local variants = require "ecrb.variants"

local function words_of(session, rest)
  local words = { session.method.path }
  for word in string.gmatch(rest, "%S+") do words[#words + 1] = word end
  local function add(...)
    for _, word in ipairs { ... } do words[#words + 1] = word end
  end
  add("--bench", session.benchmark.folder, "--runs", session.folder)
  if session.args.model then add("--model", session.args.model) end
  if session.args.base_url then add("--base-url", session.args.base_url) end
  for name, value in pairs(session.given) do add("--set", name .. "=" .. value) end
  return words
end

return function (console, rest)
  local session = console.session
  local ablate = commands.load("ablate")
  local good, args = commands.parser("ablate", ablate):pparse(words_of(session, rest))
  if not good then error(args, 0) end
  local names = session.method:prompt_names()
  ablate.execute(args, function (name)
    if name ~= "now" then return variants.load(name, names) end
    return { replaced = session.edits, options = session.given, book = session.book }
  end)
end
