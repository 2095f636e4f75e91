import { WBTC } from "../instant-world.ts"
import { atMost, type Part } from "../row.ts"
import { measureOrders } from "../run-orders.ts"

const SIXTEEN = { count: 16, atOnce: 16 }

/** Sixteen deposits of one token beside sixteen of the native coin. */
export const tokens: Part = async () => {
  const native = await measureOrders(SIXTEEN)
  const token = await measureOrders({ ...SIXTEEN, from: WBTC })
  return [
    { what: "16 deposits of one ERC-20 token", value: token.seconds, unit: "s", goal: null },
    {
      what: "the same beside 16 native deposits",
      value: token.seconds / native.seconds,
      unit: "×",
      goal: atMost(1.5),
    },
    { what: "commits of a token's order", value: token.commits, unit: "", goal: atMost(15) },
  ]
}
