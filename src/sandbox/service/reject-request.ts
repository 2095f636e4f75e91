import { AppError } from "#lib/app-error.ts"

/** What a client is told when its request is not served: 400 business, 401 app id, 404 unknown order, 409 duplicate (field notes, Wire). */
export type RejectionStatus = 400 | 401 | 404 | 409

/** Ends a request with `{status: "Error", error: text}`. Only the HTTP boundary (`start-service.ts`) catches it. */
export function rejectRequest(status: RejectionStatus, text: string): never {
  throw new AppError({ code: CODE, disposition: "refused", message: text, details: { status } })
}

/** The HTTP status of a thrown rejection; `null` for any other error. */
export function rejectionStatus(error: unknown): RejectionStatus | null {
  if (!(error instanceof AppError) || error.code !== CODE) return null
  // CAST: errors of this code are made above, and only with such a status.
  return error.details["status"] as RejectionStatus
}

const CODE = "sandbox.request_rejected"
