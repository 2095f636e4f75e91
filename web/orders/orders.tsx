import type { JSX } from "preact"
import { useEffect, useRef, useState } from "preact/hooks"
import { formatSpan } from "#health/format-span.ts"
import type { Flows, Order, Overview } from "../answers.ts"
import type { Desk } from "../desk.ts"
import { money } from "../format.ts"
import { useLive, useNow } from "../live.ts"
import { NoneYet } from "../none-yet.tsx"
import { Amount, Chain, Empty, Loaded, StateMark, Title, When } from "../parts.tsx"
import { Refused } from "../session.ts"
import { exportOrders } from "./export-orders.ts"
import { FilterSums } from "./filter-sums.tsx"
import { ALL, type Filter, sayPair } from "./order-filter.ts"
import { sayRoute } from "./order-stages.ts"
import { SavedViews } from "./saved-views.tsx"
import { StageBar } from "./stage-bar.tsx"

const STATES = [
  { name: "all", query: "" },
  { name: "needs you", query: "state=awaiting-approval" },
  { name: "open", query: "open=true" },
  { name: "held", query: "state=held" },
  { name: "completed", query: "state=completed" },
  { name: "refunded", query: "state=refunded" },
  { name: "rejected", query: "state=rejected" },
] as const
const DAYS: Readonly<Record<string, number>> = {
  "24 h": 1,
  "7 days": 7,
  "30 days": 30,
  "1 year": 365,
}
const DAY_MS = 86_400_000
const PAGE = 50
const ANY = ""
/** Typing is over after so long. */
const CALM_MS = 60

type Page = { readonly orders: readonly Order[]; readonly next: string | null }

/** The daemon filters, and gives page by page: a journal may have a hundred thousand orders. */
export function OrdersView({ overview }: Desk): JSX.Element {
  const [filter, setFilter] = useState(ALL)
  const [cursors, setCursors] = useState<readonly string[]>([])
  const query = queryOf(filter)
  const cursor = cursors.at(-1)
  const live = useLive<Page>(
    `orders?${query}&limit=${PAGE}${cursor === undefined ? "" : `&cursor=${cursor}`}`,
  )
  // The rows before stay until the next ones are there: no flicker at each letter.
  const last = useRef<Page | null>(null)
  last.current = live.value ?? last.current
  const shown = { ...live, value: last.current }
  const change = (part: Partial<Filter>): void => {
    setFilter((now) => ({ ...now, ...part }))
    setCursors([])
  }
  return (
    <>
      <Title>Orders</Title>
      <Filters
        filter={filter}
        onChange={change}
        overview={overview.value}
        rows={last.current?.orders ?? []}
      />
      <Loaded live={shown}>
        {({ orders, next }) => (
          <section class="card">
            {query === "" ? null : <FilterSums query={query} />}
            <OrderRows
              orders={orders.map((order) => ({ ...order, since: order.updatedAt, left: null }))}
              none={
                query === "" ? (
                  <NoneYet what="No order yet" overview={overview.value} />
                ) : (
                  "No order matches."
                )
              }
            />
            <Pages
              first={cursors.length * PAGE}
              count={orders.length}
              onNewer={cursors.length === 0 ? null : () => setCursors(cursors.slice(0, -1))}
              onOlder={next === null ? null : () => setCursors([...cursors, next])}
            />
          </section>
        )}
      </Loaded>
    </>
  )
}

function queryOf({ state, rule, pair, service, since, text }: Filter): string {
  const [from = "", to = ""] = pair.split(" ")
  const days = DAYS[since]
  const given = {
    rule,
    from,
    to,
    service,
    // The minute, so that the path of a filter stays the same for a while.
    since:
      days === undefined
        ? ""
        : `${new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 16)}:00Z`,
    text: text.trim().toLowerCase(),
  }
  return [
    ...(state === "" ? [] : [state]),
    ...Object.entries(given)
      .filter(([, value]) => value !== "")
      .map(([name, value]) => `${name}=${encodeURIComponent(value)}`),
  ].join("&")
}

