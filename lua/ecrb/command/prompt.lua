-- `ecrb prompt METHOD ITEM`: exactly what a model would get, and how long it is.

local benchmark = require "ecrb.benchmark"
local core_text = require "core.text"
local json = require "ecrb.json"
local out = require "ecrb.out"
local rehearsal = require "ecrb.rehearsal"
local run = require "ecrb.run"
local run_options = require "ecrb.run_options"
local setting = require "ecrb.setting"
local tokens = require "ecrb.tokens"

local command = { summary = "what a model would get for one item" }

function command.configure(p)
  p:argument("method", "method script or id")
  p:argument("item", "an item: price/3, or its accession")
  run_options.bench(p)
  run_options.request(p, true)
  run_options.offer(p)
  p:mutex(p:flag("--open", "open book"), p:flag("--closed", "closed book"))
  p:flag("--json", "the whole request body, as it would be sent")
end

local function write_messages(body)
  for _, message in ipairs(body.messages) do
    out.write("[", message.role, "]\n", core_text.printable(message.content), "\n\n")
  end
  out.write(string.format("about %d tokens (estimate)\n", tokens.of_messages(body.messages)))
end

function command.run(args)
  local book = args.open and "open" or args.closed and "closed" or nil
  local spec = setting.specification(args, setting.of(args, args.method, book))
  local index = benchmark.index(spec.benchmark, args.item)
  if not spec.method.model then
    error(spec.method.path .. ": this method asks no model, so there is no prompt", 0)
  end
  run.method_settings(spec) -- refuses a template that cannot be used, as a run does
  local body = rehearsal.first_request(spec, index)
  if not body then error("the method asked nothing about this item", 0) end
  if args.json then out.write(json.pretty(body)) else write_messages(body) end
  return 0
end

return command
