import { expect, test } from "vitest"
import { describePayoutDeadline } from "./describe-payout-deadline.ts"

const AT = "2026-03-04T09:30:00.000Z"
const NOW = Date.parse("2026-03-04T06:18:00.000Z")
const known = { at: AT, height: "1234", offerUnits: null, capUnits: null }

test.each([
  [{}, NOW, null],
  [
    { payoutDeadline: known },
    NOW,
    "before 2026-03-04 09:30 UTC (height 1234, 3 h 12 min left, estimated); no redemption of " +
      "ours is signed yet",
  ],
  [
    { payoutDeadline: { ...known, offerUnits: "2100" } },
    NOW + 4 * 3_600_000,
    "before 2026-03-04 09:30 UTC (height 1234, over since 48 min, estimated); our newest " +
      "redemption offers at most 2100 of the coin's smallest units",
  ],
  [
    { payoutDeadline: { ...known, offerUnits: "2100", capUnits: "90000" } },
    NOW,
    "before 2026-03-04 09:30 UTC (height 1234, 3 h 12 min left, estimated); our newest " +
      "redemption offers at most 2100, and one may offer up to 90000 of the coin's smallest units",
  ],
  [
    { payoutDeadline: { ...known, capUnits: "90000" } },
    NOW,
    "before 2026-03-04 09:30 UTC (height 1234, 3 h 12 min left, estimated); no redemption of " +
      "ours is signed yet, and one may offer up to 90000 of the coin's smallest units",
  ],
  [
    { payoutDeadline: known },
    null,
    "before 2026-03-04 09:30 UTC (height 1234, estimated); no redemption of ours is signed yet",
  ],
  [
    { payoutDeadline: { at: null, height: null, offerUnits: null, capUnits: null } },
    NOW,
    "before its lock ends, at an unknown time; no redemption of ours is signed yet",
  ],
])("%o at %s is said as: %s", (order, nowMs, said) => {
  expect(describePayoutDeadline(order, nowMs)).toBe(said)
})
