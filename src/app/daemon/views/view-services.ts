import type { Config } from "#config/config.ts"
import { readRest } from "#engine/watches/service-conduct.ts"
import type { Journal } from "#ports/journal.ts"
import type { AnswerOf } from "#schema/answers/answers.ts"

type Quoters = readonly { readonly name: string }[]
type ServiceView = AnswerOf<"Status">["services"][number]

/** What a configuration asks for quotes: services by name, routes by kind. */
export function quotersIn({ services, routes }: Pick<Config, "services" | "routes">): Quoters {
  return [...services, ...routes.map(({ kind }) => ({ name: kind }))]
}

/** `journal` is `null` before the first start. */
export function viewServices(
  journal: Journal | null,
  services: Quoters,
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
