import type { JSX } from "preact"
import type { AnswerOf } from "#schema/answers/answers.ts"
import type { Overview } from "../answers.ts"
import { type Coming, listComing, listLikely, listRuns } from "../charts/list-coming.ts"
import { UpcomingStrip } from "../charts/upcoming-strip.tsx"
import { useLive, useNow } from "../live.ts"
import { useFlows } from "../money/treasury.tsx"
import { Card, Empty, When } from "../parts.tsx"

const MOST_ENDS = 4
const MOST_RULES = 5

/** The next 24 hours: ends of orders' times, bands that may be left, runs of rules. */
export function Next({ overview }: { overview: Overview }): JSX.Element {
  const now = useNow()
  const { value: rules } = useLive<AnswerOf<"Rules">>("rules", 30_000)
  const { value: flows } = useFlows("24 h")
  const pausedRules = new Set(overview.rules.filter((one) => one.paused).map(({ id }) => id))
  const runs = (rules?.rules ?? [])
    .filter(({ id }) => !pausedRules.has(id))
    .flatMap(({ id, upcoming }) => listRuns(id, upcoming))
  const likely = listLikely(overview.treasury, flows?.outside ?? [], now)
  const coming = listComing(runs, overview.orders, likely, now)
  const ends = coming.filter(({ kind }) => kind !== "run").slice(0, MOST_ENDS)
  const due = overview.next.slice(0, MOST_RULES).map(({ rule, at }) => ({
    at,
    words: rule,
    href: `#/decisions/${encodeURIComponent(rule)}`,
  }))
  return (
    <Card title="Next 24 hours" link="#/rules" note="| run ▼ end of a time ○ likely">
      {coming.length === 0 ? null : <UpcomingStrip coming={coming} listed />}
      {ends.length + due.length === 0 ? <Empty>No rule is due, and no order ends.</Empty> : null}
      <dl class="pairs">
        {[...ends, ...due].map((one) => (
          <Row key={`${one.at} ${one.words}`} coming={one} />
        ))}
      </dl>
    </Card>
  )
}

function Row({ coming: { at, words, href } }: { coming: Omit<Coming, "kind"> }): JSX.Element {
  return (
    <div>
      <dt>
        <a href={href}>{words}</a>
      </dt>
      <dd>
        <When at={at} />
      </dd>
    </div>
  )
}
