-- Templates: what is filled, what is refused, and with which words.

local prompt = require "ecrb.prompt"

local function render(source, values)
  local template = assert(prompt.parse("p.txt", source))
  return prompt.render(template, values)
end

describe("a template", function ()
  it("is one user message without a dividing line", function ()
    assert.same({ { role = "user", content = "Hello x." } },
      render("Hello {{name}}.\n", { name = "x" }))
  end)

  it("has a system message above the dividing line", function ()
    assert.same({ { role = "system", content = "Be brief." },
                  { role = "user", content = "a b" } },
      render("Be brief.\n---\n{{a}} {{b}}\n", { a = "a", b = "b" }))
  end)

  it("keeps its notes to itself", function ()
    assert.equal("x", render("#: a note\nx", {})[1].content)
  end)

  it("never reads a value as a template", function ()
    assert.equal("{{b}}", render("{{a}}", { a = "{{b}}" })[1].content)
  end)

  it("refuses a name that is not offered", function ()
    assert.has_error(function () render("{{sequnce}}", { sequence = "M" }) end,
      "p.txt: {{sequnce}} is not offered by the method; it offers sequence")
  end)

  it("refuses to drop a value silently", function ()
    assert.has_error(function () render("x", { evidence = "e" }) end,
      "p.txt: the method offers {{evidence}} and the template does not use it; if that is "
      .. "meant, say so in a line `#: without evidence`")
  end)

  it("drops a value that it says it leaves out", function ()
    assert.equal("x", render("#: without evidence, b\nx", { evidence = "e", b = 1 })[1].content)
  end)

  it("refuses what is no name, by line", function ()
    local template, message = prompt.parse("p.txt", "a\nb {{ a }}\n")
    assert.is_nil(template)
    assert.equal("p.txt:2: `{{` begins no {{name}}; a name has letters, digits and `_` only",
      message)
  end)

  it("refuses a second dividing line", function ()
    local template, message = prompt.parse("p.txt", "a\n---\nb\n---\nc")
    assert.is_nil(template)
    assert.matches("more than one line `%-%-%-`", message)
  end)

  it("changes its hash with a byte", function ()
    assert.not_equal(prompt.parse("p", "a").sha256, prompt.parse("p", "a ").sha256)
  end)
end)

describe("a shelf", function ()
  it("says where it looked", function ()
    local template, message = prompt.shelf({ "no/folder" }):get("m1/level")
    assert.is_nil(template)
    assert.equal("there is no prompt `m1/level`; looked for no/folder/m1/level.txt", message)
  end)

  it("holds the shipped templates, and all of them parse", function ()
    local system = require "core.system"
    local shelf = prompt.shelf { system.self .. "/prompts" }
    for _, name in ipairs { "b0/question", "m1/level", "m2/turn", "m3/question",
                            "m5/arbitrate", "repair" } do
      assert.truthy(shelf:get(name))
    end
  end)
end)
