import { AppError } from "#lib/app-error.ts"

/** A request that this chain will not carry out; nothing happened. */
export function refuse(code: string, message: string): AppError {
  return new AppError({ code, disposition: "refused", message })
}
