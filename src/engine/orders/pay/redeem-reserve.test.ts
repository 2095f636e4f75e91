import { expect, test } from "vitest"
import { readRedeemReserve } from "./redeem-reserve.ts"

type Chain = Parameters<typeof readRedeemReserve>[1]
type Context = Parameters<typeof readRedeemReserve>[0]

const asset = (id: string, token: string | null, htlc = ["0x1"], chain = "a") => {
  return [id, { id, chain, token, htlc }] as const
}

/** The present fee of a redemption, and the cap that it may reach. */
function reserve(
  orders: number,
  fees: Record<string, readonly [fee: bigint | null, cap: bigint]>,
  { isKept = true, isNative = true, isFromAmount = false } = {},
): Promise<bigint> {
  const assets = new Map([
    // Those that are not paid on this chain come first.
    asset("b:eth", null, ["0x1"], "b"),
    asset("a:bare", "0x3", []),
    asset("a:eth", null),
    asset("a:usdc", "0x2"),
  ])
  // CAST: the reserve reads only these parts of its context and chain.
  const context = {
    journal: { countPaidOn: () => orders },
    settings: { assets, ownSecrets: { keeper: isKept ? {} : null } },
  } as unknown as Context
  const chain = {
    chain: "a",
    traits: { refundFeeTakenFromAmount: isFromAmount },
    native: isNative ? { fetchLeastBalance: async () => 1_000n } : undefined,
    estimateRedeemFee: async (id: string) => fees[id]?.[0] ?? null,
    capRedeemFee: (id: string) => fees[id]?.[1] ?? null,
  } as unknown as Chain
  return readRedeemReserve(context, chain)
}

test("each order in flight keeps the higher fee of coin and token, urgent or capped, and the account its least", async () => {
  const coin = { "a:eth": [10n, 0n] as const }
  const each = (await reserve(1, coin)) - 1_000n
  expect(each).toBeGreaterThan(10n)
  expect(await reserve(3, coin)).toBe(1_000n + 3n * each)
  expect(await reserve(1, { ...coin, "a:usdc": [11n, 0n] })).toBe(1_000n + (each / 10n) * 11n)
  expect(await reserve(1, { ...coin, "a:usdc": [9n, 0n] })).toBe(1_000n + each)
  expect(await reserve(1, { "a:eth": [10n, each + 1n] })).toBe(1_001n + each)
  expect(await reserve(1, { "a:eth": [null, 500n], "a:bare": [9n, 9n], "b:eth": [9n, 9n] })).toBe(
    1_000n,
  )
})

test("nothing is kept without orders, without our secrets, or where the payout pays", async () => {
  const coin = { "a:eth": [10n, 0n] as const }
  expect(await reserve(0, coin)).toBe(0n)
  expect(await reserve(1, coin, { isKept: false })).toBe(0n)
  expect(await reserve(1, coin, { isNative: false })).toBe(0n)
  expect(await reserve(1, coin, { isFromAmount: true })).toBe(0n)
})
