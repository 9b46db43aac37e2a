-- What an option of a method may be set to, and how that is told.

local method_option = require "ecrb.method_option"

local function option(...)
  return assert(method_option.read(...))
end

local function allowed(declared, given)
  local value, why = method_option.value(declared, given)
  assert.is_nil(value)
  return why
end

describe("an option that is a number", function ()
  local k = option { 3, "chains", whole = true, least = 1, most = 9 }

  it("takes words and numbers within its bounds", function ()
    assert.equal(5, method_option.value(k, "5"))
    assert.equal(5, method_option.value(k, 5))
    assert.equal("integer", math.type(method_option.value(k, "5.0")))
    assert.equal(0.5, method_option.value(option { 0, "t", least = 0 }, "0.5"))
  end)

  it("takes nothing else", function ()
    for _, given in ipairs { "0", "10", "1.5", "1e15", "x", "none", "nan", "1e999", 1.5, true,
                           {} } do
      assert.equal("a whole number from 1 to 9", allowed(k, given))
    end
    assert.equal("a number above 0", allowed(option { 1, "x", above = 0 }, "0"))
    assert.equal("a number of at most 1", allowed(option { 1, "x", most = 1 }, "2"))
  end)

  it("is left out by `none` where it may be", function ()
    local value, why = method_option.value(option { 0, "t", optional = true }, "none")
    assert.is_nil(value)
    assert.is_nil(why)
  end)
end)

describe("an option that is no number", function ()
  it("is true or false", function ()
    local flag = option { true, "flag" }
    assert.is_false(method_option.value(flag, "false"))
    assert.is_true(method_option.value(flag, true))
    assert.equal("true or false", allowed(flag, "yes"))
  end)

  it("is any text, or one of some", function ()
    assert.equal("5", method_option.value(option { "", "text" }, "5"))
    assert.equal("a text", allowed(option { "", "text" }, 5))
    assert.equal("one of `a`, `b`", allowed(option { "a", "text", one_of = { "a", "b" } }, "c"))
  end)
end)
