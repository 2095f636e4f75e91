import { EDAMode, ETransactionVersion3, hash } from "starknet"
import { z } from "zod"
import { AppError } from "#lib/app-error.ts"
import { encodeShortString, feltSchema, formatFelt } from "../felt.ts"
import { type Call, decodeMulticall } from "../htlc.ts"
import type { View } from "../nodes/reference-block.ts"

/**
 * A transaction in a block that used one of the account's nonces. `calls`: `null` for another kind
 * of transaction.
 */
export type StarknetNonceUse = {
  readonly txid: string
  readonly height: bigint
  readonly blockHash: string
  readonly calls: readonly Call[] | null
}

/**
 * Finds the transaction by which the account used this nonce: proof that no other transaction with
 * the nonce can land. It finds the block by the account's nonce at older and older heights, then by
 * bisection, and reads the block's transactions. The hash of the found transaction is computed
 * again from its fields.
 *
 * Throws `starknet.rival_unknown` (transient) if the endpoint cannot show such a transaction, so
 * that absence alone never excludes one.
 */
export async function findStarknetNonceUse(
  view: View,
  account: { readonly felt: bigint; readonly chainId: string },
  nonce: bigint,
): Promise<StarknetNonceUse> {
  const height = await findHeight(view, account.felt, nonce)
  const params = [{ block_number: Number(height) }]
  const block = await view.read("starknet_getBlockWithTxs", params, blockSchema)
  const user = block.transactions.find(
    (tx) => tx.sender_address === account.felt && tx.nonce === nonce,
  )
  if (user === undefined || block.block_number !== Number(height))
    throw unknownRival(view, nonce, height)
  const txid = formatFelt(user.transaction_hash)
  if (!isHashOf(user, account.chainId)) throw unknownRival(view, nonce, height)
  return { txid, height, blockHash: formatFelt(block.block_hash), calls: readCalls(user) }
}

/** The first block after which the account's nonce is above `nonce`. */
async function findHeight(view: View, account: bigint, nonce: bigint): Promise<bigint> {
  const isUsedAt = async (height: bigint): Promise<boolean> => {
    const found = await view.read(
      "starknet_getNonce",
      [{ block_number: Number(height) }, formatFelt(account)],
      feltSchema,
    )
    return found > nonce
  }
  let used = view.block.height
  let step = 1n
  let unused: bigint | null = null
  while (unused === null && used > 0n) {
    const height = used > step ? used - step : 0n
    // Before its deployment the account has no nonce.
    if (await isUsedAt(height).catch(falseIfNotDeployed)) used = height
    else unused = height
    step *= 2n
  }
  while (unused !== null && used - unused > 1n) {
    const middle = (used + unused) / 2n
    if (await isUsedAt(middle).catch(falseIfNotDeployed)) used = middle
    else unused = middle
  }
  return used
}

function falseIfNotDeployed(error: unknown): false {
  if (error instanceof AppError && error.details["rpcCode"] === 20) return false
  throw error
}

const felts = z.array(feltSchema)
const boundSchema = z.object({ max_amount: feltSchema, max_price_per_unit: feltSchema })
const modeSchema = z.enum(["L1", "L2"])

/**
 * The fields of an INVOKE of version 3 that its hash covers. Other kinds of transactions have
 * others.
 */
const invokeSchema = z.object({
  type: z.literal("INVOKE"),
  version: z.literal("0x3"),
  sender_address: feltSchema,
  calldata: felts,
  nonce: feltSchema,
  resource_bounds: z.object({ l1_gas: boundSchema, l2_gas: boundSchema, l1_data_gas: boundSchema }),
  tip: feltSchema,
  paymaster_data: felts,
  account_deployment_data: felts,
  nonce_data_availability_mode: modeSchema,
  fee_data_availability_mode: modeSchema,
})

const transactionSchema = z.looseObject({
  transaction_hash: feltSchema,
  sender_address: feltSchema.optional(),
  nonce: feltSchema.optional(),
})
const blockSchema = z.object({
  block_number: z.int().nonnegative(),
  block_hash: feltSchema,
  transactions: z.array(transactionSchema),
})

/** Only an INVOKE of version 3 can be checked; that is the kind which Ballast signs. */
function isHashOf(found: z.infer<typeof transactionSchema>, chainId: string): boolean {
  const { transaction_hash: given, sender_address, nonce, ...rest } = found
  const shown = {
    ...rest,
    sender_address: formatFelt(sender_address ?? 0n),
    nonce: formatFelt(nonce ?? 0n),
  }
  const parsed = invokeSchema.safeParse(shown)
  if (!parsed.success) return found["type"] !== "INVOKE" || found["version"] !== "0x3"
  const tx = parsed.data
  const hashed = hash.calculateInvokeTransactionHash({
    senderAddress: tx.sender_address,
    version: ETransactionVersion3.V3,
    compiledCalldata: tx.calldata.map(formatFelt),
    // CAST: the library's type lists two networks; the hash takes the chain id as any felt.
    chainId: formatFelt(encodeShortString(chainId)) as "0x534e5f5345504f4c4941",
    nonce: tx.nonce,
    accountDeploymentData: tx.account_deployment_data,
    nonceDataAvailabilityMode: EDAMode[tx.nonce_data_availability_mode],
    feeDataAvailabilityMode: EDAMode[tx.fee_data_availability_mode],
    resourceBounds: tx.resource_bounds,
    tip: tx.tip,
    paymasterData: tx.paymaster_data,
  })
  return BigInt(hashed) === given
}

function readCalls(found: z.infer<typeof transactionSchema>): readonly Call[] | null {
  const isInvoke = found["type"] === "INVOKE" && found["version"] === "0x3"
  const calldata = felts.safeParse(found["calldata"])
  return isInvoke && calldata.success ? decodeMulticall(calldata.data) : null
}

function unknownRival(view: View, nonce: bigint, height: bigint): AppError {
  return new AppError({
    code: "starknet.rival_unknown",
    disposition: "transient",
    message:
      "The Starknet endpoint cannot show the transaction that used our nonce; Ballast asks again",
    details: { host: view.host, nonce, height },
  })
}
