import type { JSX } from "preact"
import { formatSpan } from "#health/format-span.ts"
import type { Overview, Summary } from "../answers.ts"
import { BandBar } from "../charts/band-bar.tsx"
import { TotalPlot } from "../charts/total-plot.tsx"
import { clockTime, money, nameAsset, nameChain, shareOf, shortAmount, signed } from "../format.ts"
import { useNow } from "../live.ts"
import { Amount, Card, Chain, When, Worth } from "../parts.tsx"

/** How much is there, why it changed, and the figures of the last day. */
export function Money({
  overview,
  summary,
}: {
  overview: Overview
  summary: Summary
}): JSX.Element {
  const { totalFiat, change, swaps, inFlight } = summary
  return (
    <section class="card money-first" aria-label="Money">
      <div>
        <h2>Treasury</h2>
        <p class="total" title={`${totalFiat} usd`} data-exact={totalFiat}>
          {money(totalFiat)}
        </p>
        <Change change={change} total={totalFiat} />
        <LeftOut summary={summary} />
      </div>
      <TotalPlot />
      <dl class="facts">
        <Fact name="Moved in 24 h" value={money(swaps.volumeFiat)} exact={swaps.volumeFiat}>
          {countOf(swaps.orders)}
        </Fact>
        <Fact name="Cost in 24 h" value={money(swaps.costFiat)} exact={swaps.costFiat}>
          {swaps.costBps === null ? "no swap yet" : `${swaps.costBps} bps`}
        </Fact>
        <Fact name="In flight" value={money(inFlight.fiat)} exact={inFlight.fiat}>
          {countOf(inFlight.orders)}
        </Fact>
        <Fact name="Half done within" value={spanOf(swaps.medianMs)}>
          {swaps.p90Ms === null ? "" : `nine of ten ${spanOf(swaps.p90Ms)}`}
        </Fact>
        <DriesNext gas={overview.gas} />
        <Service overview={overview} />
      </dl>
    </section>
  )
}

/** What the total does not count, and since when. */
function LeftOut({ summary }: { summary: Summary }): JSX.Element | null {
  const { unpriced, unread, assets } = summary
  const whyOf = (id: Summary["unread"][number]): string =>
    unread.includes(id)
      ? "no reading"
      : sayNoPrice(assets.find(({ asset }) => asset === id)?.priceAt ?? null)
  const left = [...new Set([...unread, ...unpriced])].map(
    (id) => [nameAsset(id).symbol, whyOf(id)] as const,
  )
  if (left.length === 0) return null
  const said = [...Map.groupBy(left, ([, why]) => why)].map(
    ([why, group]) => `${[...new Set(group.map(([symbol]) => symbol))].join(", ")}: ${why}`,
  )
  return (
    <p class="note" title={[...unread, ...unpriced].join(", ")}>
      without {said.join("; ")}
    </p>
  )
}

/** The daemon uses a price for a day after it was known. */
function sayNoPrice(priceAt: string | null): string {
  return priceAt === null ? "no price yet" : `no price since ${clockTime(priceAt)}`
}

function Fact(props: {
  name: string
  value: string
  exact?: string
  tone?: string
  children?: JSX.Element | string | (string | number)[]
}): JSX.Element {
  return (
    <div>
      <dt>{props.name}</dt>
      <dd class={props.tone}>
        <span title={props.exact} data-exact={props.exact}>
          {props.value}
        </span>{" "}
        <small>{props.children}</small>
      </dd>
    </div>
  )
}

function Change({ change, total }: { change: Summary["change"]; total: string }): JSX.Element {
  const now = useNow()
  if (change === null) return <p class="note">No older reading to compare with yet.</p>
  const { from, totalFiat, pricesFiat, outsideFiat, swapsFiat } = change
  return (
    <>
      <p>
        <b title={totalFiat}>
          {signed(totalFiat)} ({shareOf(totalFiat, total)})
        </b>{" "}
        <span class="quiet">
          since <span title={from}>{clockTime(from, now)}</span>
        </span>
      </p>
      <p class="note parts">
        <span title={pricesFiat}>prices {signed(pricesFiat)}</span>
        <span title={outsideFiat}>paid in and out {signed(outsideFiat)}</span>
        <span title={swapsFiat}>swaps and fees {signed(swapsFiat)}</span>
      </p>
    </>
  )
}

