import { AppError } from "#lib/app-error.ts"
import { GiantNumber, type IsNumber, refuseGiants } from "#lib/peer-json.ts"

/**
 * Throws `evm.nonsense` (transient) for an answer with a quantity or hash longer than 256 bits.
 * viem makes integers of them inside its own client, and prints those in its errors, so they must
 * not reach it.
 */
export function refuseGiantQuantities(
  { url, method }: { readonly url: string; readonly method: string },
  result: unknown,
): void {
  try {
    refuseGiants(result, isQuantityOf(method))
  } catch (cause) {
    if (!(cause instanceof GiantNumber)) throw cause
    throw new AppError({
      code: "evm.nonsense",
      disposition: "transient",
      message:
        `The EVM endpoint answers ${method} with ${cause.message}; check the url, and replace ` +
        "the endpoint if this lasts",
      details: { host: new URL(url).host, method, found: cause.message },
      cause,
    })
  }
}

/**
 * The answers of these methods are bytes of any length; those of all others are quantities and
 * hashes, or have keys.
 */
const BYTES = /^eth_(call|getCode)$/

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
