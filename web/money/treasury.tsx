import type { JSX } from "preact"
import { useEffect, useState } from "preact/hooks"
import type { Flows, Overview, Summary } from "../answers.ts"
import { BalanceChart, type Mark } from "../charts/balance-chart.tsx"
import { FlowChart, FlowTable } from "../charts/flow-chart.tsx"
import type { Desk } from "../desk.ts"
import { money, nameAsset, shareOf, shortAmount } from "../format.ts"
import { type Live, useLive, useSteady } from "../live.ts"
import { Places } from "../overview/money.tsx"
import {
  Amount,
  Card,
  Chain,
  Empty,
  Loaded,
  Skeleton,
  Table,
  Title,
  useChainClass,
  Worth,
} from "../parts.tsx"
import { CostCharts, FigureTable } from "./cost.tsx"

const RANGES = { "24 h": 1, "7 d": 7, "30 d": 30, "1 y": 365 } as const
export type Range = keyof typeof RANGES

const STEP_MS = 10 * 60_000
const DAY_MS = 86_400_000

/** Balances over time, where money went, what it cost and how long it took. */
export function TreasuryView({ overview }: Desk): JSX.Element {
  const [range, setRange] = useState<Range>("7 d")
  const since = useSince(range)
  const { value: summary } = useLive<Summary>("summary", 10_000)
  const flows = useFlows(range)
  return (
    <Loaded live={overview}>
      {(value) => (
        <>
          <Title>Treasury</Title>
          {summary === null ? (
            <Skeleton />
          ) : (
            <>
              <Shares overview={value} summary={summary} />
              <div class="stack">
                <Places overview={value} summary={summary} />
              </div>
            </>
          )}
          <RangePicker range={range} onChange={setRange} ranges={Object.keys(RANGES)} />
          <Balances
            treasury={value.treasury}
            summary={summary}
            since={since}
            range={range}
            marks={flows.value?.marks ?? []}
          />
          <Loaded live={flows}>{(shown) => <Movements flows={shown} range={range} />}</Loaded>
          <FeeCoins gas={value.gas} />
        </>
      )}
    </Loaded>
  )
}

/** The start of a range; it moves in steps, so that the path stays the same for a while. */
export function useSince(range: Range): string {
  const [nowMs, setNowMs] = useState(stepOfNow)
  useEffect(() => {
    const timer = setInterval(() => setNowMs(stepOfNow()), 30_000)
    return () => clearInterval(timer)
  }, [])
  return new Date(nowMs - RANGES[range] * DAY_MS).toISOString()
}

function stepOfNow(): number {
  return Math.floor(Date.now() / STEP_MS) * STEP_MS
}

/** The flows of a range that ends now, however long the page is open. */
export function useFlows(range: Range): Live<Flows> {
  return useSteady(useLive<Flows>(`flows?since=${useSince(range)}`, 20_000), range)
}

export function RangePicker(props: {
  range: Range
  ranges: readonly string[]
  onChange: (range: Range) => void
}): JSX.Element {
  return (
    <fieldset class="segments">
      <legend class="hidden">Range of the plots</legend>
      {props.ranges.map((name) => (
        <button
          key={name}
          type="button"
          aria-pressed={name === props.range}
          // CAST: the names of the ranges come from `RANGES`.
          onClick={() => props.onChange(name as Range)}
        >
          {name}
        </button>
      ))}
    </fieldset>
  )
}

/** The total as a bar of its chains, and what is in flight. */
function Shares({ overview, summary }: { overview: Overview; summary: Summary }): JSX.Element {
  const classOf = useChainClass()
  const chains = [...new Set(overview.treasury.map(({ asset }) => asset.split(":")[0] ?? ""))]
  const parts = chains.map((chain) => ({
    chain,
    fiat: summary.assets
      .filter(({ asset }) => asset.startsWith(`${chain}:`))
      .reduce((sum, { fiat }) => sum + Number(fiat ?? 0), 0),
  }))
  const total = Math.max(
    parts.reduce((sum, { fiat }) => sum + fiat, 0),
    Number.MIN_VALUE,
  )
  let before = 0
  return (
    <section class="card shares" aria-label="Shares of the chains">
      <p class="total" title={`${summary.totalFiat} usd`} data-exact={summary.totalFiat}>
        {money(summary.totalFiat)}
      </p>
      <svg viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">
        {parts.map(({ chain, fiat }) => {
          const x = before
          before += (1000 * fiat) / total
          return (
            <rect
              key={chain}
              class={`node ${classOf(chain)}`}
              x={x}
              width={Math.max(0, before - x - 2)}
              height="10"
            />
          )
        })}
      </svg>
      <ul>
        {parts.map(({ chain, fiat }) => (
          <li key={chain}>
            <Chain id={chain} /> <b>{money(String(fiat))}</b>{" "}
            <small>{shareOf(String(fiat), summary.totalFiat)}</small>
          </li>
        ))}
        <li>
          In flight <b title={summary.inFlight.fiat}>{money(summary.inFlight.fiat)}</b>
        </li>
      </ul>
    </section>
  )
}

