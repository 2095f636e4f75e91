import type { JSX } from "preact"
import { drawFan, FAN } from "#backtest/plot/draw-plots.ts"
import type { Simulation } from "../answers.ts"
import { nameAsset, shortAmount } from "../format.ts"
import { Drawn } from "./drawn.tsx"
import { Scrub } from "./scrub.tsx"

/** The balances of the runs with or without the change; hover and keys give those of a day. */
export function FanPlot(props: {
  plot: Simulation["plots"][number]
  subject: number
  days: number
  title: string
}): JSX.Element {
  const { plot, subject, days, title } = props
  const points = plot.subjects[subject]?.points ?? []
  const last = Math.max(1, points.length - 1)
  const { symbol } = nameAsset(plot.asset)
  const tell = (place: number): string => {
    const found = points[place]
    if (found === undefined) return "no run"
    const [p5, p25, p75, p95] = [found.p5, found.p25, found.p75, found.p95].map((amount) =>
      shortAmount(String(amount)),
    )
    const day = Math.round((10 * days * place) / last) / 10
    return `day ${day} · half ${p25} to ${p75} · nine of ten ${p5} to ${p95} ${symbol}`
  }
  return (
    <Drawn
      draw={(width) => drawFan(plot, subject, days, width)}
      over={(width) => (
        <Scrub
          of="fan"
          label={`${title}: ${symbol} on a day`}
          last={last}
          high={FAN.high}
          at={(place) => ({
            x: FAN.left + ((width - FAN.left - FAN.right) * place) / last,
            words: tell(place),
          })}
        />
      )}
    />
  )
}
