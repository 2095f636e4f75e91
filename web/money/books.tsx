import type { JSX } from "preact"
import { axisNumber } from "#backtest/plot/axis.ts"
import type { Books } from "../answers.ts"
import { StepsChart } from "../charts/steps-chart.tsx"
import type { Desk } from "../desk.ts"
import { money, percentOf, plain } from "../format.ts"
import { useLive } from "../live.ts"
import { NoneYet } from "../none-yet.tsx"
import { Card, Empty, Loaded, Table, Title, When } from "../parts.tsx"

type Line = Books["total"]

/** Volume, costs and fees by week, and by rule. */
export function BooksView({ overview }: Desk): JSX.Element {
  const books = useLive<Books>("books", 20_000)
  return (
    <>
      <Title note="Swaps of the last 52 weeks, by the ledger. A week begins on Monday, 00:00 UTC.">
        Books
      </Title>
      <Loaded live={books}>
        {({ weeks, rules, total, at }) => (
          <>
            <div class="grid thirds">
              <Figure name="Volume" value={money(total.volume)} note={countOf(total.orders)} />
              <Figure
                name="Cost of swaps"
                value={money(total.swapCost)}
                note={`${percentOf(total.costBps)} of the volume, network fees included`}
              />
              <Figure
                name="Network fees"
                value={money(total.networkFees)}
                note={sayUnpriced(total.unpriced)}
              />
            </div>
            <div class="grid thirds">
              <Weeks title="Volume by week" weeks={weeks} of={({ volume }) => volume} />
              <Weeks title="Cost by week" weeks={weeks} of={({ swapCost }) => swapCost} />
              <Weeks title="Network fees by week" weeks={weeks} of={(week) => week.networkFees} />
            </div>
            <Card title="By rule" note={<When at={at} />} wide>
              {rules.length === 0 ? (
                <Empty>
                  <NoneYet what="No order in these weeks" overview={overview.value} />
                </Empty>
              ) : (
                <Lines lines={[...rules, total]} />
              )}
            </Card>
          </>
        )}
      </Loaded>
    </>
  )
}

function sayUnpriced(amounts: number): string {
  if (amounts === 0) return "all priced"
  return amounts === 1 ? "without one that has no price" : `without ${amounts} that have no price`
}

function countOf(orders: number): string {
  return `${orders} order${orders === 1 ? "" : "s"}`
}

function Figure({ name, value, note }: { name: string; value: string; note: string }): JSX.Element {
  return (
    <section class="card figure">
      <h2>{name}</h2>
      <p class="big">{value}</p>
      <p class="note">{note}</p>
    </section>
  )
}

const WEEK_MS = 7 * 86_400_000

function Weeks(props: {
  title: string
  weeks: readonly Line[]
  of: (week: Line) => string
}): JSX.Element {
  const steps = props.weeks.map((week) => {
    const startMs = Date.parse(`${week.group}T00:00:00Z`)
    const [from, to] = [startMs, startMs + WEEK_MS].map((ms) => new Date(ms).toISOString())
    return { from: from ?? "", to: to ?? "", value: Number(props.of(week)) }
  })
  return (
    <Card title={props.title} note="usd">
      <StepsChart
        title={props.title}
        steps={steps}
        as="bars"
        show={(value) => `$${axisNumber(value)}`}
        series={[{ name: "usd", of: ({ value }) => value, tone: "a" }]}
      />
    </Card>
  )
}

function Lines({ lines }: { lines: readonly Line[] }): JSX.Element {
  const rows = lines.map((line) => ({
    key: line.group,
    cells: [
      <b key="group">{line.group}</b>,
      Object.entries(line.counts)
        .map(([outcome, count]) => `${count} ${plain(outcome)}`)
        .join(", "),
      money(line.volume),
      money(line.swapCost),
      money(line.networkFees),
      percentOf(line.costBps),
    ],
  }))
  return (
    <Table
      caption="Swaps by rule"
      columns={["Rule", "Orders", "Volume", "Cost", "Network fees", "Cost of volume"]}
      rows={rows}
    />
  )
}
