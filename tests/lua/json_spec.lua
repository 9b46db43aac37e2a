-- JSON in one spelling.

local json = require "ecrb.json"

describe("json", function ()
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
end)
