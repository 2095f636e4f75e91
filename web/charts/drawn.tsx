import { h, type JSX } from "preact"
import type { Drawing } from "#backtest/plot/draw-plots.ts"
import { useWidth } from "./use-width.ts"

/** A drawing of `ballast simulate --plot`, as wide as its place. */
export function Drawn({ draw }: { draw: (width: number) => Drawing }): JSX.Element {
  const [ref, shown] = useWidth()
  const { width, height, words, marks } = draw(shown)
  return (
    <figure class="chart" ref={ref}>
      <svg width={width} height={height} role="img" aria-label={words}>
        {marks.map(({ tag, tone, at, text }) =>
          h(tag, { key: JSON.stringify([tag, tone, at]), class: tone, ...at }, text),
        )}
      </svg>
      <figcaption class="note">{words}</figcaption>
    </figure>
  )
}
