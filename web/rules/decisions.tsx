import type { JSX } from "preact"
import { useState } from "preact/hooks"
import type { Reason } from "#domain/reason.ts"
import { groupEqual, tellTimes } from "#policy/group-equal.ts"
import type { AnswerOf } from "#schema/answers/answers.ts"
import type { Decision, Replay } from "../answers.ts"
import type { Desk } from "../desk.ts"
import { clockTime, money } from "../format.ts"
import { useLive } from "../live.ts"
import { NoneYet } from "../none-yet.tsx"
import { Amount, Empty, Loaded, Pill, Reasons, Say, Title, When, Worth } from "../parts.tsx"
import { ask, Refused } from "../session.ts"
import { groupDecisions } from "./group-decisions.ts"
import { type PairOf, useRulePairs } from "./rule-pairs.ts"

const NOTE =
  "Why did a rule do something, or nothing? The same outcome is one line; a rule's own list has " +
  "each decision."
/** Grouped, a day of them is short. */
const MOST = 100

/**
 * The decisions of all rules or of one, each with its reasons, its orders and a replay.
 */
export function DecisionsView({ detail, overview, known }: Desk): JSX.Element {
  const rule = detail === null ? "" : `rule=${encodeURIComponent(detail)}&`
  const decisions = useLive<{ decisions: readonly Decision[] }>(
    `decisions?${rule}limit=${MOST}`,
    10_000,
  )
  const pairOf = useRulePairs()
  return (
    <>
      <Title note={NOTE}>{detail === null ? "Decisions" : `Decisions of ${detail}`}</Title>
      <nav class="filters" aria-label="Rules">
        <a class="chip" href="#/decisions" aria-current={detail === null ? "page" : undefined}>
          all rules
        </a>
        {(overview.value?.rules ?? []).map(({ id }) => (
          <a
            key={id}
            class="chip"
            href={`#/decisions/${encodeURIComponent(id)}`}
            aria-current={id === detail ? "page" : undefined}
          >
            {id}
          </a>
        ))}
      </nav>
      <Loaded live={decisions}>
        {(value) => (
          <section class="card">
            {value.decisions.length === 0 ? (
              <Empty>
                <NoneYet what="No decision yet" overview={overview.value} />
              </Empty>
            ) : null}
            {detail === null || value.decisions.length === 0 ? null : <Why rule={detail} />}
            {(detail === null
              ? groupDecisions(value.decisions)
              : value.decisions.map((decision) => [decision])
            ).map((group) => (
              <DecisionGroup key={group[0]?.id} group={group} known={known} pairOf={pairOf} />
            ))}
          </section>
        )}
      </Loaded>
    </>
  )
}

/** The newest of a group as a whole, the others behind it. */
function DecisionGroup(props: {
  group: readonly Decision[]
  known: Desk["known"]
  pairOf: PairOf
}): JSX.Element | null {
  const [newest, ...others] = props.group
  if (newest === undefined) return null
  const times = others.reduce((sum, one) => sum + one.times, 0)
  return (
    <>
      <DecisionRow decision={newest} known={props.known} pairOf={props.pairOf} />
      {others.length === 0 ? null : (
        <details class="others">
          <summary>
            {times} more like this, since {clockTime(others.at(-1)?.at ?? newest.at)}
          </summary>
          {others.map((one) => (
            <DecisionRow key={one.id} decision={one} known={props.known} pairOf={props.pairOf} />
          ))}
        </details>
      )}
    </>
  )
}

function DecisionRow({
  decision,
  known,
  pairOf,
}: {
  decision: Decision
  known: Desk["known"]
  pairOf: PairOf
}): JSX.Element {
  const { id, at, lastAt, times, rule, verdict, reasons, proposals, orders } = decision
  const about = pairOf(rule) ?? proposals[0] ?? null
  return (
    <article class="proposal">
      <p class="line">
        <b title={at}>{clockTime(at)}</b>
        <a href={`#/decisions/${encodeURIComponent(rule)}`}>{rule}</a>
        <Pill tone={verdict === "proposed" ? "good" : "calm"}>
          {verdict === "proposed" ? "proposed" : "did nothing"}
        </Pill>
        {times > 1 ? (
          <span class="quiet">
            {times} times, last <When at={lastAt} />
          </span>
        ) : null}
      </p>
      {groupEqual(proposals).map(([proposal, equal]) => (
        <p key={`${proposal.from} ${proposal.to} ${proposal.amount}`} class="line">
          {tellTimes(equal)}
          <Amount amount={proposal.amount} asset={proposal.from} />
          <Worth amount={proposal.amount} asset={proposal.from} /> →{" "}
          <Amount amount={proposal.receive} asset={proposal.to} />
          {proposal.cost === null ? null : <span class="quiet">cost {money(proposal.cost)}</span>}
        </p>
      ))}
      <Reasons reasons={reasons.map((reason) => known.humane(reason, about))} />
      <div class="line quiet">
        {orders.map((order) => (
          <a key={order} href={`#/orders/${order}`}>
            Order {order.slice(0, 8)}
          </a>
        ))}
        <ReplayOf decision={id} known={known} />
      </div>
    </article>
  )
}

