import { expect, test } from "vitest"
import { measureOrders } from "../../../bench/run-orders.ts"
import { SLOWNESS } from "../../support/slowness.ts"

/*
 * A bound on the commits of an order with group commit, on disk and by the real clock, so that it
 * says nothing of an emulated processor.
 */

test.skipIf(SLOWNESS > 1)(
  "orders side by side share their commits, each of which is one fsync",
  {
    timeout: 60_000,
  },
  async () => {
    const { commits, requests } = await measureOrders({ count: 32, atOnce: 32 })
    expect(commits).toBeLessThanOrEqual(3)
    expect(requests).toBeLessThanOrEqual(14)
  },
)
