import { expect, test } from "vitest"
import { requiresApproval } from "./requires-approval.ts"

const request = { sourceUnits: 100n }
const value = (sourceFiat: bigint | null) => ({ sourceFiat, feesFiat: null, nativePrice: null })

test("an order above the limit needs an approval, and one of exactly the limit needs none", () => {
  const units = (limit: bigint) =>
    requiresApproval({
      policy: { approveAbove: { kind: "units", units: limit } },
      request,
      quote: null,
    })
  expect([units(100n), units(99n)]).toEqual([false, true])
  expect(requiresApproval({ policy: { approveAbove: null }, request, quote: null })).toBe(false)
})

test(
  "the value that limits count decides, before the quote's own value; an unknown value needs " +
    "an approval",
  () => {
    // CAST: only the value of the quote is read.
    const quote = { sourceFiat: 1n } as NonNullable<Parameters<typeof requiresApproval>[0]["quote"]>
    const fiat = (sourceFiat: bigint | null, own: typeof quote | null) =>
      requiresApproval({
        policy: { approveAbove: { kind: "fiat", fiat: 50n } },
        request,
        quote: own,
        value: value(sourceFiat),
      })
    expect([fiat(51n, quote), fiat(50n, quote), fiat(null, quote), fiat(null, null)]).toEqual([
      true,
      false,
      false,
      true,
    ])
  },
)
