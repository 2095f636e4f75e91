import { AppError } from "#lib/app-error.ts"

/**
 * The HTTP status of a rejected request: 400 invalid, 401 app id, 404 unknown order, 409 duplicate
 * (field notes, Wire).
 */
type RejectionStatus = 400 | 401 | 404 | 409

/**
 * Rejects a request: the HTTP boundary (`start-service.ts`) catches the error and answers
 * `{status: "Error", error: text}`.
 */
export function rejectRequest(status: RejectionStatus, text: string): never {
  throw new AppError({ code: CODE, disposition: "refused", message: text, details: { status } })
}

/** The HTTP status of a thrown rejection; `null` for any other error. */
export function rejectionStatus(error: unknown): RejectionStatus | null {
  if (!(error instanceof AppError) || error.code !== CODE) return null
  // CAST: `rejectRequest` alone creates errors with this code, and it sets such a status.
  return error.details["status"] as RejectionStatus
}

/** The text of live deployments for a pair that they do not swap (field notes, Wire). */
export const NO_PAIR = "No order pair found"

const CODE = "sandbox.request_rejected"
