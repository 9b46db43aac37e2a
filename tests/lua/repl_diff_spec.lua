-- The word difference of the REPL.

local diff = require "ecrb.repl.diff"

local function marked(old, new)
  return diff.show(diff.words(old, new))
end

describe("the word difference", function ()
  it("marks a changed word", function ()
    assert.equal("a [-b-] {+x+} c", marked("a b c", "a x c"))
  end)

  it("marks what is added and what is gone", function ()
    assert.equal("a {+b+} c", marked("a c", "a b c"))
    assert.equal("a [-b-] c", marked("a b c", "a c"))
  end)

  it("says that nothing changed", function ()
    assert.is_false(diff.changed(diff.words("a b\nc", "a b\nc")))
    assert.is_true(diff.changed(diff.words("a", "b")))
  end)

  it("gives the new text back without its marks", function ()
    local old = "one two three\nfour five\n\nsix"
    local new = "one 2 three\nfour\n\nsix seven"
    local kept = {}
    for _, step in ipairs(diff.words(old, new)) do
      if step.kind ~= "gone" then kept[#kept + 1] = step.text end
    end
    assert.equal(new, table.concat(kept))
  end)

  it("is quick where a word of two thousand lines changed", function ()
    local lines = {}
    for i = 1, 2000 do lines[i] = "line " .. i .. " of a long template" end
    local old = table.concat(lines, "\n")
    lines[1000] = "line 1000 of a longer template"
    local began = os.clock()
    assert.is_true(diff.changed(diff.words(old, table.concat(lines, "\n"))))
    assert.is_true(os.clock() - began < 2)
  end)
end)
