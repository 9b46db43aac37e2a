-- A key that comes back from a server, in whatever spelling, is gone before
-- anybody reads it.
local json = require "ecrb.json"
local pack = require "core.pack"
local pieces = require "ecrb.wire.pieces"
local secret = require "ecrb.wire.secret"
local system = require "core.system"
local text = require "core.text"

local KEY = "sk-Ab/9+x_canary&\"Z\\q"

local function key_of(value)
  local real = system.getenv
  system.getenv = function() return value end
  local key = secret.read { key_variable = "K",
                      auth = { header = "Authorization", prefix = "Bearer " } }
  system.getenv = real
  return assert(key)
end

local function each_byte(words, form)
  return (string.gsub(words, ".", function(byte)
    return string.format(form, string.byte(byte))
  end))
end

local function url_letters(words)
  return (string.gsub(words, "[+/]", { ["+"] = "-", ["/"] = "_" }))
end

-- The text as JSON has it within a string.
local function within(words)
  return string.sub(json.encode(words), 2, -2)
end

local slashed = string.gsub(within(KEY), "/", "\\/")
local page = string.gsub(KEY, '[&"<>]', { ["&"] = "&amp;", ['"'] = "&quot;" })

local spellings = {
  ["as it is"] = KEY,
  ["as JSON writes it"] = within(KEY),
  ["as JSON writes it with escaped slashes"] = slashed,
  ["in \\u escapes"] = each_byte(KEY, "\\u%04x"),
  ["in \\u escapes of capitals"] = each_byte(KEY, "\\u%04X"),
  ["in \\x escapes"] = each_byte(KEY, "\\x%02x"),
  ["one letter escaped"] = "s\\u006b" .. string.sub(within(KEY), 3),
  ["JSON within JSON"] = within(within(each_byte(KEY, "\\u%04x"))),
  ["in an address"] = each_byte(KEY, "%%%02X"),
  ["in an address, marks alone"] = (string.gsub(KEY, "[^%w]", function(mark)
    return string.format("%%%02x", string.byte(mark))
  end)),
  ["in an address, twice"] = each_byte(KEY, "%%25%02x"),
  ["in an address within JSON"] = each_byte(each_byte(KEY, "%%%02x"), "\\u%04x"),
  ["in a page"] = page,
  ["in a page by numbers"] = each_byte(KEY, "&#%d;"),
  ["in a page by hexadecimal numbers"] = each_byte(KEY, "&#x%x;"),
  ["in hexadecimal"] = each_byte(KEY, "%02x"),
  ["in capital hexadecimal"] = each_byte(KEY, "%02X"),
}
for before = 0, 5 do
  local letters = pack.base64(string.rep("Q", before) .. KEY .. ":and more")
  spellings["in base64 behind " .. before] = letters
  spellings["in base64 of addresses behind " .. before] = url_letters(letters)
  spellings["in base64 within JSON behind " .. before]
    = string.gsub(letters, "/", "\\/")
end

local codes = text.words()
for _, code in ipairs { KEY, pack.base64("Q" .. KEY), each_byte(KEY, "%02x") } do
  codes:add(code)
end

-- What a reader who knows the encodings can make of a text.
local function decoded(words)
  return text.without(words, codes, "\0")
end

describe("a key that comes back", function()
  local key = key_of(KEY)
  for name, spelling in pairs(spellings) do
    it("is taken out " .. name, function()
      local clean = key.redact("before " .. spelling .. " after " .. spelling)
      assert.truthy(string.find(clean, "^before .*%[key%].* after .*%[key%]"))
      assert.is_nil(string.find(decoded(clean), "\0", 1, true))
      for length = 12, #spelling do
        local middle = string.sub(spelling, (length + 1) // 2,
                                  (length + 1) // 2 + 11)
        assert.is_nil(string.find(clean, middle, 1, true), middle)
      end
    end)
  end

  it("leaves a JSON text one", function()
    for _, name in ipairs { "as JSON writes it", "in \\u escapes",
                            "as JSON writes it with escaped slashes",
                            "one letter escaped" } do
      local clean = key.redact('{"a":"\\n' .. spellings[name] .. '\\n"}')
      assert.same({ a = "\n[key]\n" }, json.decode(clean))
    end
  end)

  it("is taken out where the text ends in it", function()
    assert.equal("x [key]", key.redact("x " .. string.sub(KEY, 1, 8)))
    assert.equal("x [key]", key.redact("x " .. string.sub(KEY, 1, -2)))
    assert.equal("x [key]", key.redact("x "
      .. string.sub(spellings["in \\u escapes"], 1, 50)))
    local most = string.sub(KEY, 1, 7)
    assert.equal("x " .. most, key.redact("x " .. most))
    assert.equal(most .. " x", key.redact(most .. " x"))
  end)

  it("is nothing else", function()
    local other = within(KEY .. "\u{1F600}100% \\u00e9 &amp &#; &#x; \\") .. "%4"
    other = string.gsub(other, "canary", "cannery")
    assert.equal(other, key.redact(other))
    assert.equal("", key.redact(""))
  end)

  it("is taken out by whatever key was read, the longest first", function()
    local short, long = key_of "sk-one-two-three", key_of "sk-one-two-three-four"
    local none = secret.read { key_optional = true }
    for _, each in ipairs { short, long, none, key } do
      assert.equal("[key] [key] [key]", each.redact("sk-one-two-three " .. KEY
        .. " sk-one-two-three-four"))
    end
  end)

  it("that is too short to be a secret stays", function()
    assert.equal("none of it", key_of("none").redact("none of it"))
    assert.equal("[key] of it", key_of("long-one").redact("long-one of it"))
  end)

  it("takes time by the length of the text alone", function()
    local started = os.clock()
    for _, piece in ipairs { "\\", "%25", "&amp;", "&#38;", "\\u005c", "s\\u006b",
                             "sk-Ab", "\\\\u0025" } do
      key.redact(string.rep(piece, 400000 // #piece))
    end
    assert.is_true(os.clock() - started < 10)
  end)
end)

describe("a key in pieces", function()
  local redact = key_of("sk-canary-5f1c").redact

  it("is seen in what was joined", function()
    for _, outcome in ipairs {
      { ok = true, text = "it is sk-canary-5f1c" },
      { ok = true, text = "B", reasoning = "sk-canary-5f1c" },
      { ok = true, call = { arguments = { a = { "sk-canary-5f1c" } } } },
      { ok = false, message = "the model refused: sk-canary-5f1c" },
    } do
      assert.is_true(pieces.hold_key(redact, outcome, ""))
    end
    assert.is_false(pieces.hold_key(redact, { ok = true, text = "B" },
                                    '"a":"sk-canary-","a":"5f1c"'))
  end)

  it("is seen in what was never joined", function()
    local body = 'data: {"choices":[{"delta":{"content":"sk-"}}]}\n\n'
      .. 'data: {"choices":[{"delta":{"content":"canar\\u0079"}}]}\n\n'
      .. 'data: {"choices":[{"delta":{"content":"-5f1c"}}]}\n\n'
    assert.is_true(pieces.hold_key(redact, { ok = false }, body))
    assert.is_false(pieces.hold_key(redact, { ok = false },
                                    string.gsub(body, "5f", "6f")))
  end)
end)
