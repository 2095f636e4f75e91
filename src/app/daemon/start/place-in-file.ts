import type { ChainConfig } from "#chains/chain-config.ts"
import { AppError } from "#lib/app-error.ts"

/**
 * Adds the place in the file to an error about a key. The family that finds the error does not know
 * the file.
 */
export function addPlaceInFile(error: unknown, { key, keyAt }: ChainConfig): unknown {
  if (!(error instanceof AppError) || error.details["reference"] !== key.reference) return error
  const { code, disposition, message, details } = error
  return new AppError({ code, disposition, message: `${keyAt}: ${message}`, details })
}
