import { AppError } from "#lib/app-error.ts"

/** The result of work on foreign input: a value or a coded error. Any other error is thrown. */
export type CodedResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: AppError }

/**
 * Runs `work` and requires: no uncoded error, no disposition `bug` for foreign input, a matching
 * code, and an end within `withinMs`.
 */
export function onlyCoded<T>(work: () => T, code: RegExp, withinMs = 1_000): CodedResult<T> {
  const startedMs = performance.now()
  const result = attempt(work, code)
  const tookMs = performance.now() - startedMs
  if (tookMs > withinMs) throw new Error(`it took ${Math.round(tookMs)} ms, more than ${withinMs}`)
  return result
}

/** The same for asynchronous work. */
export async function onlyCodedLater<T>(
  work: () => Promise<T>,
  code: RegExp,
  withinMs = 5_000,
): Promise<CodedResult<T>> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`it had not ended after ${withinMs} ms`)), withinMs)
  })
  try {
    return { ok: true, value: await Promise.race([work(), late]) }
  } catch (error) {
    return requireCoded(error, code)
  } finally {
    clearTimeout(timer)
  }
}

function attempt<T>(work: () => T, code: RegExp): CodedResult<T> {
  try {
    return { ok: true, value: work() }
  } catch (error) {
    return requireCoded(error, code)
  }
}

function requireCoded(error: unknown, code: RegExp): { ok: false; error: AppError } {
  if (!(error instanceof AppError))
    throw new Error(`an error without a code: ${String(error)}`, { cause: error })
  if (error.disposition === "bug")
    throw new Error(`foreign input was called a bug: ${error.code}`, { cause: error })
  if (!code.test(error.code))
    throw new Error(`an error of another kind: ${error.code}`, { cause: error })
  return { ok: false, error }
}
