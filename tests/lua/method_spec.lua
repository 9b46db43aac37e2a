-- Method scripts: what is refused when one loads, and what becomes of an item
-- whose script returns nonsense or raises.

local json = require "ecrb.json"
local method = require "ecrb.method"
local played = dofile "tests/support/played.lua"
local system = require "core.system"

local folder = system.temporary(os.getenv("TMP") or "/tmp")

local function script(source)
  local path = folder .. "/s.lua"
  system.write(path, source)
  return path
end

local head = 'return { id = "t", title = "T", books = { "open" }, model = false, run = '

local function refusal(source)
  local path = script(source)
  local ok, message = pcall(method.load, path)
  assert.is_false(ok)
  -- Lua shortens a long path at its front.
  return (string.gsub(string.gsub(message, "^[^%s`]*/", ""), string.gsub(folder, "%p", "%%%0"), ""))
end

describe("a script is refused when it loads", function ()
  for source, message in pairs {
    ["return 1"] = "s.lua: a method script returns a table, not a number",
    [""] = "s.lua: a method script returns a table, not a nil",
    ["return {"] = "s.lua:1: unexpected symbol near <eof>",
    ["x = 1"] = "s.lua:1: assignment to the global `x`: write `local x`; scripts have no globals",
    ["return os"] = "s.lua:1: unknown name `os`: scripts have locals and the words of "
      .. "`ecrb help api`",
    ["return { titel = 1 }"] = "s.lua: unknown field `titel`; did you mean `title`?",
    ["return { id = 'T', title = 't', books = {'open'}, run = tostring }"] =
      "s.lua: field `id`: `T` must be letters, digits and `_`, a small letter first",
    ["return { id = 't', title = 't', books = {}, run = tostring }"] =
      "s.lua: field `books` is empty: `closed`, `open`, or both",
    ["return { id = 't', title = 't', books = {'opne'}, run = tostring }"] =
      "s.lua: field `books`: `opne` is neither `closed` nor `open`",
    ["return { id = 't', title = 't', books = {'open'}, run = tostring, options = { k = 3 } }"] =
      "s.lua: option `k` must be { default, \"help\" } with a text, number or true/false as "
      .. "default",
    ["return { id = 't', title = 't', books = {'open'}, run = tostring, options = "
      .. "{ k = { 3, 'k', leest = 1 } } }"] = "s.lua: option `k` has a field `leest`: beside "
      .. "default and help there are whole, least, above and most of a number, one_of, "
      .. "optional, and channels",
    ["return { id = 't', title = 't', books = {'open'}, run = tostring, options = "
      .. "{ k = { 0, 'k', whole = true, least = 1 } } }"] =
      "s.lua: option `k` is a whole number of at least 1, and its default is `0`",
    ["return { id = 't', title = 't', books = {'open'}, run = tostring, base = 'b' }"] =
      "s.lua: field `base` names the option `b`, which `options` does not have",
    ["return { id = 't', title = 't', books = {'open'}, run = tostring, grant = 'gold' }"] =
      "s.lua: field `grant`: only `labels` can be asked for",
    ["require 'io'"] = "require: /io.lua: No such file or directory",
    ["require '../x'"] = "s.lua:1: require: `../x` is no module name",
    ["require 'ecrb.run'"] = "s.lua:1: require: scripts may use `ecrb.walk` and files beside "
      .. "them, not `ecrb.run`",
  } do
    it(string.format("%q", source), function ()
      assert.equal(message, refusal(source))
    end)
  end

  it("where a field is missing", function ()
    assert.matches("^s.lua: field `%l+` is missing: ", refusal("return {}"))
  end)

  it("where it is a folder", function ()
    local ok, message = pcall(method.load, folder)
    assert.is_false(ok)
    assert.matches("is a folder, not a script$", message)
  end)
end)

local path_of = '{ path = { "1", "1.1", "1.1.1", "1.1.1.1" } }'

