-- `ecrb ablate METHOD A B ...`: variants of a wording on the same items, then
-- their paired differences to the first.

local commands = require "ecrb.commands"
local execute = require "ecrb.execute"
local numbers = require "ecrb.numbers"
local run_options = require "ecrb.run_options"
local setting = require "ecrb.setting"
local variants = require "ecrb.variants"

local command = { summary = "variants of a prompt on the same items, compared in pairs" }

function command.configure(p)
  p:argument("method", "method script or id")
  p:argument("variants", "`saved` (the shipped wording) or a name that `:save` of `ecrb repl` gave")
    :args("+"):argname("VARIANT")
  run_options.all(p)
  p:option("--n", "items, drawn by the seed, the same for all variants"):default("50")
    :convert(numbers.whole(1)):argname("N")
  commands.load("compare").margin_option(p)
end

-- The settings of the variants; `load` gives a variant by name.
local function settings_of(args, load)
  local settings = {}
  for i, name in ipairs(args.variants) do
    local variant = load(name)
    local given = setting.given(args)
    for option, value in pairs(variant.options) do given[option] = given[option] or value end
    settings[i] = setting.of(args, args.method, variant.book, given)
    settings[i].replaced = variant.replaced
  end
  return settings
end

local function compared(args)
  return function (folders)
    local compare = commands.load("compare")
    local words = table.move(folders, 1, #folders, 1, {})
    table.move({ "--common", "--margin", tostring(args.margin) }, 1, 3, #words + 1, words)
    local good, parsed = commands.parser("compare", compare):pparse(words)
    if not good then error(parsed, 0) end
    parsed.names = args.variants
    compare.run(parsed)
    return ""
  end
end

-- Runs and compares; `load(name)` may know more names than the saved ones.
function command.execute(args, load)
  args.sample = args.n
  return execute.settings(args, settings_of(args, load), compared(args))
end

function command.run(args)
  if #args.variants < 2 then
    error("one variant alone compares with nothing; name another: `ecrb ablate "
      .. args.method .. " saved VARIANT`", 0)
  end
  local names = setting.prompt_names(args.method)
  return command.execute(args, function (name) return variants.load(name, names) end)
end

return command
