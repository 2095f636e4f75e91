/** `.ci/run` tries a fixed part of the longest lists; `npm run test:all` tries all of them. */
export const IS_SAMPLED = process.env["BALLAST_CI_SAMPLE"] !== undefined

/** So many runs of a random test: a part of them in CI, always with the same seed. */
export function ciRuns(all: number, every: number): number {
  return IS_SAMPLED ? Math.ceil(all / every) : all
}

/** Every n-th of the cases in CI, from the first one on, and all of them elsewhere. */
export function ciSample<Case>(cases: readonly Case[], every: number): readonly Case[] {
  return IS_SAMPLED ? cases.filter((_, index) => index % every === 0) : cases
}
