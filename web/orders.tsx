import type { JSX } from "preact"
import { useState } from "preact/hooks"
import type { Order, Overview } from "./answers.ts"
import type { Desk } from "./desk.ts"
import { plain, toneOfState } from "./format.ts"
import { useLive } from "./live.ts"
import { Amount, Empty, Loaded, Pill, Table, Title, When } from "./parts.tsx"

const FILTERS = ["all", "open", "held", "completed", "refunded", "rejected"] as const

export function OrdersView(_desk: Desk): JSX.Element {
  const [filter, setFilter] = useState<(typeof FILTERS)[number]>("all")
  const [text, setText] = useState("")
  const orders = useLive<{ orders: readonly Order[] }>(
    filter === "open" ? "orders?open=true&limit=200" : "orders?limit=200",
  )
  const matches = (order: Order): boolean =>
    (filter === "all" || (filter === "open" ? order.outcome === null : order.state === filter)) &&
    [order.id, order.rule, order.from, order.to].some((part) =>
      part.includes(text.trim().toLowerCase()),
    )
  return (
    <>
      <Title note="The newest 200 orders, each with the place of its money.">Orders</Title>
      <div class="filters">
        <fieldset>
          <legend class="hidden">Show</legend>
          {FILTERS.map((name) => (
            <button
              key={name}
              type="button"
              aria-pressed={name === filter}
              onClick={() => setFilter(name)}
            >
              {name}
            </button>
          ))}
        </fieldset>
        <label>
          <span class="hidden">Search by order, rule or asset</span>
          <input
            type="search"
            placeholder="Order, rule or asset"
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </label>
      </div>
      <Loaded live={orders}>
        {(value) => (
          <section class="card">
            <OrderRows
              orders={value.orders
                .filter(matches)
                .map((order) => ({ ...order, since: order.updatedAt, ends: null, left: null }))}
              none="No order matches."
            />
          </section>
        )}
      </Loaded>
    </>
  )
}

type Row = Pick<
  Overview["orders"][number],
  | "id"
  | "rule"
  | "from"
  | "to"
  | "amount"
  | "destinationAmount"
  | "state"
  | "money"
  | "since"
  | "left"
  | "ends"
>

/** Orders as rows, each with a link to its page. */
export function OrderRows({ orders, none }: { orders: readonly Row[]; none: string }): JSX.Element {
  if (orders.length === 0) return <Empty>{none}</Empty>
  const rows = orders.map((order) => ({
    key: order.id,
    cells: [
      <a key="id" href={`#/orders/${order.id}`} class="id">
        {order.id.slice(0, 8)}
      </a>,
      <Pill key="state" tone={toneOfState(order.state)}>
        {plain(order.state)}
      </Pill>,
      <Amount key="from" amount={order.amount} asset={order.from} />,
      <Amount key="to" amount={order.destinationAmount} asset={order.to} />,
      <span key="money">
        {order.money}
        {order.left === null ? null : (
          <small class="block">
            {order.left} left{order.ends === null ? "" : `: ${order.ends}`}
          </small>
        )}
      </span>,
      <span key="rule" class="name">
        {order.rule}
      </span>,
      <span key="since" class="name">
        <When at={order.since} />
      </span>,
    ],
  }))
  return (
    <Table
      caption="Orders"
      columns={["Order", "State", "Sends", "Receives", "Where is the money?", "Rule", "Since"]}
      rows={rows}
    />
  )
}
