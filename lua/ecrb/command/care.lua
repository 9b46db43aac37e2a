-- `ecrb care ...`: CARE's own rule on ranking files, and files for it.

return require "ecrb.actions"("care",
  "CARE's own rule on ranking files, and rankings for it",
  { "export", "random", "retrieve", "score" })
