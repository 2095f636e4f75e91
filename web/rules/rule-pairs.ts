import type { AnswerOf } from "#schema/answers/answers.ts"
import { useLive } from "../live.ts"

export type PairOf = (rule: string) => { readonly from: string; readonly to: string } | null

/** The pair of each rule that always swaps the same one: its reasons count in the sold asset. */
export function useRulePairs(): PairOf {
  const { value } = useLive<AnswerOf<"Rules">>("rules", 60_000)
  return (rule) => {
    const found = value?.rules.find(({ id }) => id === rule)
    const from = found?.["from"]
    const to = found?.["to"]
    return typeof from === "string" && typeof to === "string" ? { from, to } : null
  }
}