function Filters(props: {
  filter: Filter
  onChange: (part: Partial<Filter>) => void
  overview: Overview | null
  rows: readonly Order[]
}): JSX.Element {
  const { filter, onChange, overview, rows } = props
  // The names of the last week, and those of the page.
  const flows = useLive<Flows>("flows", 60_000).value
  const rules = [
    ...(overview?.rules ?? []).map(({ id }) => id),
    ...(flows?.rules ?? []).map(({ name }) => name),
    ...rows.map(({ rule }) => rule),
  ]
  const pairs = [...(flows?.pairs ?? []), ...rows].map(({ from, to }) => `${from} ${to}`)
  const services = [
    ...(overview?.services ?? []).map(({ name }) => name),
    ...(flows?.services ?? []).map(({ name }) => name).filter((name) => name !== "none yet"),
    ...rows.flatMap(({ service }) => service ?? []),
  ]
  return (
    <div class="filters">
      <fieldset class="segments">
        <legend class="hidden">Show</legend>
        {STATES.map(({ name, query }, index) => (
          <button
            key={name}
            type="button"
            data-key={index === 0 ? "filter" : undefined}
            aria-pressed={query === filter.state}
            onClick={() => onChange({ state: query })}
          >
            {name}
          </button>
        ))}
      </fieldset>
      <Choice
        name="Any time"
        value={filter.since}
        values={Object.keys(DAYS)}
        isSorted
        onChange={(since) => onChange({ since })}
      />
      <Choice
        name="Every rule"
        value={filter.rule}
        values={rules}
        onChange={(rule) => onChange({ rule })}
      />
      <Choice
        name="Every pair"
        value={filter.pair}
        values={pairs}
        say={sayPair}
        onChange={(pair) => onChange({ pair })}
      />
      <Choice
        name="Every service or route"
        value={filter.service}
        values={services}
        onChange={(service) => onChange({ service })}
      />
      <SearchField text={filter.text} onChange={(text) => onChange({ text })} />
      <Export query={queryOf(filter)} />
      <SavedViews filter={filter} onChange={onChange} />
    </div>
  )
}

function SearchField(props: { text: string; onChange: (text: string) => void }): JSX.Element {
  const { text, onChange } = props
  const timer = useRef(0)
  const field = useRef<HTMLInputElement>(null)
  // A saved view brings its own text; typing is not interrupted.
  useEffect(() => {
    if (field.current !== null && timer.current === 0) field.current.value = text
  }, [text])
  return (
    <label>
      <span class="hidden">Search by order, rule or asset</span>
      <input
        ref={field}
        type="search"
        placeholder="Order, rule or asset"
        onInput={({ currentTarget: { value } }) => {
          clearTimeout(timer.current)
          timer.current = window.setTimeout(() => {
            timer.current = 0
            onChange(value)
          }, CALM_MS)
        }}
      />
    </label>
  )
}

function Export({ query }: { query: string }): JSX.Element {
  const [words, setWords] = useState("Export CSV")
  const start = (): void => {
    exportOrders(query, (orders) => setWords(`${orders} orders…`)).then(
      () => setWords("Export CSV"),
      (cause: unknown) => setWords(cause instanceof Refused ? cause.message : "The export failed"),
    )
  }
  return (
    <button type="button" data-key="export" onClick={start}>
      {words}
    </button>
  )
}

function Pages(props: {
  first: number
  count: number
  onNewer: (() => void) | null
  onOlder: (() => void) | null
}): JSX.Element {
  const { first, count, onNewer, onOlder } = props
  return (
    <p class="pages">
      <span class="quiet keys">
        <kbd>j</kbd> <kbd>k</kbd> move <kbd>o</kbd> open <kbd>f</kbd> filter <kbd>e</kbd> export
      </span>
      <span class="quiet">{count === 0 ? "" : `${first + 1}–${first + count}`}</span>
      <button type="button" disabled={onNewer === null} onClick={() => onNewer?.()}>
        Newer
      </button>
      <button type="button" disabled={onOlder === null} onClick={() => onOlder?.()}>
        Older
      </button>
    </p>
  )
}

function Choice(props: {
  name: string
  value: string
  values: readonly string[]
  /** They have an order of their own. */
  isSorted?: boolean
  say?: (value: string) => string
  onChange: (value: string) => void
}): JSX.Element {
  const { name, value, values, isSorted = false, say = (text) => text, onChange } = props
  const known = [...new Set([...(value === ANY ? [] : [value]), ...values])]
  return (
    <label>
      <span class="hidden">{name}</span>
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        <option value={ANY}>{name}</option>
        {(isSorted ? values : known.toSorted()).map((one) => (
          <option key={one} value={one}>
            {say(one)}
          </option>
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
  readonly route?: Order["route"] | undefined
}

const COLUMNS = [
  "Opened",
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
export function OrderRows({
  orders,
  none,
  few = false,
}: {
  orders: readonly Row[]
  none: JSX.Element | string
  /** The columns of a phone, beside other cards. */
  few?: boolean
}): JSX.Element {
  if (orders.length === 0) return <Empty>{none}</Empty>
  return (
    <table class={few ? "orders few" : "orders"}>
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
        <When at={order.createdAt} />
      </td>
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
        <StageBar state={state} deposited={order.deposited} parts={order.route} />
        {order.route === undefined ? null : <small class="block">{sayRoute(order.route)}</small>}
      </td>
      <td title={order.money}>
        <StateMark state={state} />
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
