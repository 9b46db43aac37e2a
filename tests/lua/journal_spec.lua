local journal = require "core.journal"
local system = require "core.system"

describe("core.journal", function ()
  local folder, path
  before_each(function ()
    folder = system.temporary(os.getenv "TMP")
    path = folder .. "/j.jsonl"
  end)
  after_each(function () system.remove(folder) end)

  local function line(key, rest)
    return string.format('{"key":"%s"%s}', key, rest or "")
  end

  it("appends, finds and lists", function ()
    local j, state = journal.open(path, "a")
    assert.same({ lines = 0, torn = 0 }, state)
    j:append(line("a", ',"n":1'))
    j:append(line("b"))
    assert.equal('{"key":"a","n":1}', j:find "a")
    assert.is_nil(j:find "c")
    assert.equal(2, j:count())
    assert.equal('{"key":"b"}', j:line(2))
    assert.is_nil(j:line(3))
    assert.is_nil(j:line(0))
    j:sync()
    j:close()
    j:close()
  end)

  it("never overwrites a key, and refuses what is no line", function ()
    local j <close> = journal.open(path, "a")
    j:append(line "a")
    assert.has_error(function () j:append(line "a") end)
    assert.has_error(function () j:append "{}" end)
    assert.has_error(function () j:append(line "b" .. "\n") end)
    assert.equal(1, j:count())
  end)

  it("drops a torn last line and says so", function ()
    system.write(path, line "a" .. "\n" .. '{"key":"b"')
    local j <close>, state = journal.open(path, "a")
    assert.same({ lines = 1, torn = 10 }, state)
    j:append(line "b")
    assert.equal(2, j:count())
  end)

  it("raises by file and line what it cannot read", function ()
    system.write(path, line "a" .. "\n[]\n")
    local ok, err = pcall(journal.open, path, "r")
    assert.is_false(ok)
    assert.equal("format", err.code)
    assert.matches("j.jsonl:2", err.message, 1, true)
    ok, err = pcall(journal.open, folder .. "/none", "r")
    assert.is_false(ok)
    assert.equal("none", err.code)
  end)

  it("keeps a second writer out", function ()
    local j <close> = journal.open(path, "a")
    assert.equal(0, j:count())
    local code, output = system.run { "ecrb", "lua", "tests/lua/open_journal.lua",
      path }
    assert.same({ 0, "busy\n" }, { code, output })
  end)

  local keys = { "a", "b", "none", nil, "c" }
  local function key_of(place) return keys[place] end

  it("sorts its lines", function ()
    local j <close> = journal.open(path, "a")
    for _, key in ipairs { "y", "c", "x", "b", "a" } do j:append(line(key)) end
    j:sort(key_of, 5, {})
    for n, key in ipairs { "a", "b", "c", "y", "x" } do
      assert.equal(line(key), j:line(n))
      assert.equal(line(key), j:find(key))
    end
    assert.has_error(function () j:sort(key_of, -1, {}) end)
    assert.has_error(function () j:sort(function () return {} end, 5, {}) end)
    j:sort(function () return "a" end, 5, {}) -- only the first place is its own
    assert.equal(line "a", j:line(1))
    assert.equal(5, j:count())
  end)

  it("appends what nobody asks for before it is opened again", function ()
    do
      local j <close> = journal.open(path, "a")
      j:append(line "a")
      j:append_unseen(line "b")
      j:append_unseen('{"key":"c"', "}")
      assert.equal(3, j:count())
      assert.is_nil(j:find "b")
      assert.equal(line "a", j:find "a")
      assert.error_matches(function () j:append(line "d") end, "appended unseen; open it anew")
      assert.error_matches(function () j:sort(key_of, 5, {}) end, "appended unseen; open it anew")
      assert.has_error(function () j:append_unseen "no line" end)
    end
    local j <close> = journal.open(path, "a")
    assert.equal(3, j:count())
    assert.equal(line "b", j:find "b")
    assert.equal('{"key":"c"}', j:line(3))
  end)

  it("replaces lines as it sorts them", function ()
    local j <close> = journal.open(path, "a")
    for _, key in ipairs { "b", "c", "a" } do j:append(line(key)) end
    j:sort(key_of, 5, { c = line("c", ',"n":1') })
    assert.equal(line("c", ',"n":1'), j:line(3))
    assert.equal(line("c", ',"n":1'), j:find "c")
    assert.has_error(function () j:sort(key_of, 5, { a = line "b" }) end)
    assert.has_error(function () j:sort(key_of, 5, { a = 1 }) end)
    assert.has_error(function () j:sort(key_of, 5, { d = line "d" }) end)
    assert.equal(line "a", j:line(1))
  end)

  -- Waits, but not for ever, until so many lines are on the disk.
  local function kept(j, number)
    for _ = 1, 1000 do
      if j:kept() >= number then return true end
      system.run { "sleep", "0.01" }
    end
  end

  it("is put on the disk by a thread, old lines too", function ()
    system.write(path, line "old" .. "\n")
    local j <close> = journal.open(path, "a")
    assert.equal(0, j:kept())
    j:keep(0, 1)
    for i = 1, 100 do j:append(line("k" .. i)) end
    assert.is_true(kept(j, 101))
    j:append(line "last")
    assert.is_true(kept(j, 102))
    assert.has_error(function () j:reorder { 1 } end)
  end)

  it("is put on the disk in batches, the last one as it is closed", function ()
    local j = journal.open(path, "a")
    j:keep(3600, 10)
    for i = 1, 10 do j:append(line("k" .. i)) end
    assert.is_true(kept(j, 10))
    j:append(line "last")
    assert.equal(10, j:kept())
    j:close()
    assert.equal(11, (journal.open(path, "r")):count())
  end)

  it("is kept by sensible limits only", function ()
    local j <close> = journal.open(path, "a")
    assert.has_error(function () j:keep(-1, 1) end)
    assert.has_error(function () j:keep(1, 0) end)
    local reading <close> = journal.open(path, "r")
    assert.has_error(function () reading:keep(1, 1) end)
  end)

  it("refuses a closed journal", function ()
    local j = journal.open(path, "a")
    j:close()
    assert.has_error(function () j:count() end,
      "calling 'count' on bad self (the journal is closed)")
  end)
end)
