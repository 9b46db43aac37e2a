-- `ecrb bench ...`: benchmarks made, checked and looked at.

return require "ecrb.actions"("bench", "make, check and show benchmarks",
  { "import", "fetch", "evidence", "check", "show", "predictions" })
