import type { JSX } from "preact"
import { useState } from "preact/hooks"
import type { Flows, Overview, Summary } from "../answers.ts"
import { CallStrip } from "../charts/call-strip.tsx"
import { FlowChart, FlowTable } from "../charts/flow-chart.tsx"
import type { Desk } from "../desk.ts"
import { nameChain, type Tone } from "../format.ts"
import { useLive } from "../live.ts"
import { type Range, RangePicker, useFlows } from "../money/treasury.tsx"
import { OrderRows } from "../orders/orders.tsx"
import { Card, Fiat, Loaded, Meter, Pill, Say, Skeleton, When } from "../parts.tsx"
import { limitText } from "../rules/limits.tsx"
import { Money, Places } from "./money.tsx"
import { NeedsYou } from "./needs-you.tsx"
import { Next } from "./next.tsx"
import { SinceYouLooked } from "./since.tsx"

/** How much is there, what needs a person, what happened meanwhile, where the money is. */
export function OverviewView({ overview }: Desk): JSX.Element {
  const { value: summary } = useLive<Summary>("summary", 5_000)
  return (
    <Loaded live={overview}>
      {(value) => (
        <>
          <Verdict overview={value} />
          {summary === null ? <Skeleton /> : <Money overview={value} summary={summary} />}
          <div class="grid overview">
            <div class="column">
              <NeedsYou overview={value} summary={summary} />
              {summary === null ? <Skeleton /> : <Places overview={value} summary={summary} />}
              <InFlight overview={value} summary={summary} />
              <Health overview={value} />
            </div>
            <div class="column">
              <SinceYouLooked problems={value.problems} />
              <Moved />
              <Next overview={value} />
              <Limits overview={value} />
            </div>
          </div>
        </>
      )}
    </Loaded>
  )
}

/** Where money moved between the chains. */
function Moved(): JSX.Element {
  const [range, setRange] = useState<Range>("24 h")
  const { value } = useFlows(range)
  return (
    <section class="card">
      <header>
        <h2>
          <a href="#/treasury">Flows</a>
        </h2>
        <RangePicker range={range} ranges={["24 h", "7 d", "30 d"]} onChange={setRange} />
      </header>
      {value === null ? <p class="quiet">Reading…</p> : <MovedBetween flows={value} />}
    </section>
  )
}

/** The chart, its sum, and the same as a table. */
function MovedBetween({ flows: { chains, total } }: { flows: Flows }): JSX.Element {
  return (
    <>
      <FlowChart chains={chains} />
      {chains.length === 0 ? null : (
        <>
          <p class="note">
            <Fiat fiat={total.volumeFiat} /> in {total.completed} swap
            {total.completed === 1 ? "" : "s"}
            {total.costBps === null ? "" : `, ${total.costBps} bps`}
          </p>
          <details class="small">
            <summary>The same as a table</summary>
            <FlowTable chains={chains} />
          </details>
        </>
      )}
    </>
  )
}

/** More would push the nodes too far down. */
const SHOWN_ORDERS = 6

function InFlight({
  overview: { orders },
  summary,
}: {
  overview: Overview
  summary: Summary | null
}): JSX.Element {
  const rows = orders.slice(0, SHOWN_ORDERS).map((order) => {
    const known = summary?.open.find((one) => one.order === order.id)
    return {
      ...order,
      deposited: known?.deposited ?? false,
      createdAt: known?.requestedAt ?? order.since,
      fiat: known?.fiat ?? null,
    }
  })
  return (
    <Card title="Orders in flight" link="#/orders">
      <OrderRows orders={rows} few none="No order is in flight." />
      {orders.length <= SHOWN_ORDERS ? null : (
        <p class="rest">
          <a href="#/orders">All {orders.length} orders in flight</a>
        </p>
      )}
    </Card>
  )
}

const LEVELS = { ok: "All is well", attention: "Needs attention", trouble: "Trouble" } as const

/** One line: the causes stand below, each once. */
function Verdict({ overview }: { overview: Overview }): JSX.Element {
  const { level, mode, pause } = overview
  return (
    <section class={`verdict ${level}`} aria-label="Verdict">
      <h1 tabIndex={-1}>
        {LEVELS[level]} · {mode ?? "unknown"} mode{pause === null ? "" : " · paused"}
      </h1>
    </section>
  )
}

/** In percent: fuller ones may soon stop a rule. */
const NEARLY_FULL = 80

function Limits({ overview }: { overview: Overview }): JSX.Element {
  const sorted = overview.limits.toSorted((a, b) => b.percent - a.percent)
  const full = sorted.filter(({ percent }) => percent >= NEARLY_FULL).slice(0, 3)
  const budget = sorted.find(({ name }) => name.startsWith("fees in "))
  const shown = budget === undefined || full.includes(budget) ? full : [...full, budget]
  return (
    <Card title="Limits used" link="#/limits">
      {full.length > 0 ? null : (
        <p class="quiet">
          ✓ None above {NEARLY_FULL} %; the fullest has {sorted[0]?.percent ?? 0} %.
        </p>
      )}
      {shown.map(({ name, used, max, unit, percent }) => (
        <div key={name} class="limit">
          <p>
            <Say text={name} /> <span class="quiet">{limitText(used, max, unit)}</span>
          </p>
          <Meter percent={percent} label={`${name}: ${percent}%`} />
        </div>
      ))}
    </Card>
  )
}

const STATES: Readonly<Record<string, Tone>> = {
  good: "good",
  slow: "warn",
  degraded: "warn",
  resting: "warn",
  silent: "bad",
  failing: "bad",
  unknown: "calm",
}

function Health({ overview }: { overview: Overview }): JSX.Element {
  const { nodes, services } = overview
  return (
    <Card title="Nodes and services">
      <dl class="pairs two">
        {nodes.map(({ chain, state, lastAnswer, endpoints, needed }) => (
          <div key={chain}>
            <dt>
              {nameChain(chain)}{" "}
              <details class="small">
                <summary>
                  {endpoints.length} node{endpoints.length === 1 ? "" : "s"}, {needed} must agree
                </summary>
                {endpoints.map(({ host, hours }) => (
                  <div key={host}>
                    {host}
                    <CallStrip hours={hours} />
                  </div>
                ))}
              </details>
            </dt>
            <dd>
              <When at={lastAnswer} /> <Pill tone={STATES[state] ?? "calm"}>{state}</Pill>
            </dd>
          </div>
        ))}
        {services.map(({ name, state, lastAnswer, inFlight, hours }) => (
          <div key={name}>
            <dt>
              Service {name} <small>{inFlight} in flight</small>
              <CallStrip hours={hours} />
            </dt>
            <dd>
              <When at={lastAnswer} /> <Pill tone={STATES[state] ?? "calm"}>{state}</Pill>
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}
