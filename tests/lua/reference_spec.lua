local reference = require "core.reference"

local documented = {}
for _, entry in ipairs(reference) do
  documented[string.match(entry.call, "^[%w_.:#]+")] = entry
end

describe("core.reference", function ()
  it("has a text for every call", function ()
    for _, entry in ipairs(reference) do
      assert.is_true(#entry.text > 10, entry.call)
    end
    assert.equal("core.ec.level(ec) -> level",
      documented["core.ec.level"].call)
    assert.equal("How many parts are committed: 4 for a leaf, 0 for the root.",
      documented["core.ec.level"].text)
  end)

  for name in pairs(package.preload) do
    local module = string.match(name, "^core%.(%w+)$")
    if module then
      it("documents every function of core." .. module, function ()
        for field, value in pairs(require(name)) do
          if type(value) == "function" then
            local call = name .. "." .. field
            assert.is_truthy(documented[call], call .. " has no documentation")
          end
        end
      end)
    end
  end
end)

describe("ecrb help api", function ()
  local said = require "ecrb.reference".api()

  for name, value in pairs(require "ecrb.primitives") do
    if type(value) == "function" then
      it("tells of " .. name, function ()
        assert.is_truthy(string.find(said, "\n" .. name .. "(", 1, true))
      end)
    end
  end

  it("tells of every word about EC numbers, and of no other", function ()
    for name in pairs(require "core.ec") do
      assert.is_truthy(string.find(said, "\nec." .. name .. "(", 1, true), name)
    end
    for name in string.gmatch(said, "\nec%.(%w+)%(") do
      assert.is_truthy(require "core.ec" [name], name)
    end
  end)
end)