/** The cost beside the next best way, whose ceiling binds, and what would change the decision. */
function Why({ rule }: { rule: string }): JSX.Element {
  const [why, setWhy] = useState<AnswerOf<"Why"> | Refused | "asking" | null>(null)
  const explain = (): void => {
    setWhy("asking")
    // CAST: the daemon's own answer.
    const answer = ask("GET", `rules/${encodeURIComponent(rule)}/why`) as Promise<AnswerOf<"Why">>
    answer.catch((cause: Refused) => cause).then(setWhy)
  }
  return (
    <div class="proposal" aria-live="polite">
      {why === null || why === "asking" ? (
        <button type="button" disabled={why !== null} onClick={explain}>
          {why === null ? "Explain the last decision" : "Reading the books…"}
        </button>
      ) : why instanceof Refused ? (
        <p class="notice bad">{why.message}</p>
      ) : (
        <Explained decision={why.decisions[0] ?? null} />
      )}
    </div>
  )
}

function Explained(props: { decision: AnswerOf<"Why">["decisions"][number] | null }): JSX.Element {
  const { proposals = [], changes = [] } = props.decision ?? {}
  const sentences = [
    ...groupEqual(proposals).flatMap(([{ explained = [] }]) => explained),
    ...changes.map((change) => `It proposes (more) when ${change}.`),
  ]
  return sentences.length === 0 ? (
    <p class="quiet">There is no more to say than its reasons.</p>
  ) : (
    <ul class="plain">
      {sentences.map((sentence) => (
        <li key={sentence}>
          <Say text={sentence} />
        </li>
      ))}
    </ul>
  )
}

/** Repeats the decision in the daemon, and shows whether the result is the stored one. */
function ReplayOf({ decision, known }: { decision: string; known: Desk["known"] }): JSX.Element {
  const [replay, setReplay] = useState<Replay | Refused | null>(null)
  const repeat = (): void => {
    // CAST: the daemon's own answer.
    const answer = ask("GET", `decisions/${encodeURIComponent(decision)}/replay`) as Promise<Replay>
    answer.catch((cause: Refused) => cause).then(setReplay)
  }
  return (
    <>
      <button type="button" onClick={repeat} aria-label={`Replay ${decision}`}>
        Replay
      </button>
      <div aria-live="polite">
        {replay === null ? null : <ReplayResult replay={replay} known={known} />}
      </div>
    </>
  )
}

function ReplayResult({
  replay,
  known,
}: {
  replay: Replay | Refused
  known: Desk["known"]
}): JSX.Element {
  if (replay instanceof Refused) return <p class="notice bad">{replay.message}</p>
  const { same, again, stored } = replay
  if (same)
    return (
      <p class="notice">
        <Pill tone="good">same decision</Pill> The stored inputs give the stored result again.
      </p>
    )
  return (
    <div class="notice bad">
      <p>
        <b>Another decision.</b> The stored inputs give another result now.
      </p>
      <div class="grid even">
        <Result name="Stored" of={stored} known={known} />
        <Result name="Now" of={again} known={known} />
      </div>
    </div>
  )
}

type DecidedProposal = {
  readonly from: string
  readonly to: string
  readonly units: string
  readonly why: readonly Reason[]
}

function Result({
  name,
  of,
  known,
}: {
  name: string
  of: Replay["stored"]
  known: Desk["known"]
}): JSX.Element {
  // CAST: the proposals of the policy; the description of the interface leaves their fields open.
  const proposals = of.proposals as unknown as readonly DecidedProposal[]
  const about = proposals[0] ?? null
  return (
    <section aria-label={name}>
      <h3>{name}</h3>
      {proposals.map(({ from, to, units }) => (
        <p key={`${from} ${to} ${units}`}>
          Sell <Amount amount={known.amountOf(units, from)} asset={from} /> for <Say text={to} />
        </p>
      ))}
      <Reasons
        reasons={[...proposals.flatMap(({ why }) => why), ...of.reasons].map((reason) =>
          known.humane(reason, about),
        )}
        none="No reason."
      />
    </section>
  )
}
