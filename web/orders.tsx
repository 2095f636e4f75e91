import type { JSX } from "preact"
import { useState } from "preact/hooks"
import { formatSpan } from "#health/format-span.ts"
import type { Order, Overview } from "./answers.ts"
import type { Desk } from "./desk.ts"
import { money, nameAsset, plain, toneOfState } from "./format.ts"
import { useLive, useNow } from "./live.ts"
import { Amount, Chain, Empty, Loaded, Pill, Title } from "./parts.tsx"
import { StageBar } from "./stage-bar.tsx"

const FILTERS = ["all", "open", "held", "completed", "refunded", "rejected"] as const
const ANY = ""

type Filter = {
  readonly state: (typeof FILTERS)[number]
  readonly rule: string
  readonly pair: string
  readonly text: string
}

export function OrdersView(_desk: Desk): JSX.Element {
  const [filter, setFilter] = useState<Filter>({ state: "all", rule: ANY, pair: ANY, text: "" })
  const change = (part: Partial<Filter>): void => setFilter({ ...filter, ...part })
  const orders = useLive<{ orders: readonly Order[] }>(
    filter.state === "open" ? "orders?open=true&limit=200" : "orders?limit=200",
  )
  const all = orders.value?.orders ?? []
  return (
    <>
      <Title note="The newest 200 orders.">Orders</Title>
      <div class="filters">
        <fieldset>
          <legend class="hidden">Show</legend>
          {FILTERS.map((state) => (
            <button
              key={state}
              type="button"
              aria-pressed={state === filter.state}
              onClick={() => change({ state })}
            >
              {state}
            </button>
          ))}
        </fieldset>
        <Choice
          name="Every rule"
          value={filter.rule}
          values={[...new Set(all.map(({ rule }) => rule))]}
          onChange={(rule) => change({ rule })}
        />
        <Choice
          name="Every pair"
          value={filter.pair}
          values={[...new Set(all.map(pairOf))]}
          onChange={(pair) => change({ pair })}
        />
        <label>
          <span class="hidden">Search by order, rule or asset</span>
          <input
            type="search"
            placeholder="Order, rule or asset"
            value={filter.text}
            onInput={(event) => change({ text: event.currentTarget.value })}
          />
        </label>
      </div>
      <Loaded live={orders}>
        {(value) => (
          <section class="card">
            <OrderRows
              orders={value.orders
                .filter((order) => matches(order, filter))
                .map((order) => ({ ...order, since: order.updatedAt, left: null }))}
              none="No order matches."
            />
          </section>
        )}
      </Loaded>
    </>
  )
}

function matches(order: Order, { state, rule, pair, text }: Filter): boolean {
  return (
    (state === "all" || (state === "open" ? order.outcome === null : order.state === state)) &&
    (rule === ANY || order.rule === rule) &&
    (pair === ANY || pairOf(order) === pair) &&
    [order.id, order.rule, order.from, order.to].some((part) =>
      part.includes(text.trim().toLowerCase()),
    )
  )
}

function pairOf({ from, to }: Pick<Order, "from" | "to">): string {
  const sold = nameAsset(from)
  const bought = nameAsset(to)
  return `${sold.symbol} ${sold.chain} → ${bought.symbol} ${bought.chain}`
}

function Choice(props: {
  name: string
  value: string
  values: readonly string[]
  onChange: (value: string) => void
}): JSX.Element {
  return (
    <label>
      <span class="hidden">{props.name}</span>
      <select value={props.value} onChange={(event) => props.onChange(event.currentTarget.value)}>
        <option value={ANY}>{props.name}</option>
        {props.values.toSorted().map((value) => (
          <option key={value}>{value}</option>
        ))}
      </select>
    </label>
  )
}

type Row = Pick<
  Overview["orders"][number],
  "id" | "rule" | "from" | "to" | "amount" | "destinationAmount" | "state" | "money" | "since"
> & {
  readonly createdAt: string
  readonly deposited: boolean
  readonly fiat: string | null
  readonly costBps?: number | null
  readonly costFiat?: string | null
  readonly outcome?: string | null
  readonly left: string | null
}

const COLUMNS = [
  "Order",
  "Sends",
  "From → to",
  "Receives",
  "Value",
  "Cost",
  "Stage",
  "State",
  "Took",
  "Rule",
] as const

/** Orders, one line each; the place of the money is in the title of the state. */
export function OrderRows({ orders, none }: { orders: readonly Row[]; none: string }): JSX.Element {
  if (orders.length === 0) return <Empty>{none}</Empty>
  return (
    <table class="orders">
      <caption class="hidden">Orders</caption>
      <thead>
        <tr>
          {COLUMNS.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {orders.map((order) => (
          <OrderRow key={order.id} order={order} />
        ))}
      </tbody>
    </table>
  )
}

function OrderRow({ order }: { order: Row }): JSX.Element {
  const { id, from, to, state, fiat, costFiat = null, costBps = null } = order
  return (
    <tr>
      <td>
        <a href={`#/orders/${id}`} class="id" data-row>
          {id.slice(0, 8)}
        </a>
      </td>
      <td class="number">
        <Amount amount={order.amount} asset={from} chain={false} />
      </td>
      <td>
        <Chain id={from} /> <span class="quiet">→</span> <Chain id={to} />
      </td>
      <td class="number">
        {order.destinationAmount === null ? (
          "–"
        ) : (
          <Amount amount={order.destinationAmount} asset={to} chain={false} />
        )}
      </td>
      <td class="number" title={fiat ?? undefined} data-exact={fiat ?? undefined}>
        {fiat === null ? "–" : money(fiat)}
      </td>
      <td class="number" title={costFiat === null ? undefined : `${costFiat} usd`}>
        {costBps === null ? "–" : `${costBps} bps`}
      </td>
      <td>
        <StageBar state={state} deposited={order.deposited} />
      </td>
      <td title={order.money}>
        <Mark state={state} />
        {order.left === null ? null : <small class="block">{order.left} left</small>}
      </td>
      <td>
        <Took order={order} />
      </td>
      <td class="rule">{order.rule}</td>
    </tr>
  )
}

/** From the request to the end, or to now. */
function Took({ order: { createdAt, since, outcome } }: { order: Row }): JSX.Element {
  const now = useNow()
  const isOver = outcome != null
  const endMs = isOver ? Date.parse(since) : now
  return (
    <time dateTime={createdAt} title={isOver ? `${createdAt} to ${since}` : `since ${createdAt}`}>
      {formatSpan(Math.max(0, endMs - Date.parse(createdAt)))}
    </time>
  )
}

/** Quiet is plain: an end as it should be has no colour. */
function Mark({ state }: { state: string }): JSX.Element {
  return state === "completed" ? (
    <>✓ completed</>
  ) : (
    <Pill tone={toneOfState(state)}>{plain(state)}</Pill>
  )
}
