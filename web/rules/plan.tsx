import type { JSX } from "preact"
import { groupEqual, tellTimes } from "#policy/group-equal.ts"
import type { Plan } from "../answers.ts"
import type { Desk } from "../desk.ts"
import { money } from "../format.ts"
import { useLive } from "../live.ts"
import { Amount, Card, Empty, Loaded, Pill, Reasons, Say, Title, When, Worth } from "../parts.tsx"
import { useRulePairs } from "./rule-pairs.ts"

const NOTE = "What the rules would do if every rule decided now. Looking at it changes nothing."

/** The plan of a tick now. Nothing here is carried out. */
export function PlanView({ known }: Desk): JSX.Element {
  const plan = useLive<Plan>("plan", 15_000)
  const pairOf = useRulePairs()
  return (
    <>
      <Title note={NOTE}>Plan</Title>
      <Loaded live={plan}>
        {({ at, proposals, declined, paused, plan: summary, mode }) => (
          <>
            {(paused ?? []).map((sentence) => (
              <p key={sentence} class="notice warn">
                <Say text={sentence} />
              </p>
            ))}
            {mode === "observe" ? (
              <p class="notice warn">Observe mode: Ballast records decisions and makes no order.</p>
            ) : null}
            <Card
              title={
                proposals.length === 0
                  ? "Nothing to swap now"
                  : `${proposals.length} swap${proposals.length === 1 ? "" : "s"}`
              }
              note={
                <>
                  computed <When at={at} />
                  {summary.cost === null || proposals.length === 0
                    ? ""
                    : `, cost about ${money(summary.cost)}`}
                </>
              }
              wide
            >
              {proposals.length === 0 ? (
                <Empty>Each rule says below why it asks for nothing.</Empty>
              ) : null}
              {groupEqual(proposals).map(([proposal, times]) => (
                <PlannedSwap
                  key={keyOf(proposal)}
                  proposal={proposal}
                  times={times}
                  known={known}
                />
              ))}
            </Card>
            <div class="grid even">
              {declined.map(({ rule, reasons }) => (
                <Card key={rule} title={rule} link={`#/decisions/${encodeURIComponent(rule)}`}>
                  <Reasons
                    reasons={reasons.map((reason) => known.humane(reason, pairOf(rule)))}
                    none="It proposes a swap."
                  />
                </Card>
              ))}
            </div>
          </>
        )}
      </Loaded>
    </>
  )
}

type Proposed = Plan["proposals"][number]

function keyOf({ rules, from, to, amount }: Proposed): string {
  return `${rules.join()} ${from} ${to} ${amount}`
}

function PlannedSwap({
  proposal,
  times,
  known,
}: {
  proposal: Proposed
  times: number
  known: Desk["known"]
}): JSX.Element {
  const { amount, from, receive, to, rules, cost, why, refused, explained = [] } = proposal
  return (
    <article class="proposal">
      <p class="line">
        {tellTimes(times)}
        <Amount amount={amount} asset={from} /> <Worth amount={amount} asset={from} /> →{" "}
        <Amount amount={receive} asset={to} />
        {refused.length === 0 ? (
          <Pill tone="good">would be ordered</Pill>
        ) : (
          <Pill tone="bad">refused</Pill>
        )}
        <span class="quiet">
          {rules.join(", ")}
          {cost === null ? "" : ` · cost ${money(cost)}${times > 1 ? " each" : ""}`}
        </span>
      </p>
      {explained.map((sentence) => (
        <p key={sentence} class="quiet">
          {sentence}
        </p>
      ))}
      <Reasons reasons={[...why, ...refused].map((reason) => known.humane(reason, proposal))} />
    </article>
  )
}
