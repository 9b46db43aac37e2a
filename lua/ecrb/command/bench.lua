-- `ecrb bench ...`: benchmarks made, checked and looked at.

return require "ecrb.actions"("bench", "Makes, checks and shows benchmarks",
  { "import", "check", "show" })
