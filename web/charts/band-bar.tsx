import type { JSX } from "preact"
import type { Overview } from "../answers.ts"
import { nameAsset, shortAmount, type Tone } from "../format.ts"

type Bound = Overview["treasury"][number]["bounds"][number]

const PLACES: Readonly<Record<Bound["place"], { tone: Tone; word: string }>> = {
  below: { tone: "bad", word: "below its band" },
  above: { tone: "warn", word: "above its band" },
  within: { tone: "good", word: "in its band" },
  unknown: { tone: "calm", word: "not read yet" },
}

/** A bar from zero: the band behind it, the target as a line, what comes as an outline. */
export function BandBar(props: {
  amount: string | null
  bound: Bound
  asset: string
  /** On its way to the wallet. */
  incoming: string
}): JSX.Element {
  const { amount, bound, asset } = props
  const incoming = Number(props.incoming)
  const min = Number(bound.min)
  const target = Number(bound.target)
  const max = bound.max === null ? null : Number(bound.max)
  const value = amount === null ? null : Number(amount)
  const top =
    1.15 * Math.max(max ?? 0, target * 1.5, min, (value ?? 0) + incoming, Number.MIN_VALUE)
  const x = (units: number): number => (100 * units) / top
  const { tone, word } = PLACES[bound.place]
  const words =
    `${word}: from ${shortAmount(bound.min)} to ` +
    `${bound.max === null ? "any" : shortAmount(bound.max)}, target ` +
    `${shortAmount(bound.target)} ${nameAsset(asset).symbol}` +
    (incoming > 0 ? `; ${shortAmount(props.incoming)} on its way in` : "")
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
      {incoming > 0 ? (
        <rect class="coming" x={x(value ?? 0)} y="3" width={Math.max(1, x(incoming))} height="4" />
      ) : null}
      <rect class="target" x={x(target) - 0.2} width="0.5" height="10" />
    </svg>
  )
}
