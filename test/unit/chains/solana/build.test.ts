import { AddressLookupTableProgram, Keypair, SystemProgram } from "@solana/web3.js"
import { describe, expect, it } from "vitest"
import { readComputeBudget, readTransaction } from "#chains/solana/legs/read-transaction.ts"
import type { SolanaNode } from "#chains/solana/node.ts"
import { createPlanningNode, type PlanningNode } from "#chains/solana/nodes/planning-node.ts"
import { planTransaction } from "#chains/solana/spend/build.ts"
import type { Wallet } from "#chains/solana/wallet.ts"
import { parseAssetId, toChainId } from "#domain/asset.ts"
import type { VerifiedDeposit } from "#domain/deposit.ts"
import { endpointsOf } from "../../../support/solana-endpoints.ts"

const SOL = parseAssetId("solana_testnet:sol")
const address = (): string => Keypair.generate().publicKey.toBase58()
const program = address()
const wallet: Wallet = {
  chain: toChainId("solana_testnet"),
  account: address(),
  assets: [
    { id: SOL, chain: toChainId("solana_testnet"), decimals: 9, token: null, htlc: [program] },
  ],
  maxPriorityFeeMicroLamports: 50_000n,
}
const RENT = 1_726_080n
const FEE = 5_000n
const HAVE = 10_000_000_000n
const UNITS = 1_000_000_000n

describe("the dry run", () => {
  it("passes when the loss lies between the amount and the amount with fee and rent", async () => {
    for (const lossUnits of [UNITS, UNITS + FEE + RENT])
      expect(await codes(nodeWith({ lossUnits }))).toEqual([])
  })

  it("refuses one lamport less and one more", async () => {
    for (const lossUnits of [UNITS - 1n, UNITS + FEE + RENT + 1n]) {
      expect(await codes(nodeWith({ lossUnits }))).toEqual(["solana.simulation"])
    }
  })

  it("proves nothing when the balance changed in the meantime", async () => {
    const balances = [HAVE, HAVE, HAVE + 7n]
    const fetchBalance = async (): Promise<bigint> => balances.shift() ?? 0n
    await expect(codes(nodeWith({ lossUnits: 0n }, { fetchBalance }))).rejects.toMatchObject({
      code: "solana.balance_moved",
    })
  })
})

describe("the price", () => {
  it("is the price that three of four recent blocks accepted, up to the cap", async () => {
    expect(await priceAt([0n, 0n])).toBe(0n)
    // An empty list is no price of 0.
    expect(await priceAt([])).toBe(10_000n)
    expect(await priceAt([4n, 1n, 3n, 2n])).toBe(4n)
    expect(await priceAt([...Array(75).fill(10n), ...Array(25).fill(900n)])).toBe(900n)
    expect(await priceAt([...Array(76).fill(10n), ...Array(24).fill(900n)])).toBe(10n)
    expect(await priceAt([2n ** 60n])).toBe(50_000n)
  })

  it("raises the highest fee of the transaction", async () => {
    const plan = await planTransaction(
      { action: "initiate", asset: SOL, deposit: deposit() },
      new Set(),
      wallet,
      nodeWith({}, fees([7n])),
    )
    expect(plan).toMatchObject({
      maxFeeUnits: FEE + 1n + RENT,
      expiresAtHeight: 150n,
      fromHeight: 90n,
    })
  })
})

describe("a refund", () => {
  const expirySlot = 90n
  const data = Buffer.alloc(120)
  Buffer.from("357e090e0ec569b6", "hex").copy(data)
  data.writeBigUInt64LE(expirySlot, 16)
  const plan = async (slot: bigint, lossUnits: bigint): Promise<string[]> => {
    const open = {
      fetchSlot: async () => slot,
      fetchAccount: async () => ({ lamports: 1n, owner: program, data }),
    }
    const node = nodeWith({ lossUnits }, open)
    return codesOf(
      await planTransaction(
        { action: "refund", asset: SOL, deposit: deposit(), swapId: "" },
        new Set(),
        wallet,
        node,
      ),
    )
  }

  it("is planned strictly after the expiry slot", async () => {
    expect(await plan(expirySlot, FEE - UNITS)).toEqual(["solana.refund_early"])
    expect(await plan(expirySlot + 1n, FEE - UNITS)).toEqual([])
  })

  it("is refused when the dry run does not return the amount", async () => {
    expect(await plan(expirySlot + 1n, FEE - UNITS + 1n)).toEqual(["solana.simulation"])
    expect(await plan(expirySlot + 1n, FEE - UNITS - RENT)).toEqual([])
  })
})

