-- Every item of a run ends in exactly one of these; their counts sum to n.

return { "answered", "abstained", "invalid", "unreadable", "refused",
         "truncated", "failed", "script" }
