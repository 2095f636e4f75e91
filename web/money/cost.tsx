import type { ComponentChildren, JSX } from "preact"
import { useState } from "preact/hooks"
import { axisNumber } from "#backtest/plot/axis.ts"
import { formatSpan } from "#health/format-span.ts"
import type { Flows } from "../answers.ts"
import { StepsChart } from "../charts/steps-chart.tsx"
import { money, nameAsset } from "../format.ts"
import { Card, Empty, Fiat, Swatch, Table } from "../parts.tsx"

type Line = Flows["total"]

/** Cost, cost of what moved, and time to completion, by hour or day. */
export function CostCharts({ flows, span }: { flows: Flows; span: string }): JSX.Element {
  const { steps, total, maxCostBps } = flows
  const fiat = (value: number): string => `$${axisNumber(value)}`
  return (
    <div class="grid thirds">
      <Card title={`Cost, ${span}`} note={<Names />}>
        <p>
          <b title={total.costFiat}>{money(total.costFiat)}</b>{" "}
          <span class="quiet">
            for <b title={total.volumeFiat}>{money(total.volumeFiat)}</b> in {total.completed} swap
            {total.completed === 1 ? "" : "s"}
          </span>
        </p>
        <StepsChart
          title="Cost in usd"
          steps={steps}
          as="bars"
          show={fiat}
          series={[
            {
              name: "swaps",
              of: (step) => Number(step.costFiat) - Number(step.feesFiat),
              tone: "a",
            },
            { name: "network", of: (step) => Number(step.feesFiat), tone: "b" },
          ]}
        />
      </Card>
      <Card title="Cost of what moved" note="bps">
        <p>
          <b>{total.costBps === null ? "–" : `${total.costBps} bps`}</b>{" "}
          <span class="quiet">network fees included</span>
        </p>
        <StepsChart
          title="Cost in bps of what moved"
          steps={steps}
          as="lines"
          show={(value) => axisNumber(value)}
          limit={
            maxCostBps === null ? null : { value: maxCostBps, name: `limit ${maxCostBps} bps` }
          }
          series={[{ name: "bps", of: ({ costBps }) => costBps, tone: "a" }]}
        />
      </Card>
      <Card title="Time to completion">
        <p>
          <span class="quiet">half within</span> <b>{spanOf(total.medianMs)}</b>
          <span class="quiet">, 95 of 100 within</span> <b>{spanOf(total.p95Ms)}</b>
        </p>
        <StepsChart
          title="Time to completion"
          steps={steps}
          as="lines"
          show={spanOf}
          series={[
            { name: "half", of: ({ medianMs }) => medianMs, tone: "a" },
            { name: "95 of 100", of: ({ p95Ms }) => p95Ms, tone: "b" },
          ]}
        />
      </Card>
    </div>
  )
}

function Names(): JSX.Element {
  return (
    <>
      <Swatch tone="bar-a" /> swaps <Swatch tone="bar-b" /> network, usd
    </>
  )
}

const GROUPS = ["Rule", "Pair", "Service", "Time"] as const

/** The same figures by rule, pair, service or time. */
export function FigureTable({ flows, span }: { flows: Flows; span: string }): JSX.Element {
  const [group, setGroup] = useState<(typeof GROUPS)[number]>("Rule")
  const lines = linesOf(flows, group)
  return (
    <section class="card">
      <header>
        <h2>Volume, cost and time, {span}</h2>
        <fieldset class="segments">
          <legend class="hidden">By</legend>
          {GROUPS.map((name) => (
            <button
              key={name}
              type="button"
              aria-pressed={name === group}
              onClick={() => setGroup(name)}
            >
              {name}
            </button>
          ))}
        </fieldset>
      </header>
      {lines.length === 0 ? <Empty>No order in this time.</Empty> : null}
      <Table
        figures
        caption={`Volume, cost and time by ${group.toLowerCase()}`}
        columns={[
          group,
          "Orders",
          "Moved",
          "Cost",
          "Of it network",
          "bps",
          "Half within",
          "95 of 100",
        ]}
        rows={[...lines, { name: "Total", line: flows.total }].map(({ name, line }) => ({
          key: name,
          cells: cellsOf(name, line),
        }))}
      />
      {flows.total.unpriced === 0 ? null : (
        <p class="note">
          {flows.total.unpriced === 1
            ? "One amount without a price is in no sum."
            : `${flows.total.unpriced} amounts without a price are in no sum.`}
        </p>
      )}
    </section>
  )
}

function linesOf(
  { rules, services, pairs, steps }: Flows,
  group: (typeof GROUPS)[number],
): readonly { readonly name: string; readonly line: Line }[] {
  if (group === "Rule") return rules.map((line) => ({ name: line.name, line }))
  if (group === "Service") return services.map((line) => ({ name: line.name, line }))
  if (group === "Pair")
    return pairs.map((line) => ({ name: `${sayAsset(line.from)} → ${sayAsset(line.to)}`, line }))
  return steps
    .filter(({ orders }) => orders > 0)
    .toReversed()
    .map((line) => ({
      name: line.from.replace("T00:00:00.000Z", "").replace(":00.000Z", "Z"),
      line,
    }))
}

function sayAsset(id: string): string {
  const { symbol, chain } = nameAsset(id)
  return `${symbol} ${chain}`
}

function cellsOf(name: string, line: Line): readonly ComponentChildren[] {
  return [
    <b key="name">{name}</b>,
    line.orders,
    <Fiat key="moved" fiat={line.volumeFiat} />,
    <Fiat key="cost" fiat={line.costFiat} />,
    <Fiat key="fees" fiat={line.feesFiat} />,
    line.costBps ?? "–",
    spanOf(line.medianMs),
    spanOf(line.p95Ms),
  ]
}

function spanOf(ms: number | null): string {
  return ms === null ? "–" : formatSpan(ms)
}
