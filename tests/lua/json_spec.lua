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

  it("gives one value for null, never none", function ()
    assert.equal(1, select("#", json.present(json.null)))
    assert.is_nil(json.present(json.null))
    assert.equal(false, json.present(false))
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
end)

describe("the strict reader", function ()
  local decode = require("core.json").decode

  it("reads what lua-cjson reads", function ()
    for _, text in ipairs {
      ' {"a" : [1, -2.5, 1e3, -0, 12345678901234567890, 0.1E-2] , "b":{"c":null}}\n',
      [==["\"\\\/\b\f\n\r\t\u00e9\u20ac\ud83d\ude00\u0000"]==], "[[],{},true,false]",
      '["' .. string.rep("0123456789abcdef", 5) .. [==[\n"]]==],
      "[" .. string.rep("[1],", 1000) .. "7]",
    } do
      assert.equal(json.encode(json.decode(text)), json.encode((decode(text))))
    end
  end)

  it("keeps every field of a large object", function ()
    local fields = {}
    for i = 1, 1000 do fields["k" .. i] = i end
    assert.same(fields, (decode(json.encode(fields))))
  end)

  it("refuses what is no JSON, and says at which byte", function ()
    for text, why in pairs {
      [""] = "byte 1: the text ends", ["[1,]"] = "byte 4: no value begins",
      ["[1 2]"] = "byte 4: a comma or ] is wanted",
      ['{"a":1,}'] = "byte 8: a key is wanted", ['{"a" 1}'] = "byte 6: a colon is wanted",
      ['{"a":1 "b"'] = "byte 8: a comma or } is wanted",
      ["[01]"] = "byte 4: no number is written so",
      ["[1.]"] = "byte 4: no number is written so", ["[-]"] = "byte 3: no number is written so",
      ["[1e+]"] = "byte 5: no number is written so", ["NaN"] = "byte 1: no value begins",
      ["nul"] = "byte 1: no value begins", ["1 1"] = "byte 3: something follows the value",
      ["[1]\0"] = "byte 4: something follows the value", ['"\\x"'] = "byte 3: no such escape",
      ['"\\u12g4"'] = "byte 6: four hexadecimal digits are wanted",
      ['"a\0"'] = "byte 3: a NUL byte stands in it", ['"a'] = "byte 3: the text ends in a string",
      ['{"a":1,"b":2,"a":3}'] = 'byte 20: the key "a" stands twice in one object',
      ['{"a":[{"b":{"":1,"":2}}]}'] = 'byte 23: the key "" stands twice in one object',
      [string.rep("[", 129)] = "byte 130: more than 128 values inside each other",
    } do
      assert.same({ text, nil, why }, { text, decode(text) })
    end
    assert.is_table((decode(string.rep("[", 128) .. string.rep("]", 128))))
  end)

  it("finds a key that stands twice far apart", function ()
    local fields = {}
    for i = 1, 500 do fields[i] = '"k' .. i .. '":1' end
    fields[501] = '"k3":2'
    local value, why = decode("{" .. table.concat(fields, ",") .. "}")
    assert.is_nil(value)
    assert.matches('"k3" stands twice', why, 1, true)
  end)

  it("reads no more values than it is asked to", function ()
    assert.same({ 1, { 2 } }, (decode("[1,[2]]", nil, 4)))
    assert.same({ n = 3, nil, "byte 4: it holds more than 2 values", true },
      table.pack(decode("[1,[2]]", nil, 2)))
    assert.same({ n = 2, nil, "byte 8: the text ends in a string" },
      table.pack(decode('["a","b', nil, 3)))
  end)

  it("takes what servers do all the same only where that is told", function ()
    for flag, case in pairs {
      bom = { "\u{feff}[1]", { 1 } }, raw_control = { '["a\n\1"]', { "a\n\1" } },
      lone_surrogate = { [==["\ud83d\ud83d\ude00\udc00x"]==], "\u{fffd}\u{1f600}\u{fffd}x" },
    } do
      local flags = {}
      assert.is_nil((decode(case[1])))
      assert.same(case[2], (decode(case[1], flags)))
      assert.same({ [flag] = true }, flags)
    end
    local flags = {}
    assert.same({ "a" }, (decode('["a"]', flags)))
    assert.same({}, flags)
  end)
end)
