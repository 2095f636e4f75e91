import { expect, test } from "vitest"
import { judgeBalance } from "./judge-balance.ts"

const quiet = { inUnits: 0n, outUnits: 0n }

test.each([
  ["agrees", 100n, quiet],
  ["surplus", 101n, quiet],
  ["missing", 99n, quiet],
  ["unsettled", 101n, { inUnits: 5n, outUnits: 0n }],
  ["unsettled", 101n, { inUnits: 0n, outUnits: 5n }],
  ["missing", 99n, { inUnits: 5n, outUnits: 0n }],
  ["unsettled", 95n, { inUnits: 0n, outUnits: 5n }],
  ["missing", 94n, { inUnits: 9n, outUnits: 5n }],
] as const)(
  "a balance %s when the books say 100 and the chain says %s",
  (verdict, chainUnits, pending) => {
    expect(judgeBalance(100n, chainUnits, pending)).toBe(verdict)
  },
)
