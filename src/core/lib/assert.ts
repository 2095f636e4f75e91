import { AppError, type ErrorDetails } from "./app-error.ts"

/** Checks a promise of our own code. A failure is our bug, never bad input. */
export function assert(
  condition: boolean,
  message: string,
  details?: ErrorDetails,
): asserts condition {
  if (condition) return
  throw new AppError({
    code: "bug.assertion",
    disposition: "bug",
    message,
    ...(details ? { details } : {}),
  })
}

/** Returns a value that our own code guarantees to exist; throws `bug.assertion` otherwise. */
export function mustExist<T>(value: T | null | undefined, what: string): T {
  assert(value !== null && value !== undefined, `${what} is missing`)
  return value
}
