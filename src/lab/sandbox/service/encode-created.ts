import type { LocalChain } from "../local-chain.ts"
import type { Dialect } from "./order-wire.ts"
import type { StoredOrder } from "./stored-order.ts"

/**
 * The create answer: `order_id` and the family's fields. In dialect 2026 EVM and Starknet carry
 * `initiate_transaction` and `approval_transaction` instead of `transaction`, and Solana's
 * `versioned_tx` is base64 (field notes, Create), beside `versioned_tx_gasless`. Without gasless
 * initiation that field and `typed_data` are null.
 */
export function encodeCreated(
  order: StoredOrder,
  response: Readonly<Record<string, unknown>>,
  options: { readonly chain: LocalChain; readonly dialect: Dialect; readonly gasless: boolean },
): Record<string, unknown> {
  const created = encodeInDialect(order, response, options)
  if (options.gasless) return created
  const none = ["typed_data", "versioned_tx_gasless"].filter((field) => field in created)
  return { ...created, ...Object.fromEntries(none.map((field) => [field, null])) }
}

function encodeInDialect(
  order: StoredOrder,
  response: Readonly<Record<string, unknown>>,
  options: { readonly chain: LocalChain; readonly dialect: Dialect },
): Record<string, unknown> {
  const { family } = options.chain
  if (options.dialect === "contract") {
    // The service interface (§4) has no gasless transaction of Solana.
    const { versioned_tx_gasless: _, ...documented } = response
    return { order_id: order.id, ...documented }
  }
  if (family === "bitcoin") return { order_id: order.id, ...response }
  if (family === "solana") {
    const versioned_tx = Buffer.from(String(response["versioned_tx"]), "hex").toString("base64")
    return { order_id: order.id, versioned_tx_gasless: null, ...response, versioned_tx }
  }
  const { transaction, typed_data = null, ...rest } = response
  const approval_transaction = sampleApproval(order, options.chain, transaction)
  return {
    order_id: order.id,
    ...rest,
    initiate_transaction: transaction,
    approval_transaction,
    typed_data,
  }
}

/**
 * Live deployments send an UNLIMITED allowance for the HTLC, which a careful client never signs.
 * `null` for native assets.
 */
function sampleApproval(
  order: StoredOrder,
  chain: LocalChain,
  transaction: unknown,
): Record<string, unknown> | null {
  const asset = chain.assets.find((candidate) => candidate.id === order.source.swap.asset)
  if (!asset?.token) return null
  const spender = asset.htlc ?? targetOf(transaction)
  if (chain.family === "starknet") {
    return { to: asset.token, selector: STARKNET_APPROVE, calldata: [spender, U128_MAX, U128_MAX] }
  }
  const data = `${EVM_APPROVE}${spender.slice(2).toLowerCase().padStart(64, "0")}${"f".repeat(64)}`
  return { to: asset.token, value: "0x0", data, gas_limit: "0x186a0", chain_id: chain.chainId }
}

/** `approve(address,uint256)`. */
const EVM_APPROVE = "0x095ea7b3"
/** starknet_keccak("approve"). */
const STARKNET_APPROVE = "0x219209e083275171774dab1df80982e9df2096516f06319c5c6d71ae0a8480c"
const U128_MAX = `0x${"f".repeat(32)}`

function targetOf(transaction: unknown): string {
  return typeof transaction === "object" && transaction !== null && "to" in transaction
    ? String(transaction.to)
    : "0x0"
}
