/** Faults in the behaviour of the solver; `faults.ts` describes each one. */
export const SOLVER_FAULTS = [
  "solverSilent",
  "lapse",
  "neverRedeem",
  "keepPayout",
  "redeemSourceOnly",
] as const
export type SolverFault = (typeof SOLVER_FAULTS)[number]
