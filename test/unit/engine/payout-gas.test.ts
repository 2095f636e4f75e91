import { describe, expect, test } from "vitest"
import { parseAssetId } from "#domain/asset.ts"
import { findMissingGas, readPayoutGas } from "#engine/orders/route/payout-gas.ts"
import { failure } from "../../support/faults.ts"

const TO = parseAssetId("arbitrum:usdc")
const CCTP = { to: TO, kind: "cctp" } as const
const FEE = 7n

/** A destination with this much of its coin; `null` for a port that cannot tell. */
function context(haveUnits: bigint | null | Error, fee: bigint | Error = FEE) {
  const leg = { estimateRedeemFee: async () => (fee instanceof Error ? Promise.reject(fee) : fee) }
  const fetchNativeBalance = async () =>
    haveUnits instanceof Error ? Promise.reject(haveUnits) : haveUnits
  const port = {
    chain: "arbitrum",
    account: "us",
    routeLegs: new Map([["cctp", leg]]),
    ...(haveUnits === null ? {} : { native: { fetchNativeBalance } }),
  }
  // CAST: only these parts of the destination are read.
  return { chains: new Map([["arbitrum", port]]) } as unknown as Parameters<typeof readPayoutGas>[0]
}

describe("the coin for a payout that our own transaction takes", () => {
  test("is enough for three times the fee, and not for a unit less", async () => {
    expect(await readPayoutGas(context(21n), CCTP)).toEqual({ feeUnits: FEE, reasons: [] })
    expect(await readPayoutGas(context(20n), CCTP)).toMatchObject({
      feeUnits: FEE,
      reasons: [{ code: "route.payout_gas", need: "21", have: "20", chain: "arbitrum" }],
    })
    expect(await findMissingGas(context(20n), CCTP)).toHaveLength(1)
    expect(await findMissingGas(context(21n), CCTP)).toEqual([])
  })

  test("is not asked of a chain that cannot tell it, nor where a service pays out", async () => {
    expect(await readPayoutGas(context(null), CCTP)).toEqual({ feeUnits: FEE, reasons: [] })
    expect(await readPayoutGas(context(0n), { to: TO })).toBeNull()
    expect(await findMissingGas(context(0n), { to: TO })).toEqual([])
  })

  const silent = failure("transient", "evm.unreachable")
  test.each([
    ["the balance", context(silent)],
    ["the fee", context(100n, silent)],
  ])("is missing where a node does not tell %s", async (_what, of) => {
    const reasons = [{ code: "evm.unreachable", message: silent.message }]
    expect(await readPayoutGas(of, CCTP)).toEqual({ feeUnits: 0n, reasons })
  })

  test("is an error of its own otherwise", async () => {
    for (const error of [failure("refused"), failure("uncertain"), new Error("a mistake of ours")])
      await expect(readPayoutGas(context(error), CCTP)).rejects.toBe(error)
  })
})
