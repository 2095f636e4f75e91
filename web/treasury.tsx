import type { JSX } from "preact"
import type { Books, Overview } from "./answers.ts"
import type { Desk } from "./desk.ts"
import { nameAsset, nameChain, shortAmount, type Tone } from "./format.ts"
import { useLive } from "./live.ts"
import { Amount, Card, Empty, Loaded, Pill, Title, When } from "./parts.tsx"

const NOTE =
  "Balances of the last comparison of the books with the chains, against the bands of the rules."

type Holding = Overview["treasury"][number]
type Bound = Holding["bounds"][number]

export function TreasuryView({ overview }: Desk): JSX.Element {
  const books = useLive<Books>("books", 20_000)
  return (
    <Loaded live={overview}>
      {({ treasury, gas }) => {
        const chains = [...new Set(treasury.map(({ asset }) => asset.split(":")[0] ?? ""))]
        return (
          <>
            <Title note={NOTE}>Treasury</Title>
            <div class="grid even">
              {chains.map((chain) => (
                <Card key={chain} title={nameChain(chain)}>
                  {treasury
                    .filter(({ asset }) => asset.startsWith(`${chain}:`))
                    .map((holding) => (
                      <HoldingBar
                        key={holding.asset}
                        holding={holding}
                        points={
                          books.value?.balances.find(({ asset }) => asset === holding.asset)
                            ?.points ?? []
                        }
                        full
                      />
                    ))}
                  {gas
                    .filter((one) => one.chain === chain)
                    .map((one) => (
                      <Gas key={one.chain} gas={one} />
                    ))}
                </Card>
              ))}
            </div>
            {chains.length === 0 ? <Empty>The configuration lists no asset.</Empty> : null}
          </>
        )
      }}
    </Loaded>
  )
}

const PLACES: Readonly<Record<Bound["place"], { tone: Tone; word: string }>> = {
  below: { tone: "bad", word: "below its band" },
  above: { tone: "warn", word: "above its band" },
  within: { tone: "good", word: "in its band" },
  unknown: { tone: "calm", word: "not read yet" },
}

/**
 * One asset as a bar: the band of each rule behind it, the target as a line, the balance as a mark.
 */
export function HoldingBar(props: {
  holding: Holding
  points?: Books["balances"][number]["points"]
  full?: boolean
}): JSX.Element {
  const { asset, amount, readAt, bounds, shares } = props.holding
  const name = nameAsset(asset)
  return (
    <div class="holding">
      <p class="head">
        <span>
          <b>{name.symbol}</b> {props.full ? null : <small>{name.chain}</small>}
        </span>
        <Amount amount={amount} asset={asset} chain={false} />
      </p>
      {bounds.map((bound) => (
        <BandBar
          key={bound.rule}
          amount={amount}
          bound={bound}
          asset={asset}
          full={props.full ?? false}
        />
      ))}
      {shares.map(({ rule, percent }) => (
        <p key={rule} class="note">
          Target of {rule}: {percent} of the treasury
        </p>
      ))}
      {props.full && bounds.length === 0 && shares.length === 0 ? (
        <p class="note">No rule keeps a band for it.</p>
      ) : null}
      {props.full && props.points !== undefined ? (
        <History points={props.points} asset={asset} bounds={bounds} />
      ) : null}
      {props.full ? (
        <p class="note">
          Compared with the chain <When at={readAt} />
        </p>
      ) : null}
    </div>
  )
}

function BandBar({
  amount,
  bound,
  asset,
  full,
}: {
  amount: string | null
  bound: Bound
  asset: string
  full: boolean
}): JSX.Element {
  const min = Number(bound.min)
  const target = Number(bound.target)
  const max = bound.max === null ? null : Number(bound.max)
  const value = amount === null ? null : Number(amount)
  const top = 1.15 * Math.max(max ?? 0, target * 1.5, min, value ?? 0, Number.MIN_VALUE)
  const x = (units: number): number => (100 * units) / top
  const { tone, word } = PLACES[bound.place]
  const symbol = nameAsset(asset).symbol
  const words =
    `${word}: from ${shortAmount(bound.min)} to ` +
    `${bound.max === null ? "any" : shortAmount(bound.max)}, target ` +
    `${shortAmount(bound.target)} ${symbol}`
  return (
    <>
      <svg
        class={`band ${tone}`}
        viewBox="0 0 100 10"
        preserveAspectRatio="none"
        role="img"
        aria-label={words}
      >
        <rect class="track" y="3" width="100" height="4" />
        <rect
          class="range"
          x={x(min)}
          y="1"
          width={Math.max(0.5, (max === null ? 100 : x(max)) - x(min))}
          height="8"
        />
        {value === null ? null : <rect class="fill" y="3" width={x(value)} height="4" />}
        <rect class="target" x={x(target) - 0.2} width="0.5" height="10" />
      </svg>
      <p class="note legend">
        <Pill tone={tone}>{word}</Pill>
        <span>
          {shortAmount(bound.min)} –{" "}
          {bound.max === null ? "no upper bound" : shortAmount(bound.max)}, target{" "}
          {shortAmount(bound.target)}
          {full ? ` (${bound.rule})` : ""}
        </span>
      </p>
    </>
  )
}

/** The balance over time, by the books. */
function History(props: {
  points: Books["balances"][number]["points"]
  asset: string
  bounds: readonly Bound[]
}): JSX.Element | null {
  const values = props.points.map(({ amount }) => Number(amount))
  const first = props.points[0]
  const last = props.points.at(-1)
  if (first === undefined || last === undefined) return null
  const high = Math.max(...values)
  const low = Math.min(...values)
  if (high === low)
    return (
      <p class="note">
        Unchanged since <When at={first.at} />
      </p>
    )
  const width = 100 / values.length
  return (
    <figure class="history">
      <svg
        viewBox="0 0 100 24"
        preserveAspectRatio="none"
        role="img"
        aria-label={`Balance from ${first.amount} to ${last.amount}`}
      >
        {values.map((value, index) => {
          const height = 3 + (20 * (value - low)) / (high - low)
          return (
            <rect
              key={props.points[index]?.at}
              x={index * width}
              y={24 - height}
              width={width * 0.8}
              height={height}
            />
          )
        })}
      </svg>
      <figcaption class="note">
        Since <When at={first.at} />: {shortAmount(String(low))} to {shortAmount(String(high))}{" "}
        {nameAsset(props.asset).symbol}
      </figcaption>
    </figure>
  )
}

function Gas({ gas }: { gas: Overview["gas"][number] }): JSX.Element {
  const { coin, amount, needed, daysLeft } = gas
  const isLow = amount !== null && Number(amount) < Number(needed)
  return (
    <p class="gas">
      Coin for fees: <b>{amount === null ? "not read yet" : `${shortAmount(amount)} ${coin}`}</b>
      <span class="quiet">
        {" "}
        · {shortAmount(needed)} must stay
        {daysLeft === null
          ? ""
          : daysLeft > 365
            ? " · lasts for more than a year"
            : ` · about ${daysLeft} days left`}
      </span>{" "}
      {isLow ? <Pill tone="bad">too little</Pill> : null}
    </p>
  )
}
