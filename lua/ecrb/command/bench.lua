-- `ecrb bench ...`: benchmarks made, checked and looked at.

return require "ecrb.actions"("bench", "make, check and show benchmarks",
  { "import", "evidence", "check", "show", "predictions" })
