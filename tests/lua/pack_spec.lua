-- Bytes for pages: deflated, in base 64.

local pack = require "core.pack"

describe("core.pack", function ()
  it("writes base 64 with padding", function ()
    for text, expected in pairs { [""] = "", f = "Zg==", fo = "Zm8=", foo = "Zm9v",
                                  ["foob"] = "Zm9vYg==", ["\xff\xfe\0"] = "//4A" } do
      assert.equal(expected, pack.base64(text))
    end
  end)

  it("deflates without a header", function ()
    assert.equal("\3\0", pack.deflate(""))
    assert.equal("\1\3\0\xfc\xffabc", pack.deflate("abc", 0))
    local text = string.rep("evidence ", 1000)
    assert.is_true(#pack.deflate(text) < #text // 100)
  end)

  it("refuses levels that are none", function ()
    assert.is_false(pcall(pack.deflate, "x", 10))
    assert.is_false(pcall(pack.deflate, {}))
  end)
end)
