-- JSON in one spelling.

local json = require "ecrb.json"

describe("json", function ()
  it("goes on where fields stand already", function ()
    assert.equal('"a":1,"b":[]}', json.fields { b = json.array(), a = 1 })
    assert.equal("}", json.fields {})
    assert.has_error(function () json.fields(7) end)
  end)

  it("sorts keys, so that equal values are equal bytes", function ()
    assert.equal('{"a":[1,2,{"x":null}],"b":true,"c":"d\\n"}',
      json.encode { c = "d\n", b = true, a = { 1, 2, { x = json.null } } })
  end)

  it("tells an empty array from an empty object", function ()
    assert.equal('{"a":[],"o":{}}', json.encode { a = json.array(), o = {} })
  end)

  it("refuses what JSON has no word for", function ()
    assert.has_error(function () json.encode { 0 / 0 } end)
    assert.has_error(function () json.encode { [1.5] = 1 } end)
  end)

  it("escapes what must be, and the slash", function ()
    assert.equal([["\u0000\b\t\n\u000b\f\r\u001f \"\/\\\u007f]] .. 'é"',
      json.encode("\0\b\t\n\v\f\r\31 \"/\\\127é"))
  end)

  it("writes numbers with up to fourteen digits", function ()
    assert.equal("[0,-0,-12,0.1,0.33333333333333,99999999999999,1e+14,1.2345678901235e+16]",
      json.encode { 0, -0.0, -12, 0.1, 1 / 3, 99999999999999, 1e14, 12345678901234567 })
  end)

  it("writes what stands behind a frozen table", function ()
    local frozen = require("core.sandbox").frozen { a = { 1, { b = "c" } } }
    assert.equal('{"a":[1,{"b":"c"}]}', json.encode(frozen))
  end)

  it("refuses values that go round or too deep", function ()
    local round = {}
    round.round = round
    assert.has_error(function () json.encode(round) end)
  end)

  it("says what is wrong with a text", function ()
    local value, message = json.decode('{"a":1')
    assert.is_nil(value)
    assert.matches("character 7", message)
    assert.is_nil(json.decode('{"a":NaN}'))
    assert.is_nil(json.decode(string.rep("[", 100000)))
  end)

  it("is read back as it was written", function ()
    local value = { a = { 1, 2.5, "x" }, b = { c = false } }
    assert.same(value, json.decode(json.pretty(value)))
  end)

  it("refuses more fields than Lua's stack holds, in words of its own", function()
    local many = {}
    for i = 1, 520000 do many["k" .. i] = i end
    local ok, why = pcall(json.encode, many)
    assert.is_false(ok)
    assert.truthy(string.find(why, "json: an object has more than %d+ fields$"), why)
  end)

  it("counts the values of a text without reading it", function()
    local values = require("core.json").values
    for text, count in pairs { [""] = 0, ["1"] = 0, ["[]"] = 1, ["[1,2]"] = 2,
                               ['{"a":[],"b":{}}'] = 4, ['",[{"'] = 0, ['"\\",["'] = 0,
                               ['"\\\\",["'] = 2, ['["a'] = 1, ['["a\\'] = 1, ['"'] = 0 } do
      assert.equal(count, values(text), text)
    end
  end)

  it("tells by a look at the bytes that no key was lost", function ()
    local is_plain = require("core.json").is_plain
    local cases = {
      { '{"a":1,"b":{"c":[{"d":2}]}}', true, 4 }, { '{"a":1,"a":2}', false, 1 },
      { '{"a" :1}', false, 1 }, { '{"a":"b\\":c"}', true, 1 },
      { '{"a":"\\\\":1}', false, 0 }, { '{"a":\n1}', false, 1 }, { "[]", true, 0 },
      { '{"a":":"}', false, 1 },
    }
    for _, case in ipairs(cases) do
      local value = json.decode(case[1]) or {}
      local plain, keys = is_plain(case[1], value)
      assert.same({ case[1], case[2], case[3] }, { case[1], plain, keys })
    end
  end)
end)
