import type { AnswerOf } from "#schema/answers/answers.ts"
import { useLive } from "../live.ts"

export type PairOf = (rule: string) => { readonly from: string; readonly to: string } | null

/** The pair of each rule that always swaps the same one: its reasons count in the sold asset. */
export function useRulePairs(): PairOf {
  const { value } = useLive<AnswerOf<"Rules">>("rules", 60_000)
  return (rule) => pairIn(value?.rules.find(({ id }) => id === rule) ?? {})
}

export function pairIn({ from, to }: Readonly<Record<string, unknown>>): ReturnType<PairOf> {
  return typeof from === "string" && typeof to === "string" ? { from, to } : null
}
