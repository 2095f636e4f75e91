import { type ComponentChildren, h, type JSX } from "preact"
import type { Drawing } from "#backtest/plot/draw-plots.ts"
import { useWidth } from "./use-width.ts"

/** A drawing of `ballast simulate --plot`, as wide as its place; `over` lies on it. */
export function Drawn(props: {
  draw: (width: number) => Drawing
  over?: (width: number) => ComponentChildren
}): JSX.Element {
  const [ref, shown] = useWidth()
  const { width, height, words, marks } = props.draw(shown)
  return (
    <figure class="chart" ref={ref}>
      <svg width={width} height={height} role="img" aria-label={words}>
        {marks.map(({ tag, tone, at, text }) =>
          h(tag, { key: JSON.stringify([tag, tone, at]), class: tone, ...at }, text),
        )}
      </svg>
      {props.over?.(width)}
      <figcaption class="note">{words}</figcaption>
    </figure>
  )
}
