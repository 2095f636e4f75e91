import { AppError } from "#lib/app-error.ts"

/** What a contract's failed assertion becomes: the whole transaction is undone, the reason is shown in the receipt. */
export function revert(reason: string): never {
  throw new AppError({ code: "starknet.reverted", disposition: "refused", message: reason })
}

export function require(condition: boolean, reason: string): asserts condition {
  if (!condition) revert(reason)
}

/** The reason of a revert; anything else is thrown on, because it is a defect of the stand-in. */
export function revertReason(error: unknown): string {
  if (error instanceof AppError && (error.code === "starknet.reverted" || error.code === "starknet.felt")) {
    return error.message
  }
  throw error
}
