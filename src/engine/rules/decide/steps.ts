import { assert } from "#lib/assert.ts"

/**
 * A computation that may wait for its reads. The daemon reads nodes and services, so its reads are
 * promises; a backtest has every answer at hand, and runs through without a stop. So both run the
 * same code.
 */
export type Steps<T> = Generator<Promise<unknown>, T, unknown>

/** The answer of a read: at once, or later. */
export type Answer<T> = T | Promise<T>

export function* wait<T>(answer: Answer<T>): Steps<T> {
  if (!(answer instanceof Promise)) return answer
  // CAST: `runSteps` hands the value of the promise back.
  return (yield answer) as T
}

/** Waits for each read. A rejected promise throws where its value is used. */
export async function runSteps<T>(steps: Steps<T>): Promise<T> {
  let step = steps.next()
  while (!step.done) {
    const read = await settle(step.value)
    step = read.ok ? steps.next(read.value) : steps.throw(read.error)
  }
  return step.value
}

/** Runs a computation whose reads have all their answers at hand. */
export function runAtOnce<T>(steps: Steps<T>): T {
  const step = steps.next()
  assert(step.done === true, "a backtest waits for nothing")
  return step.value
}

type Settled =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: unknown }

async function settle(promise: Promise<unknown>): Promise<Settled> {
  try {
    return { ok: true, value: await promise }
  } catch (error) {
    return { ok: false, error }
  }
}