function countOf(orders: number): string {
  return `${orders} order${orders === 1 ? "" : "s"}`
}

function spanOf(ms: number | null): string {
  return ms === null ? "–" : formatSpan(ms)
}

/** The coin for fees that lasts the shortest; a chain below its need comes first. */
function DriesNext({ gas }: { gas: Overview["gas"] }): JSX.Element {
  const isLow = ({ amount, needed }: Overview["gas"][number]): boolean =>
    amount !== null && Number(amount) < Number(needed)
  const [first] = gas.toSorted(
    (a, b) =>
      Number(isLow(b)) - Number(isLow(a)) ||
      (a.daysLeft ?? Number.MAX_VALUE) - (b.daysLeft ?? Number.MAX_VALUE),
  )
  if (first === undefined) return <Fact name="Runs dry first" value="–" />
  const low = isLow(first)
  return (
    <Fact
      name="Runs dry first"
      value={low ? "▲ too little" : daysOf(first.daysLeft)}
      tone={low || (first.daysLeft ?? 99) < 7 ? "warn" : ""}
    >
      {`${first.coin}, ${nameChain(first.chain)}`}
    </Fact>
  )
}

function daysOf(days: number | null): string {
  if (days === null) return "no use yet"
  return days > 365 ? "over a year" : `${days} days`
}

function Service({ overview: { services, nodes } }: { overview: Overview }): JSX.Element {
  const ill = [
    ...services
      .filter(({ state }) => state !== "good")
      .map(({ name, state }) => `${name} ${state}`),
    ...nodes
      .filter(({ state }) => state !== "good")
      .map(({ chain, state }) => `${nameChain(chain)} ${state}`),
  ]
  return (
    <Fact
      name="Service and nodes"
      value={ill.length === 0 ? "✓ well" : `▲ ${ill[0] ?? ""}`}
      tone={ill.length === 0 ? "" : "warn"}
    >
      {ill.length === 0
        ? `${services.length + nodes.length} answer`
        : ill.length === 1
          ? ""
          : `and ${ill.length - 1} more`}
    </Fact>
  )
}

