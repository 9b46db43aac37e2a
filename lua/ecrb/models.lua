-- The registry: from `--model NAME`, `--base-url URL` or nothing at all to a model,
-- out of the user's entries (models_file.lua) and the providers that ecrb knows
-- (shipped_models.lua).
local address = require "ecrb.wire.address"
local fail = require "ecrb.fail"
local model = require "ecrb.model"
local models_file = require "ecrb.models_file"
local near = require "ecrb.near"
local numbers = require "ecrb.numbers"
local shipped = require "ecrb.shipped_models"
local system = require "core.system"

local models = {}

local function copy(entry)
  local fresh = {}
  for name, value in pairs(entry) do fresh[name] = value end
  return fresh
end

local function named(name, entry)
  local found = copy(entry)
  found.model = found.model or name
  return found
end

-- `deepseek/deepseek-v4-flash`: a provider, and a model by its own name.
local function of_provider(name, entries)
  local provider, id = string.match(name, "^([^/]+)/(.+)$")
  local entry = provider and (entries[provider] or shipped[provider])
  return entry and named(id, entry)
end

-- Who serves at this address decides the dialect where nobody names one; the
-- model's name never does.
local function dialect_at(url)
  for _, entry in pairs(shipped) do
    if address.host(entry.base_url) == address.host(url) then
      return entry.dialect
    end
  end
  return "compatible"
end

local function of_url(url, args)
  return { base_url = url, model = args.model, dialect = args.dialect
             or dialect_at(url),
           key_variable = args.key_env or "OPENAI_API_KEY",
           key_optional = true }
end

local function unknown(name, entries)
  local known = {}
  for entry in pairs(entries) do known[#known + 1] = entry end
  for provider in pairs(shipped) do known[#known + 1] = provider .. "/ID" end
  table.sort(known)
  local file = models_file.path()
  return string.format("no model is called `%s`%s", name, near.hint(name, known,
    "name PROVIDER/ID (`ecrb help models`), give --base-url or OPENAI_BASE_URL, or describe it in "
      .. (file or "models.lua")))
end

local function entry_for(args, entries)
  local name = args.model
  if args.base_url then
    if not name then return nil, "--base-url needs --model ID" end
    return of_url(args.base_url, args)
  end
  if entries[name] then return named(name, entries[name]) end
  local found = of_provider(name, entries)
  if found then return found end
  local url = system.getenv("OPENAI_BASE_URL")
  if url and url ~= "" then return of_url(url, args) end
  return nil, unknown(name, entries)
end

local function find(args)
  local entries, why = models_file.entries()
  if not entries then return nil, why end
  local entry
  entry, why = entry_for(args, entries)
  if not entry then return nil, why end
  entry.dialect = args.dialect or entry.dialect
  entry.proxy = args.proxy or entry.proxy
  if args.timeout then
    entry.clocks = copy(entry.clocks or {})
    entry.clocks.total = args.timeout
  end
  return model.new(args.model, entry)
end

-- The options that decide how a request is worded.
function models.wording_options(p)
  p:option("--base-url", "OpenAI-compatible endpoint (also OPENAI_BASE_URL)")
    :argname("URL")
  p:option("--dialect", "how requests are worded; by default as the address "
    .. "suggests"):argname("NAME")
end

-- The options of a command line that name a model.
function models.options(p)
  models.wording_options(p)
  p:option("--key-env", "variable that holds the key (default: "
    .. "OPENAI_API_KEY)"):argname("NAME")
  p:option("--proxy", "HTTP proxy; the environment's are never used")
    :argname("URL")
  p:option("--timeout", "longest time for one answer (default: 900)")
    :argname("SECONDS"):convert(numbers.within { above = 0 })
end

-- The model that the command line means. `args`: model, base_url, dialect,
-- key_env, proxy, timeout, all optional; without model and base_url it is the built-in
-- reader. Raises a sentence for the user.
function models.resolve(args)
  if (args.model == nil and not args.base_url) or args.model == "reader" then
    return model.reader()
  end
  local found, why = find(args)
  return found or fail("%s", why)
end

-- What `--model` can name: {name=, entry=, own=} each, the user's entries, then the
-- providers, whose names end in `/ID`.
function models.list()
  local entries, why = models_file.entries()
  if not entries then fail("%s", why) end
  local found = {}
  for _, kind in ipairs { { entries, "", true }, { shipped, "/ID", false } } do
    local names = {}
    for name in pairs(kind[1]) do names[#names + 1] = name end
    table.sort(names)
    for _, name in ipairs(names) do
      found[#found + 1] = { name = name .. kind[2], entry = kind[1][name], own = kind[3] }
    end
  end
  return found
end

return models
