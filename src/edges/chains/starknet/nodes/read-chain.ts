import type { z } from "zod"
import { says } from "#nodes/node-words.ts"
import { feltSchema, formatFelt, u256Schema } from "../felt.ts"
import { SELECTORS } from "../htlc.ts"
import { RPC_CODES, rpcCodeOf, type StarknetNode } from "../rpc.ts"
import { readNumbered } from "./read-head.ts"

/** Reads of one block, at one endpoint. */
export type BlockReader = Pick<StarknetNode, "read"> & { readonly at: BlockId }

type BlockId = { readonly block_hash: string } | { readonly block_number: number }

/** Reads the account's next nonce; `null` if the account is not deployed. */
export function fetchNonce(view: BlockReader, account: bigint): Promise<bigint | null> {
  const at = [view.at, formatFelt(account)]
  return orElse(null, isContractMissing, view.read("starknet_getNonce", at, feltSchema))
}

/**
 * Reads `balance_of`, or `balanceOf` if a token has only the older name. In the token's smallest
 * unit.
 */
export async function fetchTokenBalance(
  view: BlockReader,
  token: bigint,
  owner: bigint,
): Promise<bigint> {
  const { balanceOfSnake, balanceOfCamel } = SELECTORS
  const found = await callIfThere(view, token, balanceOfSnake, [owner], u256Schema)
  return found ?? call(view, token, balanceOfCamel, [owner], u256Schema)
}

export function fetchAllowance(
  view: BlockReader,
  token: bigint,
  ...owners: readonly [owner: bigint, spender: bigint]
): Promise<bigint> {
  return call(view, token, SELECTORS.allowance, owners, u256Schema)
}

function call<T>(
  view: BlockReader,
  to: bigint,
  selector: bigint,
  calldata: readonly bigint[],
  schema: z.ZodType<T>,
): Promise<T> {
  const request = {
    contract_address: formatFelt(to),
    entry_point_selector: formatFelt(selector),
    calldata: calldata.map(formatFelt),
  }
  return view.read("starknet_call", [request, view.at], schema)
}

/** The same; `null` where the contract has no such view. */
export function callIfThere<T>(...asked: Parameters<typeof call<T>>): Promise<T | null> {
  return orElse(null, isEntryPointMissing, call(...asked))
}

/** The class of the contract at an address; `null` where there is none. */
export function fetchClassHash(view: BlockReader, address: bigint): Promise<bigint | null> {
  const at = [view.at, formatFelt(address)]
  return orElse(null, isContractMissing, view.read("starknet_getClassHashAt", at, feltSchema))
}

/** `other` for the failure that says that there is no such thing. */
async function orElse<T, O>(
  other: O,
  isMissing: (error: unknown) => boolean,
  asked: Promise<T>,
): Promise<T | O> {
  try {
    return await asked
  } catch (error) {
    if (isMissing(error)) return other
    throw error
  }
}

function isContractMissing(error: unknown): boolean {
  return rpcCodeOf(error) === RPC_CODES.contractNotFound
}

/** Nodes report this with its own code, or inside a contract error. */
function isEntryPointMissing(error: unknown): boolean {
  const code = rpcCodeOf(error)
  if (code === RPC_CODES.entryPointNotFound) return true
  return code === RPC_CODES.contractError && says(error, "entry-point")
}

/** Whether Ethereum has accepted the block of this hash at this height. */
export async function isOnL1(
  view: BlockReader,
  { height, blockHash }: { readonly height: bigint; readonly blockHash: string },
): Promise<boolean> {
  const block = await readNumbered(view.read, height)
  return block.isOnL1 && block.hash === blockHash
}
