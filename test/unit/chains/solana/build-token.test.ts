import { Keypair, PublicKey } from "@solana/web3.js"
import { describe, expect, it } from "vitest"
import type { Account, SolanaNode } from "#chains/solana/node.ts"
import { createPlanningNode, type PlanningNode } from "#chains/solana/nodes/planning-node.ts"
import { planTransaction } from "#chains/solana/spend/build.ts"
import { deriveVault } from "#chains/solana/spl-htlc.ts"
import { deriveTokenAccount, TOKEN_PROGRAM } from "#chains/solana/tokens.ts"
import type { Wallet } from "#chains/solana/wallet.ts"
import { parseAssetId, toChainId } from "#domain/asset.ts"
import type { VerifiedDeposit } from "#domain/deposit.ts"
import { endpointsOf } from "../../../support/solana-endpoints.ts"

const key = (): PublicKey => Keypair.generate().publicKey
const [us, redeemer, program, mint] = [key(), key(), key(), key()] as const
const USDC = parseAssetId("solana_testnet:usdc")
const UNITS = 1_000n
const HAVE = 5_000n
const LAMPORTS = 10_000_000_000n
const wallet: Wallet = {
  chain: toChainId("solana_testnet"),
  account: us.toBase58(),
  assets: [
    {
      id: USDC,
      chain: toChainId("solana_testnet"),
      decimals: 6,
      token: mint.toBase58(),
      htlc: [`${program}`],
    },
  ],
  maxPriorityFeeMicroLamports: 0n,
}
const vault = deriveVault(program, mint)

describe("a planned deposit of a token", () => {
  it("is refused unless the dry run takes exactly the amount from the token account", async () => {
    expect(await codes({})).toEqual([])
    for (const tokenLoss of [UNITS - 1n, UNITS + 1n, 0n, -UNITS]) {
      expect(await codes({ tokenLoss })).toEqual(["solana.simulation"])
    }
  })

  it("is refused if the dry run takes more lamports than fee and rent, or gives some", async () => {
    expect(await codes({ loss: 5_000n + RENT })).toEqual([])
    for (const loss of [5_000n + RENT + 1n, -1n])
      expect(await codes({ loss })).toEqual(["solana.simulation"])
  })

  it("proves nothing when the tokens changed in the meantime", async () => {
    await expect(codes({ tokenLoss: 0n, changes: true })).rejects.toMatchObject({
      code: "solana.balance_moved",
    })
  })

  it(
    "is refused if the vault is frozen, the tokens are missing, or the lamports for fee and " +
      "rent are missing",
    async () => {
      expect(await codes({ vaultState: 2 })).toEqual(["solana.vault_frozen"])
      expect(await codes({ have: UNITS - 1n })).toEqual(["funds.insufficient"])
      expect(await codes({ lamports: RENT })).toEqual(["funds.insufficient"])
    },
  )

  it("is refused if the deposit's mint is not that of the asset", async () => {
    expect(await codes({ mint: key().toBase58() })).toEqual(["solana.foreign_deposit"])
  })
})

const RENT = 2_000_000n

type Scene = {
  tokenLoss?: bigint
  loss?: bigint
  vaultState?: number
  have?: bigint
  lamports?: bigint
  mint?: string
  changes?: boolean
}

async function codes(scene: Scene): Promise<string[]> {
  const deposit = depositOf(scene.mint ?? mint.toBase58())
  const planned = await planTransaction(
    { action: "initiate", asset: USDC, deposit },
    new Set(),
    wallet,
    nodeOf(scene),
  )
  return "refused" in planned ? planned.refused.map(({ code }) => code) : []
}

/**
 * A chain with the mint, our token account and the vault, so that only the swap data needs rent.
 */
function nodeOf({
  tokenLoss = UNITS,
  loss = 5_000n,
  vaultState = 1,
  have = HAVE,
  lamports = LAMPORTS,
  changes,
}: Scene): PlanningNode {
  const own = deriveTokenAccount(us, mint).toBase58()
  let reads = 0
  const fetchAccount = async (address: string): Promise<Account | null> => {
    if (address === mint.toBase58()) return mintAccount()
    if (address === vault.toBase58()) return tokenAccount(program, 0n, vaultState)
    if (address !== own) return address === swapDataOf() ? null : tokenAccount(us, 0n, 1)
    reads += 1
    return tokenAccount(us, changes && reads > 2 ? have + 1n : have, 1)
  }
  const node: Partial<SolanaNode> = {
    fetchSlot: async () => 90n,
    fetchBalance: async () => lamports,
    fetchRent: async (bytes) => (bytes === 0 ? 890_880n : RENT),
    fetchBlockHeight: async () => 40n,
    fetchBlockhash: async () => ({ blockhash: `${program}`, lastValidBlockHeight: 150n }),
    fetchAccount,
    fetchRecentFees: async () => [0n],
    simulate: async () => {
      const after = { lamports: lamports - loss, owner: "", data: Buffer.alloc(0) }
      return { err: null, accounts: [after, tokenAccount(us, have - tokenLoss, 1)] }
    },
  }
  // CAST: planning calls no other method of the node.
  return createPlanningNode(node as SolanaNode, endpointsOf([node]), "confirmed")
}

function swapDataOf(): string {
  return PublicKey.findProgramAddressSync(
    [us.toBytes(), Buffer.alloc(32, 7)],
    program,
  )[0].toBase58()
}

function mintAccount(): Account {
  const data = Buffer.alloc(82)
  data.set([6, 1], 44)
  return { lamports: 1n, owner: TOKEN_PROGRAM.toBase58(), data }
}

function tokenAccount(owner: PublicKey, units: bigint, state: number): Account {
  const data = Buffer.alloc(165)
  data.set(mint.toBytes(), 0)
  data.set(owner.toBytes(), 32)
  data.writeBigUInt64LE(units, 64)
  data.writeUInt8(state, 108)
  return { lamports: 1n, owner: TOKEN_PROGRAM.toBase58(), data }
}

function depositOf(mintText: string): VerifiedDeposit {
  const fields: Partial<VerifiedDeposit> = {
    chain: wallet.chain,
    htlc: program.toBase58(),
    asset: USDC,
    units: UNITS,
    redeemer: redeemer.toBase58(),
    refundTo: us.toBase58(),
    secretHash: "07".repeat(32),
    timelock: 10n,
    extras: {
      spl: { mint: mintText, tokenProgram: "", vault: "", tokenAccount: "", destinationData: null },
      lookups: [],
    },
  }
  // CAST: planning reads no other field of a verified deposit.
  return fields as VerifiedDeposit
}
