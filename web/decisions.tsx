import type { JSX } from "preact"
import type { Decision } from "./answers.ts"
import type { Desk } from "./app.tsx"
import { clockTime, money } from "./format.ts"
import { useLive } from "./live.ts"
import { Amount, Copy, Empty, Loaded, Pill, Reasons, Title, When } from "./parts.tsx"

/** The decisions of all rules or of one, each with its reasons, its orders and the command that computes it again. */
export function DecisionsView({ detail, overview, known }: Desk): JSX.Element {
  const rule = detail === null ? "" : `rule=${encodeURIComponent(detail)}&`
  const decisions = useLive<{ decisions: readonly Decision[] }>(`decisions?${rule}limit=40`, 10_000)
  return (
    <>
      <Title note="Why did a rule do something, or nothing? The same answer in a row is one line with its number of times.">
        {detail === null ? "Decisions" : `Decisions of ${detail}`}
      </Title>
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
            {value.decisions.length === 0 ? <Empty>No decision yet.</Empty> : null}
            {value.decisions.map((decision) => (
              <DecisionRow key={decision.id} decision={decision} known={known} />
            ))}
          </section>
        )}
      </Loaded>
    </>
  )
}

function DecisionRow({ decision, known }: { decision: Decision; known: Desk["known"] }): JSX.Element {
  const { id, at, lastAt, times, rule, verdict, reasons, proposals, orders } = decision
  const command = `ballast replay ${id}`
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
      {proposals.map((proposal) => (
        <p key={`${proposal.from} ${proposal.to} ${proposal.amount}`} class="line">
          <Amount amount={proposal.amount} asset={proposal.from} /> →{" "}
          <Amount amount={proposal.receive} asset={proposal.to} />
          {proposal.cost === null ? null : <span class="quiet">cost {money(proposal.cost)}</span>}
        </p>
      ))}
      <Reasons reasons={reasons.map((reason) => known.humane(reason, proposals[0] ?? null))} />
      <p class="line quiet">
        {orders.map((order) => (
          <a key={order} href={`#/orders/${order}`}>
            Order {order.slice(0, 8)}
          </a>
        ))}
        <span class="hash">
          <code>{command}</code>
          <Copy text={command} what="the command that computes this decision again" />
        </span>
      </p>
    </article>
  )
}
