import { readRest } from "#engine/watches/service-conduct.ts"
import type { Journal } from "#ports/journal.ts"
import type { AnswerOf } from "#schema/answers/answers.ts"

type ServiceView = AnswerOf<"Status">["services"][number]

/** `journal` is `null` before the first start. */
export function viewServices(
  journal: Journal | null,
  services: readonly { readonly name: string }[],
  nowMs: number,
): readonly ServiceView[] {
  return services.map(({ name }) => {
    const rest = journal === null || services.length < 2 ? null : readRest(journal, name, nowMs)
    const inFlight = journal?.countInFlight({ service: name }) ?? 0
    if (rest === null) return { name, inFlight, rest }
    const { failures, cause } = rest
    return {
      name,
      inFlight,
      rest: { until: new Date(rest.untilMs).toISOString(), failures, cause },
    }
  })
}
