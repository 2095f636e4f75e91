import { z } from "zod"
import { formatFelt, joinU256, readFelt } from "../felt.ts"
import { SELECTORS } from "../htlc.ts"
import { RPC_CODES, rpcCodeOf, rpcDataOf, type StarknetNode } from "../rpc.ts"

/** Parses a felt from the node's text. */
export const feltSchema = z.string().transform((text, context) => {
  const felt = readFelt(text)
  if (felt !== null) return felt
  context.addIssue({ code: "custom", message: "not a felt" })
  return z.NEVER
})

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
  const found = await orElse(
    null,
    isEntryPointMissing,
    call(view, token, balanceOfSnake, [owner], u256Schema),
  )
  return found ?? call(view, token, balanceOfCamel, [owner], u256Schema)
}

export async function fetchAllowance(
  view: BlockReader,
  token: bigint,
  owner: bigint,
  spender: bigint,
): Promise<bigint> {
  return call(view, token, SELECTORS.allowance, [owner, spender], u256Schema)
}

const u256Schema = z.array(feltSchema).transform((felts, context) => {
  const units = felts.length === 2 ? joinU256(felts[0], felts[1]) : null
  if (units !== null) return units
  context.addIssue({ code: "custom", message: "not a u256" })
  return z.NEVER
})

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

/** An order in the contract's storage. */
export type StoredOrder = {
  readonly isFulfilled: boolean
  readonly initiator: bigint
  readonly redeemer: bigint
  readonly timelock: bigint
  readonly units: bigint
}

/**
 * Reads `get_order`: `null` if the contract has no order of this id, `unreadable` if it has no such
 * view, or one with another number of fields. The fields are `fulfilled_at, initiator, redeemer,
 * initiated_at, timelock, amount` (published client's ABI).
 */
export async function fetchOrder(
  view: BlockReader,
  htlc: bigint,
  orderId: bigint,
): Promise<StoredOrder | null | "unreadable"> {
  const asked = call(view, htlc, SELECTORS.getOrder, [orderId], orderSchema)
  return orElse("unreadable", isEntryPointMissing, asked)
}

const orderSchema = z.array(feltSchema).transform((felts): StoredOrder | null | "unreadable" => {
  const [fulfilledAt, initiator, redeemer, , timelock, low, high, ...more] = felts
  const units = joinU256(low, high)
  if (
    initiator === undefined ||
    redeemer === undefined ||
    timelock === undefined ||
    units === null ||
    more.length > 0
  )
    return "unreadable"
  return redeemer === 0n
    ? null
    : { isFulfilled: fulfilledAt !== 0n, initiator, redeemer, timelock, units }
})

/** The class of the contract at an address; `null` where there is none. */
export function fetchClassHash(view: BlockReader, address: bigint): Promise<bigint | null> {
  const at = [view.at, formatFelt(address)]
  return orElse(null, isContractMissing, view.read("starknet_getClassHashAt", at, feltSchema))
}

/** `null` where the contract has no such view. */
export function fetchDecimals(view: BlockReader, token: bigint): Promise<bigint | null> {
  return readOneFelt(view, token, SELECTORS.decimals)
}

/** The token that an HTLC holds; `null` where it has no such view. */
export function fetchHtlcToken(view: BlockReader, htlc: bigint): Promise<bigint | null> {
  return readOneFelt(view, htlc, SELECTORS.token)
}

async function readOneFelt(
  view: BlockReader,
  to: bigint,
  selector: bigint,
): Promise<bigint | null> {
  const asked = call(view, to, selector, [], z.array(feltSchema))
  return (await orElse(null, isEntryPointMissing, asked))?.[0] ?? null
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
  return (
    code === RPC_CODES.contractError && /ENTRYPOINT_NOT_FOUND|entry ?point/i.test(rpcDataOf(error))
  )
}

const statusSchema = z.object({
  status: z.string(),
  block_number: z.int().nonnegative(),
  block_hash: feltSchema,
})

/** Whether Ethereum has accepted the block of this hash at this height. */
export async function isOnL1(
  view: BlockReader,
  { height, blockHash }: { readonly height: bigint; readonly blockHash: string },
): Promise<boolean> {
  const params = [{ block_number: Number(height) }]
  const block = await view.read("starknet_getBlockWithTxHashes", params, statusSchema)
  return block.status === "ACCEPTED_ON_L1" && formatFelt(block.block_hash) === blockHash
}
