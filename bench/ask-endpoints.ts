import { agreeOn } from "#nodes/quorum/agree-on.ts"

/**
 * The number of endpoints a chain in this process, all of which must agree. `main.ts` sets it for
 * each part.
 */
export const ENDPOINTS: 1 | 2 = process.env["BENCH_ENDPOINTS"] === "2" ? 2 : 1

/**
 * The answer of all endpoints to one question, compared by the code of the families. A disagreement
 * throws, and also ends the process: the engine would ask again.
 */
export function agreeAll<T>(answers: readonly T[]): T {
  const [only] = answers
  if (answers.length === 1 && only !== undefined) return only
  const given = answers.map((value, index) => ({
    endpoint: `endpoint ${index + 1}`,
    ok: true as const,
    value,
  }))
  const agreement = agreeOn(given, given.length)
  if (agreement.status === "agreed") return agreement.value
  const error = new Error("the endpoints of the bench do not agree", { cause: answers })
  setImmediate(() => {
    throw error
  })
  throw error
}
