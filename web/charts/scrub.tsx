import type { JSX } from "preact"
import { useState } from "preact/hooks"

/** Hover, touch or arrow keys give the figures of a time; `of` places it on its plot. */
export function Scrub(props: {
  of: "balance" | "total" | "steps" | "named" | "fan"
  label: string
  /** The last of the places, which begin at 0; it is the first to be told. */
  last: number
  high: number
  at: (place: number) => { readonly x: number; readonly words: string }
}): JSX.Element {
  const { of, label, last, high, at } = props
  const [place, setPlace] = useState<number | null>(null)
  const { x, words } = at(Math.min(last, place ?? last))
  const follow = (event: PointerEvent): void => {
    const box =
      event.currentTarget instanceof Element ? event.currentTarget.getBoundingClientRect() : null
    if (box === null || box.width === 0) return
    const part = (event.clientX - box.left) / box.width
    setPlace(Math.round(last * Math.max(0, Math.min(1, part))))
  }
  return (
    <>
      <input
        type="range"
        class={`scrub of-${of}`}
        min="0"
        max={last}
        value={place ?? last}
        aria-label={label}
        aria-valuetext={words}
        onInput={(event) => setPlace(Number(event.currentTarget.value))}
        onPointerMove={follow}
        onPointerLeave={() => setPlace(null)}
        onBlur={() => setPlace(null)}
      />
      {place === null ? null : (
        <>
          <svg class={`cross of-${of}`} width={x + 1} height={high} aria-hidden="true">
            <line x1={x} x2={x} y2={high} />
          </svg>
          <output class="tip">{words}</output>
        </>
      )}
    </>
  )
}
