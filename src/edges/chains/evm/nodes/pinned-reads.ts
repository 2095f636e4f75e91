import { type Hex, numberToHex, zeroAddress } from "viem"
import { AppError } from "#lib/app-error.ts"
import type { RpcClient } from "#nodes/rpc-client.ts"
import { isReverted } from "./dialect.ts"

/**
 * The requests of one read, with the block of each state named by its hash (EIP-1898,
 * `requireCanonical`). So every answer about a state is about exactly this block of the endpoint's
 * own chain, whichever request or backend gives it, and the check of the block may be part of the
 * same batch.
 *
 * A node that ignores the hash would answer for another block. It would also answer for a hash that
 * no block has, so that is asked in the same batch until the endpoint has proven itself.
 */
export type PinnedReads = {
  readonly request: (method: string, params: unknown) => Promise<unknown>
  /**
   * Every answer so far is about a block by its hash, and all but states of the named block, which
   * never change, have begun in the same batch.
   */
  readonly isOneRound: () => boolean
  /** The searches so far have found events, which name their blocks. */
  readonly noteNamed: () => void
  /** The endpoint refused a block by its hash, which does not tell why. */
  readonly isRefused: () => boolean
  /**
   * The endpoint has answered for this block alone. Waits for the answer about the unknown hash.
   */
  readonly isHonoured: () => Promise<boolean>
}

export function createPinnedReads(
  reads: Pick<RpcClient, "read" | "round">,
  { height, hash }: { readonly height: bigint; readonly hash: Hex },
  isProven: boolean,
): PinnedReads {
  const number = numberToHex(height)
  const pin = { blockHash: hash, requireCanonical: true }
  let round: number | null = null
  let isOneRound = true
  let isNamed = true
  let isRefused = false
  let probe: Promise<boolean> | null = null

  function ask(method: string, params: unknown, isState = true): Promise<unknown> {
    const answer = reads.read(method, params)
    round ??= reads.round()
    if (!isState && reads.round() !== round) isOneRound = false
    return answer
  }

  return {
    request: (method, params) => {
      const place = BLOCK_PLACES[method]
      const isAtBlock = place !== undefined && Array.isArray(params) && params[place] === number
      if (!isAtBlock) {
        if (!NAMING.has(method)) isNamed = false
        return ask(method, params, false)
      }
      if (!isProven)
        probe ??= ask("eth_getBalance", [zeroAddress, NO_BLOCK]).then(() => false, isRefusal)
      return ask(method, params.with(place, pin)).catch((error: unknown) => {
        isRefused ||= isRefusal(error)
        throw error
      })
    },
    isOneRound: () => isOneRound && isNamed,
    noteNamed: () => {
      isNamed = true
    },
    isRefused: () => isRefused,
    isHonoured: async () => !isRefused && (probe === null || (await probe)),
  }
}

/** Where the parameters of a question about a state name its block. */
const BLOCK_PLACES: Readonly<Record<string, number>> = {
  eth_call: 1,
  eth_getBalance: 1,
  eth_getCode: 1,
  eth_getStorageAt: 2,
  eth_getTransactionCount: 1,
}

/** A search for events is not among them: its silence names no block. */
const NAMING: ReadonlySet<string> = new Set([
  "eth_getBlockByNumber",
  "eth_getTransactionReceipt",
  "eth_getTransactionByHash",
])

const NO_BLOCK = { blockHash: `0x${"b10c".repeat(16)}`, requireCanonical: true }

/** The node's own error for a question. A revert is an answer. */
function isRefusal(error: unknown): boolean {
  return error instanceof AppError && error.code === "evm.rpc" && !isReverted(error)
}
