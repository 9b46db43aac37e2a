local text = require "core.text"

describe("core.text.find", function ()
  it("reports places and groups as string.find does", function ()
    assert.same({ 4, 13, "1", "2" },
      { text.find("at EC 1.2.3.4", [[EC (\d+)\.(\d+)\.\d+\.\d+]]) })
  end)

  it("gives false for a group that took no part", function ()
    assert.same({ 1, 1, "a", false }, { text.find("a", "(a)|(b)") })
  end)

  it("counts init from either end", function ()
    assert.equal(3, (text.find("aba", "a", 2)))
    assert.equal(3, (text.find("aba", "a", -1)))
    assert.equal(1, (text.find("aba", "a", -99)))
    assert.is_nil(text.find("aba", "a", 4))
    assert.is_nil(text.find("aba", "", 5))
    assert.equal(4, (text.find("aba", "", 4)))
  end)

  it("reads UTF-8 and counts bytes", function ()
    assert.same({ 2, 4, "酶" }, { text.find("a酶b", "(\\p{Han})") })
    assert.equal(4, (text.find("é.", "\\.", 2)) + 1)
  end)

  it("keeps positions across bytes that are not UTF-8", function ()
    assert.same({ 3, 3, "b" }, { text.find("a\xFFb", "(b)") })
    assert.same({ 2, 2, "\xFF" }, { text.find("a\xFFb", "(\\?)") })
  end)

  it("finds beyond many windows of starting positions", function ()
    local far = string.rep("x", 300000)
    assert.equal(300001, (text.find(far .. "yz", "y(?=z)")))
    assert.same({ 1, 300008 },
      { text.find(far .. "</think>", "(?s)x.*?</think>") })
  end)

  it("ends on a pathological expression", function ()
    for _, case in ipairs {
      { string.rep("a", 40) .. "!", "(a+)+[bc]" },
      { string.rep("a", 200000), "(a*)*[bc]" },
      { string.rep("ab", 50000), "(?:a|b|ab)*[cd]" },
      { string.rep("x", 100000), "(x+x+)+[yz]" },
    } do
      local started = os.clock()
      local ok, message = pcall(text.find, case[1], case[2])
      assert.is_false(ok)
      assert.equal("the regular expression takes too long on this text: make "
        .. "it more specific, or the text shorter", message)
      assert.is_true(os.clock() - started < 10)
    end
  end)

  it("bounds the memory of recursion", function ()
    local ok = pcall(text.find, string.rep("(", 200000), "(\\((?1)*\\)?)+z")
    assert.is_boolean(ok)
  end)

  it("names what is wrong with an expression", function ()
    assert.has_error(function () text.find("", "a(b") end,
      "bad argument #2 to 'find' (regular expression, at byte 4: "
      .. "missing closing parenthesis)")
    assert.has_error(function () text.find("", string.rep("a", 5000)) end,
      "bad argument #2 to 'find' (the regular expression is longer than 4096 "
      .. "bytes)")
    assert.has_error(function () text.find("", "\\C") end)
  end)

  it("looks at one place for what is anchored there", function ()
    local far = string.rep("x", 64) .. "a"
    assert.is_nil((text.find(far, [[\Ga]])))
    assert.is_nil((text.find(far, "^a")))
    assert.equal(65, (text.find(far, [[\Ga]], 65)))
    assert.equal(65, (text.find(string.rep("x", 63) .. "\na", "(?m)^a")))
  end)

  it("keeps no more expressions than its store holds", function ()
    for i = 1, 1000 do
      assert.equal(1, (text.find("v" .. i, "v" .. i .. "$")))
    end
  end)
end)

