import type { JSX } from "preact"
import { useState } from "preact/hooks"
import { describePayoutDeadline } from "#health/describe-payout-deadline.ts"
import { describeSecret } from "#order/describe-secret.ts"
import { describeReference } from "#order/view-reference.ts"
import type { OrderAnswer } from "../answers.ts"
import type { Desk } from "../desk.ts"
import {
  clockTime,
  money,
  nameAsset,
  nameChain,
  percentOf,
  plain,
  shortAmount,
  toneOfState,
} from "../format.ts"
import { useLive } from "../live.ts"
import {
  Amount,
  Card,
  Hash,
  Loaded,
  Pairs,
  Pill,
  Reasons,
  Say,
  StateMark,
  Table,
  Title,
  When,
} from "../parts.tsx"
import { sayTook } from "./list-spans.ts"
import { OrderActions } from "./order-actions.tsx"
import {
  describeEvent,
  judgeTestimony,
  listStages,
  listTestimonies,
  type Stage,
  sayRoute,
} from "./order-stages.ts"
import { StageTimes } from "./stage-times.tsx"

/**
 * One order: its way as stages, the words of service and chain side by side, its transactions, and
 * everything that happened.
 */
export function OrderPage(
  desk: Desk & { readonly detail: string; readonly opens: boolean },
): JSX.Element {
  const order = useLive<OrderAnswer>(`orders/${encodeURIComponent(desk.detail)}`, 3_000)
  return (
    <Loaded live={order}>
      {(value) => <OrderFound order={value} desk={desk} opens={desk.opens} />}
    </Loaded>
  )
}

function OrderFound(props: { order: OrderAnswer; desk: Desk; opens: boolean }): JSX.Element {
  const { order, desk, opens } = props
  const rulePage = `#/decisions/${encodeURIComponent(order.rule)}`
  const about = desk.overview.value?.orders.find(({ id }) => id === order.id) ?? null
  return (
    <>
      <Title
        note={
          <>
            Order <code>{order.id.slice(0, 8)}</code> of rule <a href={rulePage}>{order.rule}</a>,
            requested <When at={order.createdAt} />
          </>
        }
      >
        <Amount amount={order.amount} asset={order.from} /> →{" "}
        <Amount amount={order.destinationAmount} asset={order.to} />
      </Title>
      <section class={`card wide place ${toneOfState(order.state)}`}>
        <p>
          <StateMark state={order.state} />
        </p>
        <p class="money">
          <span class="quiet">Where is the money?</span> <b>{order.money}</b>
        </p>
        {about?.left == null ? null : (
          <p>
            <b>{about.left}</b> left{about.ends === null ? "" : `: ${about.ends}`}
          </p>
        )}
        <Reasons reasons={order.reasons.map((reason) => desk.known.humane(reason, order))} />
        <OrderActions order={order} scopes={desk.scopes} opens={opens} />
      </section>
      {order.explained === undefined || order.explained.length === 0 ? null : (
        <Card title="Why this way" note={`rule ${order.rule}`} wide>
          {order.explained.map((sentence) => (
            <p key={sentence}>
              <Say text={sentence} />
            </p>
          ))}
        </Card>
      )}
      <Card title="The way of the order" wide>
        <Stages stages={listStages(order)} />
        <StageTimes order={order} />
      </Card>
      <Card
        title={order.route === undefined ? "The service's word and the chain's word" : "The chains"}
        note="Ballast believes only the chain."
        wide
      >
        <Words order={order} desk={desk} />
      </Card>
      <div class="grid halves">
        <Card title="Transactions">
          <Transactions order={order} desk={desk} />
        </Card>
        <Card title="Terms">
          <Terms order={order} />
        </Card>
      </div>
      <Card title="Everything that happened" note={`${order.events.length} events`} wide>
        <Events order={order} />
      </Card>
    </>
  )
}

function Stages({ stages }: { stages: readonly Stage[] }): JSX.Element {
  return (
    <ol class="stages">
      {stages.map(({ name, at, state }, index) => {
        const before = stages.slice(0, index).findLast((one) => one.at !== null)?.at ?? null
        const took = at === null || before === null ? null : Date.parse(at) - Date.parse(before)
        return (
          <li key={name} class={state} aria-current={state === "now" ? "step" : undefined}>
            <span class="mark" aria-hidden="true" />
            <b>{name}</b>
            {at === null ? (
              <small>{state === "now" ? "next" : state === "done" ? "passed" : "not yet"}</small>
            ) : (
              <small title={at}>
                {clockTime(at)}
                {took === null || took < 0 ? "" : ` · +${sayTook(took)}`}
              </small>
            )}
          </li>
        )
      })}
    </ol>
  )
}

function Words({ order, desk }: { order: OrderAnswer; desk: Desk }): JSX.Element {
  const rows = listTestimonies(order)
    .filter(({ what, service, seen }) => {
      return service.length > 0 || seen !== null || what !== "The refund to us"
    })
    .map(({ what, chain, service, seen }) => {
      const { tone, says } = judgeTestimony({ service, seen }, order.outcome !== null)
      const cells = [
        <span key="what">
          <b>{what}</b>
          <small class="block">on {nameChain(chain)}</small>
        </span>,
        <Named key="service" chain={chain} txs={service} desk={desk} />,
        seen === null ? (
          <span key="seen" class="quiet">
            shows nothing
          </span>
        ) : (
          <span key="seen">
            <Hash hash={seen.tx} link={desk.known.linkOf(chain, seen.tx)} what="the transaction" />
            <small class="block">
              {clockTime(seen.at)}, {seen.final ? "final" : "not final yet"}
            </small>
          </span>
        ),
        <Pill key="judgement" tone={tone}>
          {says}
        </Pill>,
      ]
      return { key: what, cells }
    })
  return (
    <Table
      caption="The service's word and the chain's word"
      columns={["About", "The service says", "Our own node shows", "Together"]}
      rows={rows}
    />
  )
}

