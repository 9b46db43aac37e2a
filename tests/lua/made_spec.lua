-- Folders that come into being whole (ecrb/made.lua).

local made = require "ecrb.made"
local system = require "core.system"

describe("a folder that is made whole", function ()
  local tmp, path
  before_each(function ()
    tmp = system.temporary(os.getenv "TMP")
    path = tmp .. "/made"
  end)
  after_each(function () system.remove(tmp) end)

  local function fill_with(name)
    return function (beside) system.write(beside .. "/" .. name, name) end
  end

  it("holds what it was filled with, and nothing stands beside it", function ()
    made(path, fill_with "a")
    assert.same({ "made" }, system.list(tmp))
    assert.same({ "a" }, system.list(path))
  end)

  it("is not there after a failure, which comes through", function ()
    assert.has_error(function ()
      made(path, function (beside)
        fill_with "a" (beside)
        error("no more room", 0)
      end)
    end, "no more room")
    assert.same({}, system.list(tmp))
  end)

  it("holds nothing of what a kill left", function ()
    system.mkdir(path .. ".new/deep")
    system.write(path .. ".new/deep/half", "")
    system.write(path .. ".new/.lock", "")
    made(path, fill_with "a")
    assert.same({ "made" }, system.list(tmp))
    assert.same({ "a" }, system.list(path))
  end)

  it("takes another's place only where it is told to", function ()
    made(path, fill_with "old")
    assert.error_matches(function () made(path, fill_with "new") end, "not empty")
    assert.same({ "old" }, system.list(path))
    made(path, fill_with "new", true)
    assert.same({ "new" }, system.list(path))
    assert.same({ "made" }, system.list(tmp))
  end)

  it("may be put in its place by whoever fills it", function ()
    made(path, fill_with "old")
    made(path, fill_with "new", function (filled, place)
      system.rename(filled .. "/new", place .. "/new")
    end)
    assert.same({ "new", "old" }, system.list(path))
    assert.same({ "made" }, system.list(tmp))
  end)

  it("may be a part of what was filled", function ()
    made(path, function (beside)
      system.mkdir(beside .. "/inner")
      fill_with "a" (beside .. "/inner")
      return beside .. "/inner"
    end)
    assert.same({ "a" }, system.list(path))
    assert.same({ "made" }, system.list(tmp))
  end)

  it("is not made by two at once", function ()
    made(path, function (beside)
      local code, said = system.run { "flock", "-n", beside .. "/.lock", "true" }
      assert.equal(1, code, said)
    end)
    system.mkdir(path .. ".new")
    local lock <close> = system.lock(path .. ".new/.lock")
    assert.is_truthy(lock)
    assert.error_matches(function () made(path, fill_with "b", true) end,
      "made.new: another ecrb is at work there; wait for it")
  end)
end)
