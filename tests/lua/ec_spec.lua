local ec = require "core.ec"

describe("core.ec", function ()
  it("parses to the canonical spelling, level and kind", function ()
    for text, expected in pairs {
      ["EC 2.7.1.1"] = { "2.7.1.1", 4, "plain" },
      ["2.1.1.n7"] = { "2.1.1.n7", 4, "preliminary" },
      ["2.4.2.B21"] = { "2.4.2.B21", 4, "brenda" },
      [" 1.1 "] = { "1.1.-.-", 2, "plain" },
      ["-.-.-.-"] = { "-.-.-.-", 0, "plain" },
    } do
      assert.same(expected, { ec.parse(text) })
    end
    for _, text in ipairs { "", "enzyme", "1.1.1.1.1", "01.1.1.1", "1..1" } do
      assert.is_nil(ec.parse(text))
    end
  end)

  it("reads lists whole or not at all", function ()
    assert.same({ "1.1.1.1", "2.7.-.-" }, ec.list("1.1.1.1; 2.7"))
    assert.same({}, ec.list(""))
    assert.is_nil(ec.list("1.1.1.1,x"))
  end)

  it("walks up and down the path", function ()
    assert.equal("2.7.-.-", ec.prefix("2.7.1.1", 2))
    assert.equal("-.-.-.-", ec.prefix("2.7.1.1", 0))
    assert.equal("2.7.-.-", ec.prefix("2.7", 4))
    assert.equal(3, ec.level("1.1.1.-"))
    assert.same({ "2.-.-.-", "2.7.-.-", "2.7.1.-", "2.7.1.1" },
      ec.path("2.7.1.1"))
    assert.same({}, ec.path("-.-.-.-"))
  end)

  it("compares", function ()
    assert.equal(3, ec.shared("1.1.1.1", "1.1.1.n1"))
    assert.is_true(ec.compare("1.2.3.4", "1.10.1.1") < 0)
    assert.is_true(ec.compare("1.1.1.1", "1.1.1.-") > 0)
    assert.equal(0, ec.compare("EC 1.1.1.1", "1.1.1.1"))
  end)

  it("names a text that is none, and shows it safely", function ()
    assert.has_error(function () ec.level("x\27[2J") end,
      "bad argument #1 to 'level' ('x\\x1B[2J' is not an EC number)")
    assert.has_error(function () ec.prefix("1.1.1.1", 5) end,
      "bad argument #2 to 'prefix' (level outside 0 to 4)")
    assert.has_error(function () ec.level({}) end)
  end)
end)
