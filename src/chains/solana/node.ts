import { z } from "zod"
import type { Rpc } from "./rpc.ts"

/**
 * Creates a typed client for the Solana RPC methods that Ballast needs. Amounts are lamports as bigint; heights are
 * slots unless the name says block height. Throws the errors of `createRpc`.
 *
 * Method names and shapes follow the Solana JSON-RPC documentation. Reads use `commitment`, and history at least
 * `confirmed`.
 */
export function createNode(rpc: Rpc, commitment: Commitment): SolanaNode {
  const historyCommitment = commitment === "finalized" ? "finalized" : "confirmed"
  return {
    fetchSlot: () => rpc.read("getSlot", [{ commitment }], integer),
    fetchBalance: async (address) =>
      (await rpc.read("getBalance", [address, { commitment }], inContext(integer))).value,
    fetchRent: (bytes) => rpc.read("getMinimumBalanceForRentExemption", [bytes], integer),
    fetchBlockhash: async () => (await rpc.read("getLatestBlockhash", [{ commitment }], inContext(blockhash))).value,
    fetchAccount: async (address) => {
      const params = [address, { commitment, encoding: "base64" }]
      return (await rpc.read("getAccountInfo", params, inContext(account.nullable()))).value
    },
    fetchRecentFees: (addresses) => rpc.read("getRecentPrioritizationFees", [addresses], recentFees),
    simulate: async (transaction, watched) => {
      const accounts = { addresses: watched, encoding: "base64" }
      const params = { commitment, encoding: "base64", sigVerify: false, replaceRecentBlockhash: true, accounts }
      return (await rpc.read("simulateTransaction", [transaction, params], inContext(simulation))).value
    },
    findSignatures: (address, before) => {
      const page = { commitment: historyCommitment, limit: SIGNATURE_PAGE, ...(before === null ? {} : { before }) }
      return rpc.read("getSignaturesForAddress", [address, page], z.array(signature))
    },
    fetchTransaction: (txid) => {
      const params = { commitment: historyCommitment, encoding: "base64", maxSupportedTransactionVersion: 0 }
      return rpc.read("getTransaction", [txid, params], transaction.nullable())
    },
    fetchFinality: async (url, txid) => {
      // The order matters: a status that is read after the height covers every block up to that height.
      const slot = await rpc.readFrom(url, "getSlot", [{ commitment: "finalized" }], integer)
      const blockHeight = await rpc.readFrom(url, "getBlockHeight", [{ commitment: "finalized" }], integer)
      const params = [[txid], { searchTransactionHistory: true }]
      const { context, value } = await rpc.readFrom(url, "getSignatureStatuses", params, inContext(statuses))
      return {
        finalizedBlockHeight: context.slot < slot ? 0n : blockHeight,
        slot: context.slot,
        status: value[0] ?? null,
      }
    },
  }
}

export type Commitment = "confirmed" | "finalized"

export type SolanaNode = {
  fetchSlot(): Promise<bigint>
  fetchBalance(address: string): Promise<bigint>
  /** The rent minimum, in lamports, of an account with this many bytes of data. */
  fetchRent(bytes: number): Promise<bigint>
  fetchBlockhash(): Promise<z.infer<typeof blockhash>>
  fetchAccount(address: string): Promise<Account | null>
  /** Prices in micro-lamports per compute unit that recent blocks charged for writes to these addresses. */
  fetchRecentFees(addresses: readonly string[]): Promise<bigint[]>
  /** Simulates a base64 transaction without signatures; the answer holds the later state of the accounts `watched`. */
  simulate(transaction: string, watched: readonly string[]): Promise<z.infer<typeof simulation>>
  /** Newest first, at most `SIGNATURE_PAGE`, including failed transactions. */
  findSignatures(address: string, before: string | null): Promise<SignatureEntry[]>
  fetchTransaction(txid: string): Promise<FoundTransaction | null>
  /**
   * Reads the status of a transaction from one endpoint, and the finalized block height up to which that status is
   * complete. The height is 0 if the answers contradict each other (a load balancer with nodes at different slots).
   */
  fetchFinality(url: string, txid: string): Promise<Finality>
}

export const SIGNATURE_PAGE = 1_000

export type Account = z.infer<typeof account>
export type SignatureEntry = z.infer<typeof signature>
export type FoundTransaction = z.infer<typeof transaction>
export type Finality = {
  readonly finalizedBlockHeight: bigint
  readonly slot: bigint
  readonly status: z.infer<typeof statuses>[number]
}

const integer = z.union([z.int().nonnegative(), z.bigint().nonnegative()]).transform(BigInt)
const base64 = z.tuple([z.string(), z.literal("base64")]).transform(([text]) => Buffer.from(text, "base64"))
const confirmationStatus = z.enum(["processed", "confirmed", "finalized"])

function inContext<T>(value: z.ZodType<T>) {
  return z.object({ context: z.object({ slot: integer }), value })
}

const blockhash = z.object({ blockhash: z.string(), lastValidBlockHeight: integer })
const account = z.object({ lamports: integer, owner: z.string(), data: base64, executable: z.boolean().optional() })
const recentFees = z.array(z.object({ prioritizationFee: integer }).transform((entry) => entry.prioritizationFee))

const simulation = z.object({
  err: z.unknown(),
  logs: z.array(z.string()).nullish(),
  accounts: z.array(account.nullable()).nullish(),
})

const signature = z.object({
  signature: z.string(),
  slot: integer,
  err: z.unknown(),
  confirmationStatus: confirmationStatus.nullish(),
})

const statuses = z.array(
  z.object({ slot: integer, err: z.unknown(), confirmationStatus: confirmationStatus.nullish() }).nullable(),
)

const tokenBalance = z.object({
  accountIndex: z.int(),
  mint: z.string(),
  uiTokenAmount: z.object({ amount: z.string().regex(/^\d+$/).transform(BigInt) }),
})

const innerInstruction = z.object({ programIdIndex: z.int(), accounts: z.array(z.int()), data: z.string() })

const transaction = z.object({
  slot: integer,
  transaction: base64,
  meta: z.object({
    err: z.unknown(),
    fee: integer,
    preBalances: z.array(integer),
    postBalances: z.array(integer),
    preTokenBalances: z.array(tokenBalance).nullish(),
    postTokenBalances: z.array(tokenBalance).nullish(),
    loadedAddresses: z.object({ writable: z.array(z.string()), readonly: z.array(z.string()) }).nullish(),
    /** `index` is the place of the outer instruction that made these calls. */
    innerInstructions: z
      .array(z.object({ index: z.int().optional(), instructions: z.array(innerInstruction) }))
      .nullish(),
  }),
})
