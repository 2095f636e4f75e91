import type { ReadRules } from "./ask-endpoints.ts"
import type { Depths } from "./finality-table.ts"

/** Mistakes in the rules by which a port combines the answers of its endpoints. */
export const READ_BUGS = {
  "highest head answers": { believes: "highest" },
  "agreement of one": { believes: "last" },
  "too few answers are enough": { shortIsEnough: true },
  "any endpoint excludes": { anyExcludes: true },
  "excluded without a rival": { absenceExcludes: "unknown" },
  "replan after an unnamed exclusion": { absenceExcludes: "expired" },
  "one garbage answer holds": { garbageHolds: true },
  "balance of one endpoint": { balanceOfOne: true },
  "plan of one endpoint": { planOfOne: true },
} as const satisfies Readonly<Record<string, Partial<ReadRules>>>

export type ReadBug = keyof typeof READ_BUGS

export function plantInReads(
  bug: string | null,
  rules: ReadRules,
  depths: Depths,
): { readonly rules: ReadRules; readonly depths: Depths } {
  if (bug === "final at one confirmation") return { rules, depths: { seen: 1, ending: 1 } }
  const planted = Object.entries(READ_BUGS).find(([name]) => name === bug)?.[1]
  return { rules: planted === undefined ? rules : { ...rules, ...planted }, depths }
}
