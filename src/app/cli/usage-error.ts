import { AppError } from "#lib/app-error.ts"

/** A mistake on the command line: exit 64. */
export function usageError(message: string, cause?: unknown): AppError {
  return new AppError({
    code: "cli.usage",
    disposition: "refused",
    message,
    ...(cause === undefined ? {} : { cause }),
  })
}