const MOST_NAMED = 3

type NamedParts = { readonly chain: string; readonly txs: readonly string[]; readonly desk: Desk }

/** The transactions that the service names; strangers can deposit to an address at will. */
function Named({ chain, txs, desk }: NamedParts): JSX.Element {
  if (txs.length === 0) return <span class="quiet">says nothing</span>
  const more = txs.length - MOST_NAMED
  return (
    <span>
      {txs.slice(0, MOST_NAMED).map((tx) => (
        <span key={tx} class="block">
          <Hash hash={tx} link={desk.known.linkOf(chain, tx)} what="the transaction" />
        </span>
      ))}
      {more > 0 ? <small class="block">and {more} more</small> : null}
    </span>
  )
}

function Transactions({ order, desk }: { order: OrderAnswer; desk: Desk }): JSX.Element {
  const chain = order.from.split(":")[0] ?? ""
  if (order.transactions.length === 0)
    return (
      <p class="empty">
        {order.deposit === "gasless" && order.depositTx !== null
          ? "Ballast signed no transaction of its own: the relay made the deposit and paid its fee."
          : "Ballast has signed no transaction for this order."}
      </p>
    )
  return (
    <ul class="plain">
      {order.transactions.map(({ purpose, attempt, tx }) => (
        <li key={tx}>
          <b>{purpose}</b>{" "}
          <small>{attempt > 0 ? `attempt ${attempt + 1}` : `on ${nameChain(chain)}`}</small>
          <Hash hash={tx} link={desk.known.linkOf(chain, tx)} what="the transaction" />
        </li>
      ))}
    </ul>
  )
}

function Terms({ order }: { order: OrderAnswer }): JSX.Element {
  const to = nameAsset(order.to).symbol
  const redeemBy = describePayoutDeadline(order, null)
  const reference = describeReference(order).join("; ")
  const pairs: readonly (readonly [string, JSX.Element | string])[] = [
    ["Order", <Hash key="id" hash={order.id} what="the order's id" />],
    [
      "Order at the service",
      order.serviceOrderId === null ? (
        "none"
      ) : (
        <Hash key="s" hash={order.serviceOrderId} what="the service's id" />
      ),
    ],
    ["Service", order.service ?? "none yet"],
    [
      "Solver",
      order.solver === null ? (
        "none yet"
      ) : (
        <Hash key="solver" hash={order.solver} what="the solver's id" />
      ),
    ],
    ...termsOfRoute(order),
    ...(redeemBy === null ? [] : [["Payout must be redeemed", redeemBy] as const]),
    ["Value", order.fiat === null ? "unknown" : money(order.fiat)],
    [
      "Cost, network fees so far included",
      `${money(order.costFiat)} (quote: ${percentOf(order.costBps)})`,
    ],
    ...(reference === "" ? [] : [["Against our prices", reference] as const]),
    [
      "Deposit",
      order.deposit === "gasless" ? "by a relay, without a fee of ours" : "by our own transaction",
    ],
    ["Pays to", <Hash key="d" hash={order.destinationOwner} what="the address" />],
    [
      "Fee that the payout may lose",
      order.payoutFee === null ? "unknown" : `${shortAmount(order.payoutFee)} ${to}`,
    ],
    [
      "Approved",
      order.approval === null
        ? "no approval was needed or given"
        : `by ${order.approval.by}, ${clockTime(order.approval.at)}`,
    ],
    ["Acts next", order.who],
  ]
  return (
    <>
      <Pairs pairs={pairs} />
      {order.calls.length === 0 ? null : (
        <>
          <h3>Asked by people</h3>
          <ul class="plain">
            {order.calls.map(({ at, caller, source, action }) => (
              <li key={`${at} ${action}`}>
                <b>{action}</b> by {caller} from {source}, <When at={at} />
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}

/** How the money goes, which party it depends on, and what can come back. */
function termsOfRoute(order: OrderAnswer): readonly (readonly [string, string])[] {
  const { route, refundableAtHeight } = order
  if (route !== undefined)
    return [
      ["Route", sayRoute(route)],
      ["Depends on", route.trust],
    ]
  return [
    ["Route", "two HTLCs of a swap service"],
    ["Secret", describeSecret(order)],
    ["Refund possible at height", refundableAtHeight ?? "not known yet"],
  ]
}

function Events({ order }: { order: OrderAnswer }): JSX.Element {
  const [all, setAll] = useState(false)
  const shown = all ? order.events : order.events.slice(-40)
  return (
    <>
      {order.events.length > shown.length ? (
        <button type="button" onClick={() => setAll(true)}>
          Show the {order.events.length - shown.length} earlier events
        </button>
      ) : null}
      <ol class="events">
        {shown.map(({ at, type, state }, index) => {
          const { who, says } = describeEvent(type, order)
          return (
            <li key={`${at} ${index}`} class={who}>
              <time dateTime={at} title={at}>
                {clockTime(at)}
              </time>
              <span class="who">{who}</span>
              <span>
                {says} <small>→ {plain(state)}</small>
              </span>
            </li>
          )
        })}
      </ol>
    </>
  )
}
