-- `ecrb repl`: prompts and methods, tried by hand.

local numbers = require "ecrb.numbers"

local command = { summary = "interactive: look, change a prompt, ask, compare" }

function command.configure(p)
  p:argument("method", "method script or id (default: m1)"):args("?")
  p:option("--bench", "benchmark folder, or the name of a bundled one (default: ecoli)")
  p:option("--model", "a name of models.lua or PROVIDER/ID (`ecrb help models` lists them); "
    .. "without one the built-in reader answers")
  p:option("--base-url", "OpenAI-compatible endpoint (also OPENAI_BASE_URL)"):argname("URL")
  p:option("--key-env", "variable that holds the key"):argname("NAME")
  p:option("--max-calls", "calls of this session at most"):convert(numbers.whole(0)):argname("N")
  p:option("--max-tokens", "tokens of this session at most"):convert(numbers.whole(0)):argname("N")
  p:option("--max-cost", "cost of this session at most")
    :convert(numbers.within { least = 0 }):argname("MONEY")
  p:option("--runs", "folder for run folders"):default("runs"):argname("FOLDER")
  p:option("--exec", "do the lines of a file and leave"):argname("FILE")
end

-- What can be said inside.
function command.more_help()
  return "\nInside:\n" .. require("ecrb.repl.commands").list()
end

function command.run(args)
  return require("ecrb.repl.console").open(args):run()
end

return command
