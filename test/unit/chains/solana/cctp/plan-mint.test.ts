import { PublicKey, VersionedTransaction } from "@solana/web3.js"
import { beforeEach, describe, expect, test } from "vitest"
import { planMint } from "#chains/solana/cctp/plan-ends.ts"
import { readBurnPermissions } from "#chains/solana/cctp/read-rules.ts"
import type { PlanningNode } from "#chains/solana/nodes/planning-node.ts"
import { checkPlan } from "#chains/solana/spend/check-plan.ts"
import { TOKEN_PROGRAM } from "#chains/solana/tokens.ts"
import { mustExist } from "#lib/assert.ts"
import { encodeBurnMessage } from "#routes/cctp/message.ts"
import { messengerState } from "#sandbox/solana/cctp-program.ts"
import {
  ACCOUNTS,
  ASSET,
  CHAIN,
  KEY,
  MESSAGE,
  RULES,
  STRANGER,
  TABLE,
  TOKEN_ACCOUNT,
  tableOf,
  WALLET,
} from "./sample-burn.ts"

const BURNS = mustExist(readBurnPermissions(RULES, { chain: CHAIN, preset: "solana" }), "the burns")
const RENT = 953_520n
const TABLES = "AddressLookupTab1e1111111111111111111111111"
const BLOCKHASH = new PublicKey(Buffer.alloc(32, 5)).toBase58()

/** The units that the program takes, and the limits of the dry runs. */
let needed: bigint
let tried: bigint[]
let lamports: bigint

beforeEach(() => {
  needed = 200_000n
  tried = []
  lamports = 1_000_000_000n
})

function tokensOf(units: bigint): Buffer {
  const data = Buffer.alloc(165)
  ACCOUNTS.mint.toBuffer().copy(data, 0)
  KEY.publicKey.toBuffer().copy(data, 32)
  data.writeBigUInt64LE(units, 64)
  data[108] = 1
  return data
}

/** The layout of a table: 56 bytes of its head, then its addresses. */
function tableData(): Buffer {
  const head = Buffer.alloc(56)
  head.writeUInt32LE(1)
  head.writeBigUInt64LE(2n ** 64n - 1n, 4)
  return Buffer.concat([head, ...tableOf(TABLE).state.addresses.map((one) => one.toBuffer())])
}

const accounts = new Map([
  [
    ACCOUNTS.messengerState.toBase58(),
    { owner: ACCOUNTS.messenger.toBase58(), data: messengerState(STRANGER) },
  ],
  [TABLE.toBase58(), { owner: TABLES, data: tableData() }],
  [TOKEN_ACCOUNT.toBase58(), { owner: TOKEN_PROGRAM.toBase58(), data: tokensOf(0n) }],
])

const node = {
  fetchAccount: async (address: string) => {
    const found = accounts.get(address)
    return found === undefined ? null : { ...found, lamports: 1n }
  },
  fetchRent: async () => RENT,
  fetchBalance: async () => lamports,
  fetchPrices: async () => [500n],
  fetchLife: async () => ({ fromHeight: 1n, blockhash: BLOCKHASH, lastValidBlockHeight: 200n }),
  simulate: async (text: string, watched: readonly string[]) => {
    const { message } = VersionedTransaction.deserialize(Buffer.from(text, "base64"))
    const limit = Buffer.from(message.compiledInstructions[0]?.data ?? []).readUInt32LE(1)
    tried.push(BigInt(limit))
    const isEnough = BigInt(limit) >= needed
    const paid = MESSAGE.amountUnits - MESSAGE.feeExecutedUnits
    const ours = {
      owner: KEY.publicKey.toBase58(),
      data: Buffer.alloc(0),
      lamports: lamports - RENT,
    }
    const filled = { owner: TOKEN_PROGRAM.toBase58(), data: tokensOf(paid), lamports: 1n }
    return {
      err: isEnough ? null : { InstructionError: [2, "ComputationalBudgetExceeded"] },
      logs: [],
      accounts: watched.map((one) => (one === WALLET.account ? ours : filled)),
    }
  },
  // CAST: the other reads are not used.
} as unknown as PlanningNode

function plan(units = MESSAGE.amountUnits) {
  const own = { wallet: WALLET, burns: BURNS, asset: mustExist(WALLET.assets[0], "the asset") }
  const fields = { message: encodeBurnMessage(MESSAGE), attestation: `0x${"11".repeat(130)}` }
  // CAST: the mint reads the amount of the deposit alone.
  const payout = { asset: ASSET, deposit: { units } as never, owner: WALLET.account }
  return planMint(own, payout, { kind: "cctp", nonce: MESSAGE.nonce, fields }, node)
}

describe("a mint on Solana", () => {
  test("has the usual limit of compute units, which the key signs", async () => {
    const planned = await plan()
    if ("refused" in planned) throw new Error(JSON.stringify(planned.refused))
    expect(tried).toEqual([350_000n])
    expect(planned.maxFeeUnits).toBe(RENT + 5_000n + 175n)
    expect(() => checkPlan(planned, WALLET)).not.toThrow()
  })

  test("gets the highest one where the program takes more, for nothing else ends a burn", async () => {
    needed = 350_001n
    const planned = await plan()
    if ("refused" in planned) throw new Error(JSON.stringify(planned.refused))
    expect(tried).toEqual([350_000n, 1_400_000n])
    expect(planned.maxFeeUnits).toBe(RENT + 5_000n + 700n)
    expect(() => checkPlan(planned, WALLET)).not.toThrow()
  })

  test("that fails with every limit is refused with the first reason", async () => {
    needed = 1_400_001n
    expect(await plan()).toMatchObject({ refused: [{ code: "solana.simulation" }] })
  })

  test("of another amount than the order's is refused before any dry run", async () => {
    expect(await plan(MESSAGE.amountUnits + 1n)).toMatchObject({
      refused: [{ code: "cctp.bytes_differ" }],
    })
    expect(tried).toEqual([])
  })

  test("without coin for its fee is refused", async () => {
    lamports = RENT
    expect(await plan()).toMatchObject({ refused: [{ code: "funds.insufficient" }] })
    expect(tried).toEqual([])
  })
})
