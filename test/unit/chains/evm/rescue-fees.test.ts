import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { raiseFees, replaceFees } from "#chains/evm/fees.ts"
import { takeEvmNonce } from "#chains/evm/keys/nonces.ts"
import { toPlan } from "#chains/evm/spend/plan.ts"
import { parseUnsigned } from "#chains/evm/spend/unsigned.ts"
import type { Wallet } from "#chains/evm/wallet.ts"
import { toChainId } from "#domain/asset.ts"

const fees = (fee: bigint, tip: bigint) => ({ maxFeePerGas: fee, maxPriorityFeePerGas: tip })
const amount = fc.bigInt(0n, 10n ** 15n)

describe("a redemption with another transaction's nonce", () => {
  test("pays its own fee, and a tip that nodes take as a replacement", () => {
    expect(replaceFees(fees(900n, 20n), fees(800n, 40n))).toEqual(fees(900n, 45n))
    expect(replaceFees(fees(900n, 90n), fees(800n, 40n))).toEqual(fees(900n, 90n))
  })

  test("is none where it does not outbid that one", () => {
    expect(replaceFees(fees(899n, 90n), fees(800n, 40n))).toBeNull()
    expect(replaceFees(fees(44n, 9n), fees(1n, 40n))).toBeNull()
  })

  test("is the same call", () => {
    // CAST: a plan needs no more of the wallet.
    const wallet = { chain: toChainId("base"), account: `0x${"11".repeat(20)}` } as Wallet
    const to = `0x${"22".repeat(20)}` as const
    const tx = {
      chainId: 8453,
      nonce: 9,
      to,
      value: 0n,
      data: "0xabcd" as const,
      gas: 100_000n,
      ...fees(900n, 90n),
    }
    const meta = { attempt: 3, spends: [], fromHeight: 5n }
    const own = toPlan(wallet, { ...meta, action: "redeem" }, tx)
    const other = toPlan(
      wallet,
      { ...meta, action: "void" },
      { ...tx, to: wallet.account, data: "0x", nonce: 7, ...fees(10n, 1n) },
    )
    const moved = takeEvmNonce(wallet, own, other)
    expect(moved).toMatchObject({
      action: "redeem",
      attempt: 0,
      resources: ["nonce:7"],
      maxFeeUnits: own.maxFeeUnits,
    })
    expect(parseUnsigned(moved?.unsigned ?? "")).toEqual({ ...tx, nonce: 7 })
    expect(takeEvmNonce(wallet, other, own)).toBeNull()
  })
})

test("fees rise within the limits and the wallet's own coin, and never fall", () => {
  const limit = { fee: 1_000n, tip: 50n, mostPerGas: 400n }
  expect(raiseFees(fees(100n, 5n), (each) => each * 9n, limit)).toEqual(fees(400n, 45n))
  expect(raiseFees(fees(100n, 5n), (each) => each * 99n, { ...limit, mostPerGas: 5_000n })).toEqual(
    fees(1_000n, 50n),
  )
  fc.assert(
    fc.property(amount, amount, amount, amount, (fee, offered, most, coin) => {
      const old = fees(fee, fee / 2n)
      const raised = raiseFees(old, () => offered, { fee: most, tip: most, mostPerGas: coin })
      expect(raised.maxFeePerGas).toBeGreaterThanOrEqual(old.maxFeePerGas)
      expect(raised.maxPriorityFeePerGas).toBeGreaterThanOrEqual(old.maxPriorityFeePerGas)
      expect(raised.maxPriorityFeePerGas).toBeLessThanOrEqual(raised.maxFeePerGas)
      if (raised.maxFeePerGas > fee)
        expect(raised.maxFeePerGas).toBeLessThanOrEqual(coin < most ? coin : most)
    }),
  )
})
