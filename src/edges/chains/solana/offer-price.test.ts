import { Keypair } from "@solana/web3.js"
import { describe, expect, test } from "vitest"
import { type Asset, parseAssetId, toChainId } from "#domain/asset.ts"
import type { RedeemStake } from "#domain/redeem-fee-cap.ts"
import { AppError } from "#lib/app-error.ts"
import { buildRedeem } from "./htlc.ts"
import { readComputeBudget, readTransaction } from "./legs/read-transaction.ts"
import type { PlanningNode } from "./nodes/planning-node.ts"
import { planRedeem } from "./spend/redeem.ts"
import type { Wallet } from "./wallet.ts"

const us = Keypair.generate().publicKey
const solver = Keypair.generate().publicKey
const program = Keypair.generate().publicKey
const secret = Buffer.alloc(32, 9)
const chain = toChainId("solana_testnet")
const sol: Asset = {
  id: parseAssetId("solana_testnet:sol"),
  chain,
  decimals: 9,
  token: null,
  htlc: [`${program}`],
}
const wallet: Wallet = {
  chain,
  account: `${us}`,
  assets: [sol],
  maxPriorityFeeMicroLamports: 1_000_000n,
}
const call = buildRedeem(program, { initiator: solver, redeemer: us }, secret)
const WORTH = 1_000_000_000n
const LOCK = 144n

/**
 * The price of a redemption with this much of its lock left, where the endpoints have these
 * estimates.
 */
async function priceAt(
  left: bigint | null,
  prices: readonly bigint[] | null,
  asked: string[][] = [],
): Promise<bigint> {
  const stake: RedeemStake | null =
    left === null ? null : { left, timelock: LOCK, worthUnits: WORTH }
  // CAST: planning asks nothing else.
  const node = {
    fetchPrices: async (_cap: bigint, ...accounts: string[]) => {
      asked.push(accounts)
      if (prices === null)
        throw new AppError({ code: "solana.unreachable", disposition: "transient", message: "" })
      return prices
    },
    fetchBalance: async () => 2n * WORTH,
    fetchRent: async () => 0n,
    fetchAccount: async () => ({ lamports: 1n, owner: `${program}`, data: Buffer.alloc(0) }),
    simulate: async () => ({
      err: null,
      logs: [],
      accounts: [{ lamports: 2n * WORTH, owner: "", data: Buffer.alloc(0) }],
    }),
    fetchLife: async () => ({ fromHeight: 1n, blockhash: `${solver}`, lastValidBlockHeight: 9n }),
  } as unknown as PlanningNode
  const open = { asset: sol, program, units: 0n, call }
  const plan = await planRedeem(open, stake, wallet, node)
  if ("refused" in plan) throw new Error(JSON.stringify(plan.refused))
  const transaction = readTransaction.fromMessage(Buffer.from(plan.unsigned, "base64"))
  return readComputeBudget(transaction?.instructions ?? []).unitPriceMicroLamports ?? 0n
}

describe("the price of a redemption", () => {
  test("is asked for the accounts that it writes", async () => {
    const asked: string[][] = []
    await priceAt(LOCK, [5n], asked)
    const written = call.keys
      .filter(({ isWritable }) => isWritable)
      .map(({ pubkey }) => `${pubkey}`)
    expect(asked).toEqual([[...new Set([`${us}`, ...written])]])
  })

  test("rises in all 24 attempts of a lock in which idle blocks take a price of 0", async () => {
    const offers: bigint[] = []
    for (let left = LOCK; left >= 0n; left -= 6n) offers.push(await priceAt(left, [0n]))
    expect(offers[0]).toBe(10_000n)
    expect(offers.every((offer, at) => at === 0 || offer > (offers[at - 1] ?? 0n))).toBe(true)
    expect(offers[16]).toBe(1_000_000n)
    // 100 000 compute units for nearly all of the payout.
    expect(offers[24]).toBeGreaterThan(9_000_000_000n)
  })

  test("is the higher of two estimates, and no more than the cap by one node's word", async () => {
    expect(await priceAt(LOCK, [1n, 300_000n])).toBe(300_000n)
    expect(await priceAt(LOCK, [30_000n, 10n ** 15n])).toBe(1_000_000n)
    expect(await priceAt(null, [30_000n])).toBe(30_000n)
  })

  test("waits for no endpoint that has no estimate", async () => {
    for (const prices of [null, []]) {
      expect(await priceAt(null, prices)).toBe(10_000n)
      expect(await priceAt(24n, prices)).toBeGreaterThan(1_000_000n)
    }
  })
})
