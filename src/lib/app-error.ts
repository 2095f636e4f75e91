/**
 * What the failure of an action says about the world, and so what may be done next.
 *
 * `transient` did not happen, retry · `refused` did not happen, will not · `uncertain` may have happened, observe before
 * repeating · `hold` a person must look · `fatal` configuration or environment, exit 78 · `bug` ours, exit 70 ·
 * `aborted` shutting down.
 */
export type Disposition = "transient" | "refused" | "uncertain" | "hold" | "fatal" | "bug" | "aborted"

export type ErrorDetails = Readonly<Record<string, string | number | boolean | null | bigint>>

/** The one error class: a stable code, what it means for the world, a sentence, and the numbers. */
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

/** Turns whatever was thrown into an AppError. What nobody translated gets the disposition that the caller names. */
export function toAppError(error: unknown, fallback: { code: string; disposition: Disposition }): AppError {
  if (error instanceof AppError) return error
  const message = error instanceof Error ? error.message : String(error)
  return new AppError({ ...fallback, message, cause: error })
}
