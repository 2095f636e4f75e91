import { AppError } from "#lib/app-error.ts"
import { decodeOrder, type Order } from "./step.ts"

/** As `decodeOrder`, for lists: `null` for a damaged order, so that it does not hide the others. */
export function decodeOrNull(text: string): Order | null {
  try {
    return decodeOrder(text)
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}
