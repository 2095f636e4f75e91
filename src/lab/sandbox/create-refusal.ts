import { AppError } from "#lib/app-error.ts"

/** The error for a request that the chain refuses without any effect. */
export function createRefusal(code: string, message: string): AppError {
  return new AppError({ code, disposition: "refused", message })
}
