-- The registry: names, the user's file, keys.
local json = require "ecrb.json"
local address = require "ecrb.wire.address"
local models = require "ecrb.models"
local secret = require "ecrb.wire.secret"
local system = require "core.system"

local MESSAGES = { { role = "user", content = "Q" } }

-- Runs f with these environment variables and, as the user's models.lua,
-- `source`.
local function with(variables, source, f)
  local real, folder = system.getenv, os.tmpname()
  os.remove(folder)
  variables.XDG_CONFIG_HOME = folder
  system.mkdir(folder .. "/ecrb")
  if source then system.write(folder .. "/ecrb/models.lua", source) end
  system.getenv = function(name) return variables[name] end
  local ok, why = pcall(f, folder)
  system.getenv = real
  system.remove(folder)
  if not ok then error(why, 0) end
end

local function refused(args)
  local ok, why = pcall(models.resolve, args)
  assert.is_false(ok)
  return why
end

describe("without a name", function()
  it("the reader answers", function()
    with({ OPENAI_BASE_URL = "http://h/v1" }, nil, function()
      local found = models.resolve {}
      assert.equal("reader", found.kind)
      assert.equal("reader", found.identity)
    end)
  end)
end)

describe("an address", function()
  local cases = {
    { "https://h/v1", "https://h/v1/chat/completions" },
    { "https://h/v1/", "https://h/v1/chat/completions" },
    { "https://h", "https://h/chat/completions" },
    { "https://h/d/x?api-version=1", "https://h/d/x/chat/completions"
      .. "?api-version=1" },
  }
  for _, case in ipairs(cases) do
    it(case[1], function()
      assert.equal(case[2], address.join(case[1], "/chat/completions"))
    end)
  end

  local bad = { "h/v1", "ftp://h", "https://u:p@h/v1", "http://h/a b",
                "http:///v1", "https://h/v1?key=abc", "https://h?a=1&Api_Token=x" }
  for _, url in ipairs(bad) do
    it(url .. " is refused", function()
      with({}, nil, function() refused { model = "m", base_url = url } end)
    end)
  end
end)

describe("--base-url", function()
  it("needs a model's name", function()
    with({}, nil, function()
      assert.equal("--base-url needs --model ID",
                   refused { base_url = "http://h/v1" })
    end)
  end)

  it("gives identity, dialect and the id as it is", function()
    with({}, nil, function()
      local found = models.resolve { model = "org/m", base_url =
        "http://h/v1/" }
      assert.equal("http://h/v1 org/m", found.identity)
      assert.equal("compatible", found.dialect)
      assert.equal("org/m", assert(found:body { messages = MESSAGES }).model)
    end)
  end)

  it("knows a provider by its host alone", function()
    with({}, nil, function()
      local found = models.resolve { model = "gpt-5",
        base_url = "https://api.deepseek.com/v1" }
      assert.equal("deepseek", found.dialect)
    end)
  end)

  it("may come from the environment", function()
    with({ OPENAI_BASE_URL = "http://h/v1" }, nil, function()
      assert.equal("http://h/v1 m", models.resolve { model = "m" }.identity)
    end)
  end)
end)

describe("a provider", function()
  it("serves any id", function()
    with({}, nil, function()
      local found = models.resolve { model = "openrouter/deepseek/x" }
      assert.equal("deepseek/x", found.id)
      assert.equal("openrouter", found.dialect)
    end)
  end)

  it("that is unknown is told with the near name", function()
    with({}, nil, function()
      local why = refused { model = "olama/ID" }
      assert.truthy(string.find(why, "did you mean `ollama/ID`", 1, true))
    end)
  end)
end)

