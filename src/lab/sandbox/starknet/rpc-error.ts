import { AppError } from "#lib/app-error.ts"

/** An error of the Starknet JSON-RPC specification, with its code, text and `data`. */
export function rpcError(code: number, data?: string): AppError {
  const message = MESSAGES[code] ?? "Internal error"
  return new AppError({
    code: "starknet.rpc",
    disposition: "refused",
    message,
    details: { rpcCode: code, ...(data === undefined ? {} : { data }) },
  })
}

export function invalidParams(data: string): AppError {
  return rpcError(-32602, data)
}

/**
 * Names and texts from the published errors of the specification (starknet_api_openrpc,
 * starknet_write_api).
 */
const MESSAGES: Readonly<Record<number, string>> = {
  [-32700]: "Parse error",
  [-32600]: "Invalid Request",
  [-32601]: "Method not found",
  [-32602]: "Invalid params",
  20: "Contract not found",
  21: "Requested entry point does not exist in the contract",
  24: "Block not found",
  29: "Transaction hash not found",
  31: "Requested page size is too big",
  33: "The supplied continuation token is invalid or unknown",
  40: "Contract error",
  41: "Transaction execution error",
  52: "Invalid transaction nonce",
  53: "The transaction's resources don't cover validation or the minimal transaction fee",
  54:
    "Account balance is smaller than the transaction's maximal fee (calculated as the sum of " +
    "each resource's limit x max price)",
  55: "Account validation failed",
  59: "A transaction with the same hash already exists in the mempool",
  61: "the transaction version is not supported",
  64: "Replacement transaction is underpriced",
}
