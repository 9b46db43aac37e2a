local counted = require "ecrb.counted"

describe("counted", function ()
  it("takes the form that belongs to the number before it", function ()
    assert.equal("1 row", counted("%d {row|rows}", 1))
    assert.equal("0 rows", counted("%d {row|rows}", 0))
    assert.equal("a: 2 rows of {x|y}, 1 item has none",
      counted("%s: %d {row|rows} of %s, %d {item has|items have} none", "a", 2, "{x|y}", 1))
    assert.equal("1% of 1 leaf, it is",
      counted("%.0f%% of %d {leaf|leaves}, {it is|they are}", 1, 1))
  end)
end)