describe("an item whose script", function ()
  for body, message in pairs {
    ["return nil"] = "`run` returned nothing; it returns a result with a `path`",
    ["return 7"] = "`run` returned a number; it returns a result with a `path`",
    ["return {}"] = "`path` is a nil, not a list of EC numbers",
    ["return { path = { '1.1' } }"] = "level 1: `1.1.-.-` is a node of level 2",
    ["return { path = { 'x' } }"] = "level 1: `x` is no EC number",
    ["return { path = { '1', '1.77' } }"] =
      "level 2: `1.77.-.-` is not a node of the benchmark's tree",
    ["return { path = { '1', '2.1' } }"] =
      "level 2: `2.1.-.-` is no child of `1.-.-.-` and was not offered below it",
    ["return { path = { '1', '1.1', '1.1.1', '1.1.1.1', '1' } }"] =
      "`path` has 5 levels; an EC number has four",
    ["return { path = { '1' }, confidence = 7 }"] =
      "`confidence` is 7; a confidence is a number from 0 to 1",
    ["return { path = { '1' }, confidences = { 0/0 } }"] =
      "confidence of level 1 is -nan; a confidence is a number from 0 to 1",
    ["return { path = {}, share = 2 }"] = "`share` is 2; a confidence is a number from 0 to 1",
    ["return { path = {}, consensus = 'x' }"] = "`consensus` is x, not a number of at least 0",
    ["return { path = {}, saved = -1 }"] = "`saved` is -1, not a number of at least 0",
    ["return { path = { '1' }, others = { 'x' } }"] = "`others`: `x` is no EC number",
    ["error('my mistake')"] = "my mistake",
    ["sample(0, tostring)"] = "sample: 0 chains; it takes a whole number from 1 to 1000",
    ["sample(1e15, tostring)"] = "sample: 1e+15 chains; it takes a whole number from 1 to 1000",
    ["sample('k', tostring)"] = "sample: k chains; it takes a whole number from 1 to 1000",
  } do
    it("does " .. string.format("%q", body), function ()
      local line = played { method = script(head .. "function () " .. body .. " end }"),
                            item = "price/1", reply = error }
      assert.equal("script", line.outcome)
      assert.equal(0, #line.path)
      local got = string.gsub(line.message, "^.*s%.lua:1: ", "")
      assert.equal(message, (string.gsub(got, "is nan;", "is -nan;")))
    end)
  end

  it("returns a sound result is answered", function ()
    local line = played { method = script(head .. "function () return " .. path_of .. " end }"),
                          item = "price/1", reply = error }
    assert.equal("answered", line.outcome)
    assert.equal(json.null, line.message)
  end)

  it("loops for ever ends at its limit", function ()
    local line = played { method = script(head .. "function () while true do end end }"),
                          item = "price/1", reply = error,
                          limits = { instructions = 1e6, memory = 1e8, seconds = 5 } }
    assert.equal("script", line.outcome)
    assert.equal("limit", line.cause)
  end)

  it("reads a channel that does not exist is told so", function ()
    local line = played { item = "price/1", reply = error,
      method = script(head .. "function (enzyme) evidence(enzyme, 'blat') end }") }
    assert.matches("s.lua:1: there is no evidence channel `blat`; did you mean `blast`?",
      line.message, 1, true)
  end)

  it("asks about another enzyme is refused", function ()
    local line = played { item = "price/1", reply = error,
      method = script(head .. "function () evidence({}, 'blast') end }") }
    assert.matches("the first argument must be the enzyme that `run` was handed", line.message)
  end)

  it("that reads a text in place of a reply is told so", function ()
    local line = played { item = "price/1", reply = error,
      method = script(head .. "function () local read = answer('1.1.1.1') return read end }") }
    assert.matches("s.lua:1: the first argument must be the reply that `ask` returned",
      line.message)
  end)

  it("keeps nothing for the next enzyme", function ()
    local source = "local n = 0\n" .. head .. "function () n = n + 1 note('n', n) return "
      .. path_of .. " end }"
    for _ = 1, 2 do
      local line = played { method = script(source), item = "price/1", reply = error }
      assert.equal("1", line.notes[1].value)
    end
  end)

  it("wants labels gets them only as a declared oracle", function ()
    local body = "function (e) note('gold', gold(e)[1]) return " .. path_of .. " end"
    local line = played { method = script(head .. body .. " }"), item = "price/3", reply = error }
    assert.matches("unknown name `gold`", line.message)
    line = played { method = script(head .. body .. ", grant = 'labels' }"), item = "price/3",
                    reply = error }
    assert.equal("1.1.1.1", line.notes[1].value)
  end)
end)
