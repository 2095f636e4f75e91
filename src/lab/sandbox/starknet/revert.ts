import { AppError } from "#lib/app-error.ts"

/**
 * Fails an assertion of a contract: it reverts the whole transaction, and the receipt shows the
 * reason.
 */
export function revert(reason: string): never {
  throw new AppError({ code: "starknet.reverted", disposition: "refused", message: reason })
}

export function require(condition: boolean, reason: string): asserts condition {
  if (!condition) revert(reason)
}

/**
 * The reason of a revert. It rethrows every other error, because such an error is a defect of the
 * devnet.
 */
export function revertReason(error: unknown): string {
  if (
    error instanceof AppError &&
    (error.code === "starknet.reverted" || error.code === "starknet.felt")
  ) {
    return error.message
  }
  throw error
}