describe("core.text.all", function ()
  it("lists matches that do not overlap", function ()
    assert.same({ { 1, 2, "aa" }, { 3, 4, "aa" } }, text.all("aaaaa", "(aa)"))
    assert.same({}, text.all("", "a"))
  end)

  it("begins at `init` and looks back beyond it", function ()
    assert.same({ { 3, 3 }, { 5, 5 } }, text.all("abaca", "a", 2))
    assert.same({ { 5, 5 } }, text.all("abaca", "(?<=c)a|(?<!b)a(?!b)", 3))
    assert.same({}, text.all("aa", "a", 9))
  end)

  it("ends where each match is quick and all of them are not", function ()
    local started = os.clock()
    local ok, message = pcall(text.all, string.rep("a", 1000000) .. "b", "a(?=.*b)")
    assert.is_false(ok)
    assert.truthy(string.find(message, "takes too long on this text", 1, true))
    assert.is_true(os.clock() - started < 10)
  end)

  it("steps over empty matches by whole characters", function ()
    assert.same({ { 1, 0 }, { 3, 2 } }, text.all("é", ""))
    assert.same({ { 1, 2 }, { 3, 2 }, { 4, 3 } }, text.all("aab", "a*"))
  end)
end)

describe("core.text.utf8", function ()
  local cases = {
    { "", "", false }, { "plain ASCII of some length", nil, false },
    { "eight by\u{1f600}tes", nil, false }, { "a\xffb", "a\u{fffd}b", true },
    { "\xe2\x82", "\u{fffd}\u{fffd}", true },
    { "12345678\xc0", "12345678\u{fffd}", true },
    { "\xed\xa0\x80x", "\u{fffd}\u{fffd}\u{fffd}x", true },
  }
  for i, case in ipairs(cases) do
    it("case " .. i, function ()
      assert.same({ case[2] or case[1], case[3] }, { text.utf8(case[1]) })
    end)
  end
end)

describe("core.text", function ()
  it("makes visible what a terminal would act on", function ()
    for given, shown in pairs {
      ["plain, é, 酶\n\t"] = "plain, é, 酶\n\t",
      ["\27[31m\r\0\127"] = "\\x1B[31m\\x0D\\x00\\x7F",
      ["\u{202E}\u{200B}\u{FEFF}\u{85}"] = "\\u{202E}\\u{200B}\\u{FEFF}\\u{85}",
      ["\xC0\xAF\xED\xA0\x80\xF5\xE2\x82"] =
        "\\xC0\\xAF\\xED\\xA0\\x80\\xF5\\xE2\\x82",
    } do
      assert.equal(shown, text.printable(given))
    end
  end)

  it("counts columns", function ()
    for line, columns in pairs {
      [""] = 0, ["abc"] = 3, ["é"] = 1, ["e\u{301}"] = 1, ["酶 EC"] = 5,
      ["\u{1F9EC}"] = 2, ["\xFF\xFF"] = 2,
    } do
      assert.equal(columns, text.width(line))
    end
  end)

  it("trims in one pass", function ()
    assert.same({ "a b", 3 }, { text.trim("\t a b \r\n") })
    assert.same({ "", 4 }, { text.trim "   " })
    assert.same({ "", 1 }, { text.trim "" })
    assert.equal("x", (text.trim("**`x_", "*_`")))
    assert.equal(" x ", (text.trim(" x ", "")))
    local blanks = string.rep(" ", 1000000)
    assert.equal("a" .. blanks .. "b", (text.trim("a" .. blanks .. "b")))
  end)

  it("digests", function ()
    assert.equal("ba7816bf8f01cfea414140de5dae2223"
      .. "b00361a396177a9cb410ff61f20015ad", text.sha256("abc"))
    assert.equal("e3b0c44298fc1c149afbf4c8996fb924"
      .. "27ae41e4649b934ca495991b7852b855", text.sha256(""))
  end)

  it("stays the same when another library takes over", function ()
    local first = {}
    for n = 0, 130 do first[n] = text.sha256(string.rep("x", n)) end
    text.sha256(string.rep("y", 1000000))
    for n = 0, 130 do assert.equal(first[n], text.sha256(string.rep("x", n))) end
    assert.equal("cdc76e5c9914fb9281a1c7e284d73e67"
      .. "f1809a48a497200e046d39ccc7112cd0", text.sha256(string.rep("a", 1000000)))
  end)
end)
