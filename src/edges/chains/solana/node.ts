import { z } from "zod"
import { type AppError, transient } from "#lib/app-error.ts"
import type { RpcReader } from "./rpc.ts"
import { recentFees } from "./spend/recent-fees.ts"

/**
 * Creates a typed client for the Solana RPC methods that Ballast needs. Amounts are lamports as
 * bigint; heights are slots unless the name says block height. Throws the errors of `createRpc`.
 *
 * Method names and shapes follow the Solana JSON-RPC documentation. Reads use the view's
 * `commitment`, and history at least `confirmed`. With `minSlot`, an answer about an earlier slot
 * is a failure of the endpoint: `solana.node_behind` (transient). A status counts as such an answer
 * too; only a transaction's content, a rent and recent fees have no slot.
 */
export function createNode(rpc: RpcReader, view: NodeView): SolanaNode {
  const { commitment, minSlot = null } = view
  const bound = boundOf(view)
  const readAt = async <T>(method: string, params: readonly unknown[], value: z.ZodType<T>) => {
    const answer = await rpc.read(method, params, inContext(value))
    const { slot } = answer.context
    // A proxy may drop `minContextSlot`, and statuses know no such parameter.
    if (minSlot !== null && slot < minSlot) throw behind(method, slot, minSlot)
    return { slot, value: answer.value }
  }
  const fetchAccountAt = (address: string) =>
    readAt(
      "getAccountInfo",
      [address, { commitment, encoding: "base64", ...bound }],
      account.nullable(),
    )
  return {
    ...createHistory(rpc, view),
    fetchSlot: () => rpc.read("getSlot", [{ commitment }], integer),
    fetchBlockHeight: () => rpc.read("getBlockHeight", [{ commitment }], integer),
    fetchBlockMs: async (slot) => {
      const seconds = await rpc.read("getBlockTime", [Number(slot)], integer.nullable())
      return seconds === null ? null : Number(seconds) * 1_000
    },
    fetchFirstSlot: () => rpc.read("getFirstAvailableBlock", [], integer),
    fetchBalance: async (address) =>
      (await readAt("getBalance", [address, { commitment, ...bound }], integer)).value,
    fetchRent: (bytes) => rpc.read("getMinimumBalanceForRentExemption", [bytes], integer),
    fetchBlockhash: async () =>
      (await readAt("getLatestBlockhash", [{ commitment, ...bound }], blockhash)).value,
    fetchBlockhashState: async (hash) => {
      const { slot, value } = await readAt(
        "isBlockhashValid",
        [hash, { commitment, ...bound }],
        z.boolean(),
      )
      return { slot, isValid: value }
    },
    fetchAccount: async (address) => (await fetchAccountAt(address)).value,
    fetchAccountAt: async (address) => {
      const { slot, value } = await fetchAccountAt(address)
      return { slot, account: value }
    },
    fetchRecentFees: (addresses) =>
      rpc.read("getRecentPrioritizationFees", [addresses], recentFees),
    simulate: async (transaction, watched) => {
      const accounts = { addresses: watched, encoding: "base64" }
      const params = {
        commitment,
        encoding: "base64",
        sigVerify: false,
        replaceRecentBlockhash: true,
        accounts,
        ...bound,
      }
      return (await readAt("simulateTransaction", [transaction, params], simulation)).value
    },
    fetchStatus: async (txid) => {
      const { slot, value } = await readAt(
        "getSignatureStatuses",
        [[txid], { searchTransactionHistory: true }],
        z.tuple([status.nullable()]),
      )
      return { slot, status: value[0] }
    },
  }
}

/** The reads of blocks that are past. */
function createHistory(
  rpc: RpcReader,
  view: NodeView,
): Pick<SolanaNode, "findSignatures" | "fetchTransaction"> {
  const commitment = view.commitment === "finalized" ? "finalized" : "confirmed"
  return {
    findSignatures: (address, before) => {
      const page = {
        commitment,
        limit: SIGNATURE_PAGE,
        ...(before === null ? {} : { before }),
        ...boundOf(view),
      }
      return rpc.read("getSignaturesForAddress", [address, page], z.array(signature))
    },
    fetchTransaction: (txid) => {
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

export type SolanaNode = {
  fetchSlot(): Promise<bigint>
  /**
   * The number of blocks up to the newest one; it is lower than the slot number. Blockhashes expire
   * by it.
   */
  fetchBlockHeight(): Promise<bigint>
  /**
   * The time of the block at this slot, in milliseconds; `null` where the endpoint does not know
   * it.
   */
  fetchBlockMs(slot: bigint): Promise<number | null>
  /** The earliest slot of which the endpoint still has blocks and transactions. */
  fetchFirstSlot(): Promise<bigint>
  fetchBalance(address: string): Promise<bigint>
  /** The rent minimum, in lamports, of an account with this many bytes of data. */
  fetchRent(bytes: number): Promise<bigint>
  fetchBlockhash(): Promise<z.infer<typeof blockhash>>
  /** Whether a transaction with this blockhash may still enter a block after `slot`. */
  fetchBlockhashState(hash: string): Promise<{ slot: bigint; isValid: boolean }>
  fetchAccount(address: string): Promise<Account | null>
  /** The account together with the slot that the answer is about. */
  fetchAccountAt(address: string): Promise<{ slot: bigint; account: Account | null }>
  /**
   * Prices in micro-lamports per compute unit that recent blocks charged for writes to these
   * addresses.
   */
  fetchRecentFees(addresses: readonly string[]): Promise<bigint[]>
  /**
   * Simulates a base64 transaction without signatures; the answer holds the later state of the
   * accounts `watched`.
   */
  simulate(transaction: string, watched: readonly string[]): Promise<z.infer<typeof simulation>>
  /** Newest first, at most `SIGNATURE_PAGE`, including failed transactions. */
  findSignatures(address: string, before: string | null): Promise<SignatureEntry[]>
  fetchTransaction(txid: string): Promise<FoundTransaction | null>
  /** The status of a transaction, searched in all blocks that the endpoint has up to `slot`. */
  fetchStatus(txid: string): Promise<{ slot: bigint; status: TransactionStatus | null }>
}

export const SIGNATURE_PAGE = 1_000

export type Account = z.infer<typeof account>
export type SignatureEntry = z.infer<typeof signature>
export type FoundTransaction = z.infer<typeof transaction>
export type TransactionStatus = z.infer<typeof status>

function behind(method: string, slot: bigint, minSlot: bigint): AppError {
  return transient(
    "solana.node_behind",
    `the node answers ${method} about slot ${slot}, before the agreed slot ${minSlot}; Ballast ` +
      "asks again",
    { method, slot: `${slot}`, minSlot: `${minSlot}` },
  )
}

const integer = z.union([z.int().nonnegative(), z.bigint().nonnegative()]).transform(BigInt)
const base64 = z
  .tuple([z.string(), z.literal("base64")])
  .transform(([text]) => Buffer.from(text, "base64"))
const confirmationStatus = z.enum(["processed", "confirmed", "finalized"])

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

const signature = z.object({
  signature: z.string(),
  slot: integer,
  err: z.unknown(),
  confirmationStatus: confirmationStatus.nullish(),
})

const status = z.object({
  slot: integer,
  err: z.unknown(),
  confirmationStatus: confirmationStatus.nullish(),
})

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
