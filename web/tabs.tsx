import type { JSX } from "preact"

export type Part = { readonly id: string; readonly name: string }

/** The parts of a view, each with a place of its own. */
export function Tabs({
  parts,
  shown,
  label,
}: {
  parts: readonly Part[]
  shown: string
  label: string
}): JSX.Element {
  return (
    <nav class="filters tabs" aria-label={label}>
      {parts.map(({ id, name }) => (
        <a key={id} class="chip" href={`#/${id}`} aria-current={id === shown ? "page" : undefined}>
          {name}
        </a>
      ))}
    </nav>
  )
}