/** Where the money is: each chain with its assets, the value, the band, and what is on its way. */
export function Places({
  overview,
  summary,
}: {
  overview: Overview
  summary: Summary
}): JSX.Element {
  const { treasury, gas } = overview
  const chains = [...new Set(treasury.map(({ asset }) => asset.split(":")[0] ?? ""))]
  return (
    <Card title="Where the money is" link="#/treasury" note="bar from 0: band, target, balance">
      <table class="places">
        <caption class="hidden">Balances by chain and asset</caption>
        <thead>
          <tr>
            {["Asset", "Balance", "Band", "Value", "In 24 h", "On its way", "State"].map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        {chains.map((chain) => (
          <tbody key={chain}>
            <ChainRow
              chain={chain}
              holdings={treasury.filter(({ asset }) => asset.startsWith(`${chain}:`))}
              summary={summary}
              source={overview.nodes.find((one) => one.chain === chain) ?? null}
            />
            {treasury
              .filter(({ asset }) => asset.startsWith(`${chain}:`))
              .map((holding) => (
                <AssetRow
                  key={holding.asset}
                  holding={holding}
                  valued={summary.assets.find(({ asset }) => asset === holding.asset) ?? null}
                  gas={gas.find((one) => one.chain === chain) ?? null}
                />
              ))}
          </tbody>
        ))}
      </table>
    </Card>
  )
}

type Holding = Overview["treasury"][number]

/** Where the node is well, a reading is as old as the configured interval. */
const LATE_MS = 15 * 60_000

function ChainRow(props: {
  chain: string
  holdings: readonly Holding[]
  summary: Summary
  source: Overview["nodes"][number] | null
}): JSX.Element {
  const { chain, summary, source } = props
  const fiat = summary.assets
    .filter(({ asset }) => asset.startsWith(`${chain}:`))
    .reduce((sum, one) => sum + Number(one.fiat ?? 0), 0)
  const [oldest] = props.holdings.map(({ readAt }) => readAt ?? "").sort()
  const isOld = useNow() - Date.parse(oldest || "1970-01-01") > LATE_MS
  const isLate = isOld && source?.state !== "good"
  const cause = source?.endpoints.find(({ error }) => error !== null)?.error ?? null
  const rules = props.holdings.flatMap(({ bounds }) => bounds.map(({ rule }) => rule))
  return (
    <tr class={isLate ? "chain late" : "chain"}>
      <th scope="rowgroup" colSpan={3}>
        <Chain id={chain} /> <small>{shareOf(String(fiat), summary.totalFiat)} of the total</small>
      </th>
      <td>{money(String(fiat))}</td>
      <td colSpan={3}>
        <small>
          {isLate ? "▲ last read" : "read"} <When at={oldest || null} />
          {isLate && cause !== null ? `, ${cause}` : ""}
          {isLate && rules.length > 0 ? `; waiting: ${[...new Set(rules)].join(", ")}` : ""}
        </small>
      </td>
    </tr>
  )
}

const PLACES: Readonly<Record<string, string>> = {
  below: "▼ below its band",
  above: "▲ above its band",
  within: "✓ in band",
  unknown: "no reading",
}

function AssetRow(props: {
  holding: Holding
  valued: Summary["assets"][number] | null
  gas: Overview["gas"][number] | null
}): JSX.Element {
  const { holding, valued, gas } = props
  const { asset, amount, bounds } = holding
  const { symbol } = nameAsset(asset)
  const isCoin = gas !== null && gas.coin.toUpperCase() === symbol
  const [bound] = bounds
  return (
    <tr>
      <th scope="row">{symbol}</th>
      <td>
        <Amount amount={amount} asset={asset} chain={false} symbol={false} />
      </td>
      <td class="band-cell">
        {bound === undefined ? (
          <small>{isCoin ? "coin for fees" : "no band"}</small>
        ) : (
          <BandBar amount={amount} bound={bound} asset={asset} incoming={valued?.incoming ?? "0"} />
        )}
      </td>
      <td title={valued?.fiat ?? undefined} data-exact={valued?.fiat ?? undefined}>
        <Value valued={valued} />
      </td>
      <td title={valued?.change ?? undefined}>
        {valued?.change == null || Number(valued.change) === 0
          ? "="
          : `${Number(valued.change) > 0 ? "+" : ""}${shortAmount(valued.change)}`}
      </td>
      <td class={isMoving(valued) ? "some" : ""}>
        <OnItsWay valued={valued} asset={asset} />
      </td>
      <td>
        {bound === undefined ? (
          isCoin ? (
            daysOf(gas.daysLeft)
          ) : (
            ""
          )
        ) : (
          <span class={bound.place}>{PLACES[bound.place]}</span>
        )}
      </td>
    </tr>
  )
}

/** What is old says how old: a price of hours ago is not one of now. */
function Value({ valued }: { valued: Summary["assets"][number] | null }): JSX.Element {
  const now = useNow()
  if (valued === null || (valued.fiat === null && valued.price !== null)) return <>–</>
  const { fiat, priceAt } = valued
  if (fiat === null) return <small title={priceAt ?? undefined}>{sayNoPrice(priceAt)}</small>
  const isOld = priceAt !== null && now - Date.parse(priceAt) > OLD_PRICE_MS
  return (
    <>
      {money(fiat)}
      {isOld ? (
        <small class="block">
          price <When at={priceAt} />
        </small>
      ) : null}
    </>
  )
}

/** The daemon notes an unchanged price each hour. */
const OLD_PRICE_MS = 2 * 3_600_000

function isSome(amount: string): boolean {
  return Number(amount) !== 0
}

function isMoving(valued: Summary["assets"][number] | null): boolean {
  return valued !== null && (isSome(valued.incoming) || isSome(valued.outgoing))
}

function OnItsWay(props: { valued: Summary["assets"][number] | null; asset: string }): JSX.Element {
  const { valued, asset } = props
  if (valued === null || !isMoving(valued)) return <>–</>
  return (
    <>
      {isSome(valued.incoming) ? (
        <span class="block" title={valued.incoming}>
          ↓ in {shortAmount(valued.incoming)} <Worth amount={valued.incoming} asset={asset} />
        </span>
      ) : null}
      {isSome(valued.outgoing) ? (
        <span class="block" title={valued.outgoing}>
          ↑ out {shortAmount(valued.outgoing)} <Worth amount={valued.outgoing} asset={asset} />
        </span>
      ) : null}
    </>
  )
}
