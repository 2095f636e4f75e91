import { BaseError, decodeErrorResult, ExecutionRevertedError, type Hex, isHex } from "viem"
import { htlcAbi, tokenAbi } from "./htlc.ts"
import type { Rpc } from "./rpc.ts"

export type Call = { readonly to: Hex; readonly value: bigint; readonly data: Hex }

/** The node's dry run: gas, or the contract's reason for reverting. */
export function estimateGas(rpc: Rpc, account: Hex, call: Call): Promise<bigint | { readonly reverted: string }> {
  return rpc.read(async (client) => {
    try {
      return await client.estimateGas({ account, ...call })
    } catch (error) {
      const reverted = readRevert(error)
      if (reverted === null) throw error
      return { reverted }
    }
  })
}

/** `Name(arguments)` of the contract's error, or what the node says; `null` when the failure was something else. */
function readRevert(error: unknown): string | null {
  if (!(error instanceof BaseError)) return null
  const revert = error.walk((cause) => cause instanceof ExecutionRevertedError)
  const data = findData(error)
  if (data !== null) return decodeRevert(data)
  return revert instanceof ExecutionRevertedError ? (revert.details || revert.shortMessage).slice(0, 300) : null
}

function findData(error: BaseError): Hex | null {
  const carrier = error.walk((cause) => readData(cause) !== null)
  return readData(carrier)
}

function readData(cause: unknown): Hex | null {
  const data = typeof cause === "object" && cause !== null && "data" in cause ? cause.data : null
  return isHex(data) && data.length >= 10 ? data : null
}

function decodeRevert(data: Hex): string {
  try {
    const { errorName, args } = decodeErrorResult({ abi: [...htlcAbi, ...tokenAbi], data })
    return `${errorName}(${(args ?? []).join(", ")})`
  } catch {
    // An error that none of the known contracts has is still an answer.
    return `unknown error ${data.slice(0, 10)}`
  }
}
