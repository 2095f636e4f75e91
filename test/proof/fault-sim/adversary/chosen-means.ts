import type { Means } from "./prices.ts"

/**
 * Which means the adversary of a run has: all that its seed draws, or only the chosen ones, and
 * those always, so that few seeds find a mistake that only they meet.
 */
export type ChosenMeans = {
  /** As drawn, unless the run has chosen. */
  readonly has: (means: Means, isDrawn: boolean) => boolean
}

export function chooseMeans(chosen: readonly Means[] | undefined): ChosenMeans {
  return {
    has: (means, isDrawn) => (chosen === undefined ? isDrawn : chosen.includes(means)),
  }
}