describe("lookup tables", () => {
  it("are accepted only if the lookup-table program owns them", async () => {
    const lookups = [{ table: address(), index: 0, expected: SystemProgram.programId.toBase58() }]
    const data = Buffer.concat([Buffer.from("01000000", "hex"), Buffer.alloc(52), Buffer.alloc(32)])
    const owned = (owner: string): Partial<SolanaNode> => ({
      fetchAccount: async (asked) =>
        asked === lookups[0]?.table ? { lamports: 1n, owner, data } : null,
    })
    const right = owned(AddressLookupTableProgram.programId.toBase58())
    expect(await codes(nodeWith({}, right), deposit({ extras: { lookups } }))).toEqual([])
    expect(await codes(nodeWith({}, owned(program)), deposit({ extras: { lookups } }))).toEqual([
      "solana.lookup_table",
    ])
    expect(await codes(nodeWith({}), deposit({ extras: { lookups } }))).toEqual([
      "solana.lookup_table",
    ])
  })
})

function deposit(over: Partial<VerifiedDeposit> = {}): VerifiedDeposit {
  const fields = {
    chain: wallet.chain,
    family: "solana",
    htlc: program,
    asset: SOL,
    units: UNITS,
    redeemer: program,
    refundTo: wallet.account,
    secretHash: "07".repeat(32),
    timelock: 216_000n,
    extras: { lookups: [] },
    findings: [],
    ...over,
  }
  // CAST: verifyDeposit makes this brand in the daemon; the test stands in for it.
  return fields as unknown as VerifiedDeposit
}

async function codes(node: PlanningNode, of = deposit()): Promise<string[]> {
  return codesOf(
    await planTransaction({ action: "initiate", asset: SOL, deposit: of }, new Set(), wallet, node),
  )
}

function codesOf(planned: Awaited<ReturnType<typeof planTransaction>>): string[] {
  return "refused" in planned ? planned.refused.map((reason) => reason.code) : []
}

async function priceAt(recent: bigint[]): Promise<bigint | null> {
  const node = nodeWith({}, fees(recent))
  const plan = await planTransaction(
    { action: "initiate", asset: SOL, deposit: deposit() },
    new Set(),
    wallet,
    node,
  )
  if ("refused" in plan) throw new Error(JSON.stringify(plan.refused))
  const transaction = readTransaction.fromMessage(Buffer.from(plan.unsigned, "base64"))
  return readComputeBudget(transaction?.instructions ?? []).unitPriceMicroLamports
}

function fees(recent: bigint[]): Partial<SolanaNode> {
  return { fetchRecentFees: async () => recent }
}

/** A node with a dry run that takes `lossUnits` from the account. */
function nodeWith(run: { lossUnits?: bigint }, over: Partial<SolanaNode> = {}): PlanningNode {
  const lossUnits = run.lossUnits ?? UNITS + FEE + RENT
  const node: Partial<SolanaNode> = {
    fetchSlot: async () => 90n,
    fetchBalance: async () => HAVE,
    fetchRent: async (bytes) => (bytes === 0 ? 890_880n : RENT),
    fetchBlockHeight: async () => 40n,
    fetchBlockhash: async () => ({ blockhash: program, lastValidBlockHeight: 150n }),
    fetchAccount: async () => null,
    fetchRecentFees: async () => [0n],
    simulate: async () => ({
      err: null,
      accounts: [{ lamports: HAVE - lossUnits, owner: "", data: Buffer.alloc(0) }],
    }),
    ...over,
  }
  // CAST: planning calls no other method of the node.
  return createPlanningNode(node as SolanaNode, endpointsOf([node]), "confirmed")
}
