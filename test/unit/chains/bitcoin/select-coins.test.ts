import { expect, it } from "vitest"
import { networkOf } from "#chains/bitcoin/address.ts"
import { createSigner } from "#chains/bitcoin/signer.ts"
import { selectCoins } from "#chains/bitcoin/spend/select-coins.ts"
import { btc, sampleOptions } from "../../../chains/bitcoin/sample-order.ts"

const { wallet } = createSigner({ ...sampleOptions([]), asset: btc, network: networkOf("regtest") })
const target = { script: wallet.script, units: 100_000n }
const coins = [3, 1, 2, 0].map((vout) => ({ txid: "aa".repeat(32), vout, units: 60_000n }))

it("chooses the same coins in the same order for any order of the server's list", () => {
  const chosen = selectCoins(coins, target, 2n, wallet)
  expect(chosen?.map(({ vout }) => vout)).toEqual([0, 1])
  expect(selectCoins([...coins].reverse(), target, 2n, wallet)).toEqual(chosen)
})

it("prefers coins that leave no change", () => {
  const exact = { txid: "bb".repeat(32), vout: 0, units: 100_250n }
  expect(selectCoins([...coins, exact], target, 2n, wallet)).toEqual([exact])
})

it("returns null when the coins do not cover amount and fee", () => {
  expect(selectCoins(coins.slice(0, 1), target, 2n, wallet)).toBeNull()
  expect(selectCoins([], target, 2n, wallet)).toBeNull()
})
