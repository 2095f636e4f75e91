import type { JSX } from "preact"
import { useState } from "preact/hooks"
import type { Overview, Summary } from "./answers.ts"
import { BalanceChart } from "./balance-chart.tsx"
import type { Desk } from "./desk.ts"
import { money, nameAsset, nameChain, shortAmount, type Tone } from "./format.ts"
import { useLive } from "./live.ts"
import { Amount, Card, Empty, Loaded, Pill, Title, When } from "./parts.tsx"

const NOTE =
  "Readings of our own nodes, against the bands of the rules. A gap is a time without one."

const RANGES = { "24 h": 1, "7 d": 7, "30 d": 30, "1 y": 365 } as const
type Range = keyof typeof RANGES

type Holding = Overview["treasury"][number]
type Bound = Holding["bounds"][number]

export function TreasuryView({ overview }: Desk): JSX.Element {
  const [range, setRange] = useState<Range>("7 d")
  const { value: summary } = useLive<Summary>("summary", 10_000)
  return (
    <Loaded live={overview}>
      {({ treasury, gas }) => {
        const chains = [...new Set(treasury.map(({ asset }) => asset.split(":")[0] ?? ""))]
        return (
          <>
            <Title note={NOTE}>Treasury</Title>
            <fieldset class="filters">
              <legend class="hidden">Range of the plots</legend>
              {Object.keys(RANGES).map((name) => (
                <button
                  key={name}
                  type="button"
                  aria-pressed={name === range}
                  // CAST: the keys of `RANGES`.
                  onClick={() => setRange(name as Range)}
                >
                  {name}
                </button>
              ))}
            </fieldset>
            <div class="grid even">
              {chains.map((chain) => (
                <Card key={chain} title={nameChain(chain)}>
                  {treasury
                    .filter(({ asset }) => asset.startsWith(`${chain}:`))
                    .map((holding) => (
                      <HoldingBar
                        key={holding.asset}
                        holding={holding}
                        days={RANGES[range]}
                        fiat={summary?.assets.find(({ asset }) => asset === holding.asset)?.fiat}
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

/** One asset: its balance and value, each rule's band as a bar, and the readings over time. */
function HoldingBar(props: {
  holding: Holding
  days: number
  fiat: string | null | undefined
}): JSX.Element {
  const { asset, amount, readAt, bounds, shares } = props.holding
  return (
    <div class="holding">
      <p class="head">
        <b>{nameAsset(asset).symbol}</b>
        <span>
          <Amount amount={amount} asset={asset} chain={false} />{" "}
          {props.fiat == null ? null : <small title={props.fiat}>{money(props.fiat)}</small>}
        </span>
      </p>
      {bounds.map((bound) => (
        <div key={bound.rule}>
          <BandBar amount={amount} bound={bound} asset={asset} />
          <p class="note legend">
            <Pill tone={PLACES[bound.place].tone}>{PLACES[bound.place].word}</Pill>
            <span>
              {shortAmount(bound.min)} –{" "}
              {bound.max === null ? "no upper bound" : shortAmount(bound.max)}, target{" "}
              {shortAmount(bound.target)} ({bound.rule})
            </span>
          </p>
        </div>
      ))}
      {shares.map(({ rule, percent }) => (
        <p key={rule} class="note">
          Target of {rule}: {percent} of the treasury
        </p>
      ))}
      {bounds.length === 0 && shares.length === 0 ? (
        <p class="note">No rule keeps a band for it.</p>
      ) : null}
      <BalanceChart asset={asset} days={props.days} bound={bounds[0] ?? null} />
      <p class="note">
        Compared with the chain <When at={readAt} />
      </p>
    </div>
  )
}

/** A bar from zero: the band behind it, the target as a line, the balance as a mark. */
export function BandBar({
  amount,
  bound,
  asset,
}: {
  amount: string | null
  bound: Bound
  asset: string
}): JSX.Element {
  const min = Number(bound.min)
  const target = Number(bound.target)
  const max = bound.max === null ? null : Number(bound.max)
  const value = amount === null ? null : Number(amount)
  const top = 1.15 * Math.max(max ?? 0, target * 1.5, min, value ?? 0, Number.MIN_VALUE)
  const x = (units: number): number => (100 * units) / top
  const { tone, word } = PLACES[bound.place]
  const words =
    `${word}: from ${shortAmount(bound.min)} to ` +
    `${bound.max === null ? "any" : shortAmount(bound.max)}, target ` +
    `${shortAmount(bound.target)} ${nameAsset(asset).symbol}`
  return (
    <svg
      class={`band ${tone}`}
      viewBox="0 0 100 10"
      preserveAspectRatio="none"
      role="img"
      aria-label={words}
    >
      <title>{words}</title>
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
