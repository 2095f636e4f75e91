import type { JSX } from "preact"
import { useEffect, useState } from "preact/hooks"
import { formatSpan } from "#health/format-span.ts"
import type { Overview, Summary } from "../answers.ts"
import { clockTime } from "../format.ts"
import { useLive, useNow } from "../live.ts"
import { Card, Fiat, Say, When } from "../parts.tsx"

const KEY = "ballast.looked"
const DAY_MS = 86_400_000

/**
 * What happened since this browser last showed the desk; a first visit sees the last day. The visit
 * ends with its tab, so a page that is loaded again says the same.
 */
export function SinceYouLooked({ problems }: Pick<Overview, "problems">): JSX.Element {
  const now = useNow()
  const [since, setSince] = useState(readMark)
  useEffect(() => sessionStorage.setItem(KEY, since), [since])
  useEffect(() => {
    const leave = (): void => localStorage.setItem(KEY, new Date().toISOString())
    addEventListener("pagehide", leave)
    return () => removeEventListener("pagehide", leave)
  }, [])
  const { value } = useLive<Summary>(`summary?since=${since}`, 10_000)
  if (value === null)
    return (
      <Card title="Since you last looked">
        <p class="quiet">Reading…</p>
      </Card>
    )
  const { swaps, alarms, missed } = value
  const count = (outcome: string): number => swaps.counts[outcome] ?? 0
  const refused = count("rejected") + count("abandoned")
  const runs = missed.reduce((sum, one) => sum + one.runs, 0)
  const markSeen = (): void => {
    const at = new Date(now).toISOString()
    localStorage.setItem(KEY, at)
    setSince(at)
  }
  return (
    <Card title="Since you last looked" note={<When at={since} />}>
      <Figures swaps={swaps} />
      <ul class="plain small">
        <Fact count={count("refunded")} one="order refunded" many="orders refunded" />
        <Fact count={refused} one="order ended without a swap" many="orders ended without a swap" />
        <Fact count={runs} one="planned run came to no swap" many="planned runs came to no swap" />
        <Alarms alarms={alarms.filter((one) => !problems.some((task) => isSame(task, one)))} />
        {alarms.length + refused + runs + count("refunded") === 0 ? (
          <li class="quiet">✓ No refund, no refusal, no missed run, no alarm</li>
        ) : null}
      </ul>
      <p class="line">
        <button type="button" onClick={markSeen}>
          Mark as seen
        </button>
        <a href="#/alarms">All alarms{alarms.length > 3 ? ` (${alarms.length})` : ""}</a>
      </p>
    </Card>
  )
}

function Figures({ swaps }: Pick<Summary, "swaps">): JSX.Element {
  const { orders, volumeFiat, costFiat, costBps, slowest } = swaps
  return (
    <dl class="facts pair">
      <div>
        <dt>Orders</dt>
        <dd>{orders}</dd>
      </div>
      <div>
        <dt>Moved</dt>
        <dd>
          <Fiat fiat={volumeFiat} />
        </dd>
      </div>
      <div>
        <dt>Cost{costBps === null ? "" : `, ${costBps} bps`}</dt>
        <dd>
          <Fiat fiat={costFiat} />
        </dd>
      </div>
      <div>
        <dt>Slowest</dt>
        <dd>
          {slowest == null ? (
            "–"
          ) : (
            <a href={`#/orders/${slowest.order}`}>{formatSpan(slowest.ms)}</a>
          )}
        </dd>
      </div>
    </dl>
  )
}

/** An alarm that is still open stands among what needs a person, and only there. */
function isSame(
  problem: Overview["problems"][number],
  { code, order }: Summary["alarms"][number],
): boolean {
  return problem.code === code && problem.order === order
}

function Alarms({ alarms }: Pick<Summary, "alarms">): JSX.Element {
  const now = useNow()
  return (
    <>
      {alarms.slice(0, 3).map(({ at, sentence, order }) => (
        <li key={`${at} ${sentence}`}>
          <span aria-hidden="true">▲</span>{" "}
          {order === null ? (
            <Say text={sentence} />
          ) : (
            <a href={`#/orders/${order}`}>
              <Say text={sentence} />
            </a>
          )}{" "}
          <small title={at}>{clockTime(at, now)}</small>
        </li>
      ))}
    </>
  )
}

function Fact(props: { count: number; one: string; many: string }): JSX.Element | null {
  if (props.count === 0) return null
  return (
    <li>
      <span aria-hidden="true">▲</span> {props.count} {props.count === 1 ? props.one : props.many}
    </li>
  )
}

function readMark(): string {
  const visit = sessionStorage.getItem(KEY) ?? localStorage.getItem(KEY)
  return visit ?? new Date(Date.now() - DAY_MS).toISOString()
}
