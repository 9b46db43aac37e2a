-- How hard the paper's four splits are held to be (the protocol's constants), by
-- name; other splits have no such axis.

return { ["30-50"] = 0.4, price = 0.8, ["30"] = 0.9, promiscuous = 1 }
