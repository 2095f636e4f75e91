import { expect, test } from "vitest"
import type { OrderData } from "#order/data.ts"
import { arrive } from "#order/pace.ts"
import { sampleData } from "../../support/sample-job.ts"

// CAST: the status is all that counts.
const OWN = { status: "unknown" } as OrderData["ownSecret"]

test.each([
  ["within the second of a usual poll", 2_000, null, 900],
  ["at the poll of an order that looks more often", 250, null, 250],
  ["at once with a secret of our own, whose lock runs", 2_000, OWN, 20],
] as const)("a sent transaction is looked for %s", (_when, pollMinMs, ownSecret, expected) => {
  const { policy } = sampleData()
  const data = sampleData({}, { policy: { ...policy, pollMinMs }, ownSecret })
  const event = { type: "transaction.sent", txid: "a", at: 7 } as const
  expect(arrive(data, event, "sent")).toMatchObject({ waitMs: expected, tries: 0, stateSince: 7 })
})
