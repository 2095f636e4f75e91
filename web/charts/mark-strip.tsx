import type { JSX } from "preact"

const PLACES = 24
const STEP = 6
const HIGH = 12

/** `path`: within 5 × 12. `kind`: its class, which has a colour; its shape tells the same. */
export type Mark = { readonly kind: string; readonly path: string; readonly title: string }

/** At most 24 small marks in a row, and what they say in words. */
export function MarkStrip(props: { marks: readonly Mark[]; words: string }): JSX.Element {
  return (
    <figure class="calls">
      <svg viewBox={`0 0 ${PLACES * STEP} ${HIGH}`} role="img" aria-label={props.words}>
        {props.marks.map(({ kind, path, title }, index) => (
          <path key={title} class={kind} d={path} transform={`translate(${index * STEP} 0)`}>
            <title>{title}</title>
          </path>
        ))}
      </svg>
      <figcaption>{props.words}</figcaption>
    </figure>
  )
}
