import type { JSX } from "preact"
import type { Settings } from "./answers.ts"
import type { Desk } from "./app.tsx"
import { nameAsset, shortAmount } from "./format.ts"
import { useLive } from "./live.ts"
import { Card, Loaded, Meter, Pill, Title } from "./parts.tsx"

/** What Ballast may still spend, and every guard. */
export function LimitsView({ overview }: Desk): JSX.Element {
  const settings = useLive<Settings>("settings", 60_000)
  return (
    <>
      <Title note="What Ballast may still sell, and what it has used.">Limits</Title>
      <Loaded live={overview}>
        {({ limits }) => (
          <div class="grid even">
            {limits.map(({ name, used, max, left, unit, percent }) => (
              <Card
                key={name}
                title={titleOf(name)}
                note={
                  percent >= 80 ? (
                    <Pill tone={percent >= 100 ? "bad" : "warn"}>{`${percent}%`}</Pill>
                  ) : (
                    `${percent}% used`
                  )
                }
              >
                <p class="big">
                  {shortAmount(left)} <small>{unitOf(unit)} left</small>
                </p>
                <Meter percent={percent} label={`${percent}% used`} />
                <p class="note">
                  {shortAmount(used)} of {shortAmount(max)} {unitOf(unit)} used
                </p>
              </Card>
            ))}
          </div>
        )}
      </Loaded>
      <Loaded live={settings}>{({ guards }) => <Guards guards={guards} />}</Loaded>
    </>
  )
}

function Guards({ guards }: Pick<Settings, "guards">): JSX.Element {
  return (
    <Card title="Every guard" note="as the configuration in force says" wide>
      <dl class="pairs">
        {guards.map(({ guard, means }) => (
          <div key={guard}>
            <dt>
              <code>{guard}</code>
            </dt>
            <dd>{means}</dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}

function unitOf(unit: string): string {
  if (unit === "usd") return "$"
  return unit.includes(":") ? nameAsset(unit).symbol : unit
}

/** `base_sepolia:wbtc sold in 24 h` → `WBTC on Base Sepolia sold in 24 h`. */
function titleOf(name: string): string {
  const [id = ""] = name.split(" ")
  if (!id.includes(":")) return name[0]?.toUpperCase() + name.slice(1)
  const { symbol, chain } = nameAsset(id)
  return `${symbol} on ${chain}${name.slice(id.length)}`
}
