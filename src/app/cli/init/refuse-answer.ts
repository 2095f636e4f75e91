import { AppError } from "#lib/app-error.ts"

/** An answer of `ballast init` that cannot be used. Nothing is written then. */
export function refuseAnswer(option: string, message: string): AppError {
  return new AppError({
    code: "init.answer",
    disposition: "refused",
    message: `${message} (--${option})`,
  })
}
