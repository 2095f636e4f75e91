import { expect, test } from "vitest"
import { listOrders } from "../../../src/app/cli/actions/orders/list-orders.ts"
import type { CommandContext } from "../../../src/app/cli/define-command.ts"

// CAST: the state is judged before anything else is read.
const context = { clock: { now: () => 0 }, env: {} } as unknown as CommandContext
const ask = (state: string) =>
  listOrders(context, { state, open: false, limit: 5, "data-dir": "/nowhere" })

test("a state with a slip is refused with the nearest one, and not answered with no orders", async () => {
  await expect(ask("hel")).rejects.toThrow(/there is no state hel \(did you mean held\?\)/)
  await expect(ask("refund-watch")).rejects.not.toThrow(/there is no state/)
})