describe("models.lua", function()
  it("describes models", function()
    with({}, [[return {
      q = { base_url = "http://a/v1", model = "Q/3", dialect = "vllm",
            body = { top_k = 20 }, omit = { "seed" },
            endpoints = { {}, { base_url = "http://b/v1" } },
            prices = { prompt = 1, completion = 2 } } }]], function()
      local found = models.resolve { model = "q" }
      assert.equal("http://a/v1 Q/3", found.identity)
      assert.same({ "http://a/v1", "http://b/v1" },
                  found:manifest().base_urls)
      local body = assert(found:body { messages = MESSAGES, seed = 1 })
      assert.equal(20, body.top_k)
      assert.is_nil(body.seed)
      assert.equal(2, found.prices.completion)
    end)
  end)

  local bad = {
    { "return 7", "must return a table" },
    { "return {", "models.lua" },
    { "return { m = 7 }", "a name and a table" },
    { "return { m = { base_ur = 'x' } }", "did you mean `base_url`" },
    { "return { m = { base_url = 7 } }", "must be a string" },
    { "return { m = { limits = { speed = 1 } } }", "no field `speed`" },
    { "return { m = { limits = { concurrency = 0 } } }",
      "limits: `concurrency` must be a whole number of at least 1, not `0`" },
    { "return { m = { limits = { requests_per_minute = 0 } } }",
      "`requests_per_minute` must be a number above 0, not `0`" },
    { "return { m = { clocks = { total = 0/0 } } }", "`total` must be a number above 0, not `" },
    { "return { m = { clocks = { idle = 1e999 } } }", "`idle` must be a number above 0, not `" },
    { "return { m = { prices = { prompt = -1 } } }",
      "`prompt` must be a number of at least 0, not `-1`" },
    { "return { m = { max_tokens = 1.5 } }",
      "`max_tokens` must be a whole number of at least 1, not `1.5`" },
    { "return { m = { context = 'long' } }",
      "`context` must be a whole number of at least 1, not a string" },
    { "return { m = { endpoints = { { dialect = 'x' } } } }",
      "endpoints[1]" },
    { "return { m = {} }", "no base_url" },
    { "return { m = { base_url = 'http://h', dialect = 'x' } }",
      "no dialect" },
    { "return { m = { base_url = os.getenv 'HOME' } }", "models.lua" },
    { "return { m = { headers = { A = 'a\\nb' } } }", "headers.A` is no line of" },
    { "return { m = { headers = { ['A B'] = 'c' } } }", "is no name of a header" },
    { "return { m = { endpoints = { { headers = { [''] = 'c' } } } } }",
      "is no name of a header" },
    { "return { m = { headers = { Authorization = 'Bearer x' } } }",
      "a key is named by `key_variable`" },
    { "return { m = { mapping = { ranges = { top_p = { 0 } } } } }",
      "`mapping.ranges.top_p` is no pair of numbers, the lower one first" },
    { "return { m = { mapping = { ranges = { top_p = { 1, 0 } } } } }", "no pair of numbers" },
    { "return { m = { mapping = { ranges = { top_p = 1 } } } }", "no pair of numbers" },
  }
  for _, case in ipairs(bad) do
    it("`" .. case[1] .. "` is refused", function()
      with({}, case[1], function()
        local why = refused { model = "m" }
        assert.truthy(string.find(why, case[2], 1, true), why)
      end)
    end)
  end
end)

