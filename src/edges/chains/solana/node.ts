import { z } from "zod"
import { transient } from "#lib/app-error.ts"
import { readBlockMs, readRecentFees, readSlot } from "./read-slot.ts"
import type { RpcReader } from "./rpc.ts"
import { integer } from "./spend/recent-fees.ts"

/**
 * Creates a typed client for the Solana RPC methods that Ballast needs. Amounts are lamports as
 * bigint; heights are slots unless the name says block height. Throws the errors of `createRpc`.
 *
 * Method names and shapes follow the Solana JSON-RPC documentation. Reads use the view's
 * `commitment`, and history at least `confirmed`. With `minSlot`, an answer about an earlier slot
 * is a failure of the endpoint: `solana.node_behind` (transient). A status counts as such an answer
 * too; only a transaction's content, a rent and recent fees have no slot.
 */
export function createNode(rpc: RpcReader, view: NodeView) {
  const { commitment, minSlot = null } = view
  const at = { commitment, ...boundOf(view) }
  const readAt = async <T>(method: string, params: readonly unknown[], form: z.ZodType<T>) => {
    const { context, value } = await rpc.read(method, params, inContext(form))
    const { slot } = context
    // A proxy may drop `minContextSlot`, and statuses know no such parameter.
    if (minSlot === null || slot >= minSlot) return { slot, value }
    throw transient(
      "solana.node_behind",
      `the node answers ${method} about slot ${slot}, before the agreed slot ${minSlot}; Ballast ` +
        "asks again",
      { method, slot: `${slot}`, minSlot: `${minSlot}` },
    )
  }
  /** The account together with the slot that the answer is about. */
  const fetchAccountAt = async (address: string) => {
    const asked = [address, { ...at, encoding: "base64" }]
    const { slot, value } = await readAt("getAccountInfo", asked, account.nullable())
    return { slot, account: value }
  }
  return {
    ...createHistory(rpc, view),
    fetchSlot: () => readSlot(rpc.read, commitment),
    /** Blocks up to the newest one: fewer than slots. Blockhashes expire by it. */
    fetchBlockHeight: () => rpc.read("getBlockHeight", [{ commitment }], integer),
    fetchBlockMs: (slot: bigint) => readBlockMs(rpc.read, slot),
    /** The earliest slot of which the endpoint still has blocks and transactions. */
    fetchFirstSlot: () => rpc.read("getFirstAvailableBlock", [], integer),
    fetchBalance: async (address: string) =>
      (await readAt("getBalance", [address, at], integer)).value,
    /** The rent minimum, in lamports, of an account with this many bytes of data. */
    fetchRent: (bytes: number) => rpc.read("getMinimumBalanceForRentExemption", [bytes], integer),
    fetchBlockhash: async () => (await readAt("getLatestBlockhash", [at], blockhash)).value,
    /** Whether a transaction with this blockhash may still enter a block after `slot`. */
    fetchBlockhashState: async (hash: string) => {
      const { slot, value: isValid } = await readAt("isBlockhashValid", [hash, at], z.boolean())
      return { slot, isValid }
    },
    fetchAccount: async (address: string) => (await fetchAccountAt(address)).account,
    fetchAccountAt,
    fetchRecentFees: (addresses: readonly string[]) => readRecentFees(rpc.read, addresses),
    /** Of base64 without signatures; the answer holds the later state of the accounts `watched`. */
    simulate: async (transaction: string, watched: readonly string[]) => {
      const accounts = { addresses: watched, encoding: "base64" }
      const how = { encoding: "base64", sigVerify: false, replaceRecentBlockhash: true, accounts }
      const asked = [transaction, { ...at, ...how }]
      return (await readAt("simulateTransaction", asked, simulation)).value
    },
    /** Searched in all blocks that the endpoint has up to `slot`. */
    fetchStatus: async (txid: string) => {
      const asked = [[txid], { searchTransactionHistory: true }]
      const form = z.tuple([status.nullable()])
      const { slot, value } = await readAt("getSignatureStatuses", asked, form)
      return { slot, status: value[0] }
    },
  }
}

/** The reads of blocks that are past. */
function createHistory(rpc: RpcReader, view: NodeView) {
  const commitment = view.commitment === "finalized" ? "finalized" : "confirmed"
  return {
    /** Newest first, at most `SIGNATURE_PAGE`, including failed transactions. */
    findSignatures: (address: string, before: string | null): Promise<SignatureEntry[]> => {
      const from = before === null ? {} : { before }
      const page = { commitment, limit: SIGNATURE_PAGE, ...from, ...boundOf(view) }
      return rpc.read("getSignaturesForAddress", [address, page], z.array(signature))
    },
    fetchTransaction: (txid: string): Promise<FoundTransaction | null> => {
      const params = { commitment, encoding: "base64", maxSupportedTransactionVersion: 0 }
      return rpc.read("getTransaction", [txid, params], transaction.nullable())
    },
  }
}

function boundOf({ minSlot = null }: NodeView): { readonly minContextSlot?: number } {
  return minSlot === null ? {} : { minContextSlot: Number(minSlot) }
}

export type Commitment = "confirmed" | "finalized"

/** `minSlot`: no answer may be about an earlier slot; absent where any slot will do. */
export type NodeView = { readonly commitment: Commitment; readonly minSlot?: bigint | null }

export type SolanaNode = ReturnType<typeof createNode>

export const SIGNATURE_PAGE = 1_000

export type Account = z.infer<typeof account>
export type SignatureEntry = z.infer<typeof signature>
export type FoundTransaction = z.infer<typeof transaction>
export type TransactionStatus = z.infer<typeof status>

const base64 = z
  .tuple([z.string(), z.literal("base64")])
  .transform(([text]) => Buffer.from(text, "base64"))

function inContext<T>(value: z.ZodType<T>) {
  return z.object({ context: z.object({ slot: integer }), value })
}

const blockhash = z.object({ blockhash: z.string(), lastValidBlockHeight: integer })
const account = z.object({
  lamports: integer,
  owner: z.string(),
  data: base64,
  executable: z.boolean().optional(),
})

const simulation = z.object({
  err: z.unknown(),
  logs: z.array(z.string()).nullish(),
  accounts: z.array(account.nullable()).nullish(),
})

const status = z.object({
  slot: integer,
  err: z.unknown(),
  confirmationStatus: z.enum(["processed", "confirmed", "finalized"]).nullish(),
})

const signature = status.extend({ signature: z.string() })

const tokenBalance = z.object({
  accountIndex: z.int(),
  mint: z.string(),
  uiTokenAmount: z.object({ amount: z.string().regex(/^\d+$/).transform(BigInt) }),
})

const innerInstruction = z.object({
  programIdIndex: z.int(),
  accounts: z.array(z.int()),
  data: z.string(),
})

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
    loadedAddresses: z
      .object({ writable: z.array(z.string()), readonly: z.array(z.string()) })
      .nullish(),
    /** `index` is the place of the outer instruction that made these calls. */
    innerInstructions: z
      .array(z.object({ index: z.int().optional(), instructions: z.array(innerInstruction) }))
      .nullish(),
  }),
})
