import { AppError } from "#lib/app-error.ts"
import type { IsNumber } from "#lib/peer-json.ts"
import type { RpcDialect } from "#nodes/json-rpc.ts"
import type { NodeError } from "#nodes/rpc-answer.ts"

/** Nodes report a revert with code 3 (geth) or as a server error with such a text. */
const REVERTED = /revert|gas required exceeds|out of ?gas|invalid opcode/i

/** The text of a revert is the contract's. */
const isRevert = ({ code, message }: Pick<NodeError, "code" | "message">): boolean =>
  code === 3 || REVERTED.test(message)

export const evmDialect: RpcDialect = {
  name: "EVM",
  codes: {
    unreachable: "evm.unreachable",
    unavailable: "evm.unavailable",
    nonsense: "evm.nonsense",
    rpc: "evm.rpc",
  },
  isAboutCall: isRevert,
  dispositionOf: (error) => (isRevert(error) ? "refused" : "transient"),
  isNumber: isQuantityOf,
  neverNull: /^eth_(getBalance|getTransactionCount|getCode|call|gasPrice|estimateGas)$/,
}

/**
 * Did the contract revert, where viem wraps our transport's error? A revert is an answer: the node
 * ran the call.
 */
export function isReverted(error: unknown): boolean {
  return findRevert(error) !== null
}

/** The node's error that tells the revert; `null` for any other failure. */
export function findRevert(error: unknown): AppError | null {
  for (let each = error; each instanceof Error; each = each.cause)
    if (each instanceof AppError && each.code === "evm.rpc" && each.disposition === "refused")
      return each
  return null
}

/**
 * The answers of these methods are bytes of any length; those of all others are quantities and
 * hashes, or have keys.
 */
const BYTES = /^eth_(call|getCode)$/

/**
 * viem makes integers of quantities inside its own client, and prints those in its errors, so a
 * giant must not reach it.
 */
function isQuantityOf(method: string): IsNumber {
  return (key, text) =>
    key === "" ? !BYTES.test(method) && text.startsWith("0x") : QUANTITY.test(key)
}

/**
 * The keys whose values viem reads as numbers, hashes and addresses (its formatters of blocks,
 * transactions, receipts, logs and fee histories), by their endings: chains add keys of their own,
 * also with long bytes.
 */
const QUANTITY = new RegExp(
  [
    "(gas|gasused|gaslimit|fee|price|number|index|nonce|value|balance|timestamp|difficulty|chainid)$",
    "(size|count|status|type|block|reward|parity|used|tip|hash|address|hashes|topics|transactions)$",
    "^(v|r|s|from|to|feepergas|.*pergas|basefee.*|l1.*)$",
  ].join("|"),
  "i",
)
