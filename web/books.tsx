import type { JSX } from "preact"
import type { Books } from "./answers.ts"
import type { Desk } from "./desk.ts"
import { money, percentOf, plain } from "./format.ts"
import { useLive } from "./live.ts"
import { Card, Empty, Loaded, Table, Title, When } from "./parts.tsx"

type Line = Books["total"]

/** Volume, costs and fees by week, and by rule. */
export function BooksView(_desk: Desk): JSX.Element {
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
              <Figure name="Volume" value={money(total.volume)} note={`${total.orders} orders`} />
              <Figure
                name="Cost of swaps"
                value={money(total.swapCost)}
                note={`${percentOf(total.costBps)} of the volume, network fees included`}
              />
              <Figure
                name="Network fees"
                value={money(total.networkFees)}
                note={
                  total.unpriced === 0
                    ? "all priced"
                    : `${total.unpriced} without a price are not in it`
                }
              />
            </div>
            <div class="grid thirds">
              <Card title="Volume by week">
                <Columns
                  weeks={weeks}
                  series={[{ name: "volume", of: (line) => Number(line.volume), tone: "a" }]}
                />
              </Card>
              <Card title="Cost by week">
                <Columns
                  weeks={weeks}
                  series={[
                    { name: "cost of swaps", of: (line) => Number(line.swapCost), tone: "b" },
                  ]}
                />
              </Card>
              <Card title="Network fees by week">
                <Columns
                  weeks={weeks}
                  series={[
                    { name: "network fees", of: (line) => Number(line.networkFees), tone: "c" },
                  ]}
                />
              </Card>
            </div>
            <Card title="By rule" note={<When at={at} />} wide>
              {rules.length === 0 ? (
                <Empty>No order in these weeks.</Empty>
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

function Figure({ name, value, note }: { name: string; value: string; note: string }): JSX.Element {
  return (
    <section class="card figure">
      <h2>{name}</h2>
      <p class="big">{value}</p>
      <p class="note">{note}</p>
    </section>
  )
}

type Series = { readonly name: string; readonly of: (line: Line) => number; readonly tone: string }

/** One column for each week. The table below the plot has the same numbers for a screen reader. */
function Columns({
  weeks,
  series,
}: {
  weeks: readonly Line[]
  series: readonly Series[]
}): JSX.Element {
  const [one] = series
  if (one === undefined) return <Empty>Nothing to plot.</Empty>
  const top = Math.max(...weeks.map(one.of), 0)
  const step = 240 / weeks.length
  return (
    <figure class="plot">
      <p class="scale quiet">
        <span>{money(String(top))}</span>
      </p>
      <svg viewBox="0 0 240 100" preserveAspectRatio="none" aria-hidden="true">
        <line x1="0" x2="240" y1="99.5" y2="99.5" />
        <line x1="0" x2="240" y1="50" y2="50" class="soft" />
        <line x1="0" x2="240" y1="0.5" y2="0.5" class="soft" />
        {weeks.map((week, index) => {
          const height = top === 0 ? 0 : (98 * one.of(week)) / top
          return (
            <rect
              key={week.group}
              class={one.tone}
              x={(index + 0.1) * step}
              width={0.8 * step}
              y={99 - height}
              height={height}
              rx="1"
            >
              <title>{`Week of ${week.group}: ${money(String(one.of(week)))}`}</title>
            </rect>
          )
        })}
      </svg>
      <p class="scale quiet">
        <span>{weeks[0]?.group}</span>
        <span>{weeks.at(-1)?.group}</span>
      </p>
      {/* A table ignores the height of the class, so a block around it has that. */}
      <div class="hidden">
        <table>
          <caption>{one.name} by week</caption>
          <tbody>
            {weeks.map((week) => (
              <tr key={week.group}>
                <th scope="row">{week.group}</th>
                <td>{money(String(one.of(week)))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
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