describe("the documentation", function()
  it("shows a models.lua that works", function()
    local path = system.self .. "/lua/ecrb/dialects/README.md"
    local file = assert(io.open(path))
    local source = string.match(file:read("a"), "```lua\n(.-)```")
    file:close()
    with({}, source, function()
      local found = models.resolve { model = "flash" }
      assert.equal(2, #found:manifest().base_urls)
      assert.equal(20, models.resolve { model = "qwen-here" }:body {
        messages = MESSAGES }.top_k)
    end)
  end)

  it("lists every dialect", function()
    local file = assert(io.open(system.self
      .. "/lua/ecrb/dialects/README.md"))
    local content = file:read("a")
    file:close()
    for _, name in ipairs(require "ecrb.dialect".names) do
      assert.truthy(string.find(content, "\n| `" .. name .. "` |", 1, true),
                    name)
    end
  end)
end)

describe("clocks and notes", function()
  local function notes(variables, entry)
    local text
    with(variables, entry, function()
      text = table.concat(models.resolve { model = "m" }:notes(), "\n")
    end)
    return text
  end

  it("come from the entry, the command line, or the kind of answer",
    function()
      with({}, [[return { m = { base_url = "http://h", stream = true,
                                clocks = { first_byte = 5 } } }]], function()
        local times = models.resolve { model = "m", timeout = 60 }:times()
        assert.equal(5, times.first_byte)
        assert.equal(60, times.total)
        assert.equal(120, times.idle)
        assert.is_nil(require "ecrb.model".reader():times().idle)
      end)
    end)

  it("tell of proxies that are not used, and of keys in clear", function()
    local entry = [[return { m = { base_url = "http://far.example/v1",
                                   key_variable = "K" } }]]
    local text = notes({ HTTPS_PROXY = "http://p" }, entry)
    assert.truthy(string.find(text, "far.example without encryption", 1,
                              true))
    assert.truthy(string.find(text, "https_proxy is set but not used", 1,
                              true))
    assert.equal("", notes({}, [[return { m = {
      base_url = "http://127.0.0.1:8000/v1", key_variable = "K" } }]]))
  end)
end)

describe("a key", function()
  local auth = { header = "Authorization", prefix = "Bearer " }

  local function read(variables, source)
    local result, why
    source.auth = auth
    with(variables, nil, function() result, why = secret.read(source) end)
    return result, why
  end

  it("comes from the environment into one header", function()
    local key = assert(read({ K = " sk-abcdef\n" }, { key_variable = "K" }))
    local list = {}
    key.add_to(list)
    assert.same({ "Authorization: Bearer sk-abcdef" }, list)
    assert.equal("a [key] b [key]", key.redact("a sk-abcdef b sk-abcdef"))
  end)

  it("that is missing is asked for by name", function()
    local key, why = read({}, { key_variable = "K" })
    assert.is_nil(key)
    assert.truthy(string.find(why, "export K=", 1, true))
    assert.truthy(read({}, { key_variable = "K", key_optional = true }))
  end)

  it("with a line break is refused without being shown", function()
    local key, why = read({ K = "ab\r\nX-Evil: 1" }, { key_variable = "K" })
    assert.is_nil(key)
    assert.is_nil(string.find(why, "Evil", 1, true))
  end)

  it("in a file counts only if nobody else can read it", function()
    local path = os.tmpname()
    system.write(path, "sk-in-a-file\n")
    system.run { "chmod", "644", path }
    local key, why = read({}, { key_file = path })
    assert.is_nil(key)
    assert.truthy(string.find(why, "chmod 600", 1, true))
    system.run { "chmod", "600", path }
    assert.equal("[key]", assert(read({}, { key_file = path }))
                 .redact("sk-in-a-file"))
    os.remove(path)
  end)

  it("that is missing stops opening, but not a replay", function()
    with({}, nil, function()
      local found = models.resolve { model = "deepseek/x" }
      local ok, why = pcall(found.open, found, nil, {})
      assert.is_false(ok)
      assert.truthy(string.find(why, "DEEPSEEK_API_KEY", 1, true))
      assert.truthy(found:open(nil, { replay = true }):stopped())
    end)
  end)

  it("is in no manifest", function()
    with({ DEEPSEEK_API_KEY = "sk-secret" }, nil, function()
      local found = models.resolve { model = "deepseek/x" }
      assert.is_nil(string.find(json.encode(found:manifest()), "sk-", 1,
                                true))
    end)
  end)
end)

describe("the reader", function()
  it("is asked and read like any endpoint", function()
    local program = require "ecrb.model".reader()
    local body = json.encode(assert(program:body { messages = MESSAGES }))
    local outcome = program:open(nil, {}):send(body, {})
    assert.is_true(outcome.ok)
    assert.equal(200, outcome.status)
    assert.equal(outcome.text, program:read(200, outcome.raw).text)
  end)
end)
