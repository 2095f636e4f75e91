import type { JSX } from "preact"
import type { Overview, Settings } from "../answers.ts"
import type { Desk } from "../desk.ts"
import { money, nameAsset, shortAmount } from "../format.ts"
import { useLive } from "../live.ts"
import { Card, Loaded, Meter, Pill, Say, Title, Worth } from "../parts.tsx"

type Limit = Overview["limits"][number]

/**
 * What Ballast may still spend, and every guard. The fullest limit comes first; untouched limits of
 * assets share one card.
 */
export function LimitsView({ overview }: Desk): JSX.Element {
  const settings = useLive<Settings>("settings", 60_000)
  return (
    <>
      <Title note="What Ballast may still sell, and what it has used.">Limits</Title>
      <Loaded live={overview}>
        {({ limits }) => {
          const isUntouched = ({ used, unit }: Limit): boolean =>
            Number(used) === 0 && unit.includes(":")
          return (
            <div class="grid even">
              {limits
                .filter((limit) => !isUntouched(limit))
                .toSorted((a, b) => b.percent - a.percent)
                .map((limit) => (
                  <LimitCard key={limit.name} limit={limit} />
                ))}
              <Untouched limits={limits.filter(isUntouched)} />
            </div>
          )
        }}
      </Loaded>
      <Loaded live={settings}>{({ guards }) => <Guards guards={guards} />}</Loaded>
    </>
  )
}

function LimitCard({ limit }: { limit: Limit }): JSX.Element {
  const { name, used, max, left, unit, percent } = limit
  const note = `${percent}% used`
  return (
    <Card
      title={titleOf(name)}
      note={percent >= 80 ? <Pill tone={percent >= 100 ? "bad" : "warn"}>{note}</Pill> : note}
    >
      <p class="big">
        {amountOf(left, unit)} <small>left</small> <Worth amount={left} asset={unit} />
      </p>
      <Meter percent={percent} label={note} />
      <p class="note">{limitText(used, max, unit)} used</p>
    </Card>
  )
}

function Untouched({ limits }: { limits: readonly Limit[] }): JSX.Element | null {
  if (limits.length === 0) return null
  return (
    <Card title="Not used yet">
      <dl class="pairs">
        {limits.map(({ name, left, unit }) => (
          <div key={name}>
            <dt>{titleOf(name)}</dt>
            <dd>
              {amountOf(left, unit)} left <Worth amount={left} asset={unit} />
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}

/** The guards of the configuration, each with its meaning. */
export function Guards({ guards }: Pick<Settings, "guards">): JSX.Element {
  return (
    <Card title="Every guard" note="as the configuration in force says" wide>
      <dl class="pairs">
        {guards.map(({ guard, means }) => (
          <div key={guard}>
            <dt>
              <code>{guard}</code>
            </dt>
            <dd>
              <Say text={withoutRepeats(means)} />
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}

/** `0.1 of 2 WBTC`. */
export function limitText(used: string, max: string, unit: string): string {
  return unit === "usd"
    ? `${money(used)} of ${money(max)}`
    : `${shortAmount(used)} of ${amountOf(max, unit)}`
}

function amountOf(amount: string, unit: string): string {
  if (unit === "usd") return money(amount)
  return `${shortAmount(amount)} ${unit.includes(":") ? nameAsset(unit).symbol : unit}`
}

/** `0.01 a:x, 0.01 b:y` → `0.01 of each asset`. */
function withoutRepeats(means: string): string {
  const parts = means.split(", ").map((part) => part.split(" "))
  const [[first = ""] = []] = parts
  const same =
    parts.length > 1 &&
    parts.every(
      ([amount, id = "", ...rest]) => amount === first && id.includes(":") && rest.length === 0,
    )
  return same ? `${first} of each asset` : means
}

/** `base_sepolia:wbtc sold in 24 h` → `WBTC on Base Sepolia sold in 24 h`. */
function titleOf(name: string): string {
  const [id = ""] = name.split(" ")
  if (!id.includes(":")) return name.slice(0, 1).toUpperCase() + name.slice(1)
  const { symbol, chain } = nameAsset(id)
  return `${symbol} on ${chain}${name.slice(id.length)}`
}