function Balances(props: {
  treasury: Overview["treasury"]
  summary: Summary | null
  since: string
  range: Range
  marks: readonly Mark[]
}): JSX.Element {
  const { treasury, summary, since, range, marks } = props
  if (treasury.length === 0) return <Empty>The configuration lists no asset.</Empty>
  return (
    <Card
      title="Balance against its band"
      note="▲ arrived ▼ left ◆ outside ✕ alarm ⚑ configuration · hatched: no reading of our nodes"
    >
      <div class="multiples">
        {treasury.map(({ asset, amount, bounds, shares }) => {
          const valued = summary?.assets.find((one) => one.asset === asset) ?? null
          return (
            <section
              key={asset}
              aria-label={`${nameAsset(asset).symbol} on ${nameAsset(asset).chain}`}
            >
              <p class="head">
                <span>
                  <b>{nameAsset(asset).symbol}</b> <Chain id={asset} />
                </span>
                <span>
                  <Amount amount={amount} asset={asset} chain={false} symbol={false} />{" "}
                  {valued?.fiat == null ? null : (
                    <small title={valued.fiat}>{money(valued.fiat)}</small>
                  )}
                </span>
              </p>
              <BalanceChart
                asset={asset}
                since={since}
                range={range}
                bound={bounds[0] ?? null}
                marks={marks.filter((mark) => mark.asset === asset || mark.asset === null)}
                price={valued?.price ?? null}
              />
              {shares.map(({ rule, percent }) => (
                <p key={rule} class="note">
                  Target of {rule}: {percent} of the treasury
                </p>
              ))}
            </section>
          )
        })}
      </div>
    </Card>
  )
}

/** Own moves and money from outside, apart. */
function Movements({ flows, range }: { flows: Flows; range: Range }): JSX.Element {
  const { chains, total, outside } = flows
  const span = range === "1 y" ? "31 d" : range
  return (
    <>
      <div class="grid">
        <Card
          title={`Flows, ${span}`}
          note={<b title={total.volumeFiat}>{money(total.volumeFiat)}</b>}
        >
          <FlowChart chains={chains} />
        </Card>
        <div class="column">
          <Card title="The same as a table">
            <FlowTable chains={chains} />
          </Card>
          <Card title={`Money from outside, ${span}`} note="not part of the flows">
            {outside.length === 0 ? (
              <Empty>Nothing was paid in or taken out.</Empty>
            ) : (
              <Outside outside={outside} />
            )}
          </Card>
        </div>
      </div>
      <CostCharts flows={flows} span={span} />
      <FigureTable flows={flows} span={span} />
    </>
  )
}

function Outside({ outside }: Pick<Flows, "outside">): JSX.Element {
  const side = (amount: string, fiat: string | null): JSX.Element | string =>
    Number(amount) === 0 ? (
      "–"
    ) : (
      <span title={`${amount}, ${fiat ?? "no price"}`}>
        {shortAmount(amount)} <small>{fiat === null ? "no price" : money(fiat)}</small>
      </span>
    )
  return (
    <Table
      caption="Money from outside"
      columns={["Asset", "Paid in", "Taken out"]}
      rows={outside.map((one) => ({
        key: one.asset,
        cells: [
          <span key="asset">
            {nameAsset(one.asset).symbol} <Chain id={one.asset} />
          </span>,
          side(one.in, one.inFiat),
          side(one.out, one.outFiat),
        ],
      }))}
    />
  )
}

function FeeCoins({ gas }: { gas: Overview["gas"] }): JSX.Element {
  return (
    <Card title="Coin for fees" wide>
      <Table
        figures
        caption="Coin for fees"
        columns={["Chain", "Balance", "Must stay", "Lasts"]}
        rows={gas.map(({ chain, coin, amount, needed, daysLeft }) => {
          const isLow = amount !== null && Number(amount) < Number(needed)
          return {
            key: chain,
            cells: [
              <Chain key="chain" id={chain} />,
              amount === null ? (
                "not read yet"
              ) : (
                <span key="balance">
                  {shortAmount(amount)} {coin}{" "}
                  <Worth amount={amount} asset={`${chain}:${coin.toLowerCase()}`} />
                </span>
              ),
              shortAmount(needed),
              isLow ? (
                <b key="low" class="below">
                  ▼ too little
                </b>
              ) : daysLeft === null ? (
                "no use yet"
              ) : daysLeft > 365 ? (
                "over a year"
              ) : (
                `about ${daysLeft} days`
              ),
            ],
          }
        })}
      />
    </Card>
  )
}
