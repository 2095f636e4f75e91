/**
 * The effect of a failed action on the world, which decides the next step.
 *
 * `transient`: did not happen, retry · `refused`: did not happen and will not · `uncertain`: may
 * have happened, observe before repeating · `hold`: an operator must decide · `fatal`:
 * configuration, exit 78 · `bug`: ours, exit 70 · `aborted`: shutting down.
 */
export type Disposition =
  | "transient"
  | "refused"
  | "uncertain"
  | "hold"
  | "fatal"
  | "bug"
  | "aborted"

export type ErrorDetails = Readonly<Record<string, string | number | boolean | null | bigint>>

/** The only error class: a stable code, a disposition, a sentence, and the numbers. */
export class AppError extends Error {
  override readonly name = "AppError"
  readonly code: string
  readonly disposition: Disposition
  readonly details: ErrorDetails

  constructor(init: {
    code: string
    disposition: Disposition
    message: string
    details?: ErrorDetails
    cause?: unknown
  }) {
    super(init.message, init.cause === undefined ? undefined : { cause: init.cause })
    this.code = init.code
    this.disposition = init.disposition
    this.details = init.details ?? {}
  }
}

/** A failure that passes: it did not happen, and may succeed the next time. */
export function transient(
  code: string,
  message: string,
  details: ErrorDetails = {},
  cause?: unknown,
): AppError {
  return new AppError({ code, disposition: "transient", message, details, cause })
}

/**
 * Turns any thrown value into an AppError. A value of another type gets the code and disposition of
 * `fallback`.
 */
export function toAppError(
  error: unknown,
  fallback: { code: string; disposition: Disposition },
): AppError {
  if (error instanceof AppError) return error
  const message = error instanceof Error ? error.message : String(error)
  return new AppError({ ...fallback, message, cause: error })
}
