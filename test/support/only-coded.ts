import { AppError } from "#lib/app-error.ts"

/** What came of some work on foreign input: a value, or an error of ours. Anything else that is thrown goes on, with what was asked. */
export type Outcome<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: AppError }

/** Runs `work` and demands: no uncoded error, no `bug` blamed on foreign input, a code that matches, and no more time than `withinMs`. */
export function onlyCoded<T>(work: () => T, code: RegExp, withinMs = 1_000): Outcome<T> {
  const startedMs = performance.now()
  const outcome = attempt(work, code)
  const tookMs = performance.now() - startedMs
  if (tookMs > withinMs) throw new Error(`it took ${Math.round(tookMs)} ms, more than ${withinMs}`)
  return outcome
}

/** The same for work that waits; it has to end within `withinMs`. */
export async function onlyCodedLater<T>(work: () => Promise<T>, code: RegExp, withinMs = 5_000): Promise<Outcome<T>> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`it had not ended after ${withinMs} ms`)), withinMs)
  })
  try {
    return { ok: true, value: await Promise.race([work(), late]) }
  } catch (error) {
    return judge(error, code)
  } finally {
    clearTimeout(timer)
  }
}

function attempt<T>(work: () => T, code: RegExp): Outcome<T> {
  try {
    return { ok: true, value: work() }
  } catch (error) {
    return judge(error, code)
  }
}

function judge(error: unknown, code: RegExp): { ok: false; error: AppError } {
  if (!(error instanceof AppError)) throw new Error(`an error without a code: ${String(error)}`, { cause: error })
  if (error.disposition === "bug") throw new Error(`foreign input was called a bug: ${error.code}`, { cause: error })
  if (!code.test(error.code)) throw new Error(`an error of another kind: ${error.code}`, { cause: error })
  return { ok: false, error }
}
