import type { JSX } from "preact"
import { useState } from "preact/hooks"
import { addFilter, type Filter, nameFilter, parseFilters, removeFilter } from "./order-filter.ts"

const KEY = "ballast.views"

/** Filters that this browser keeps, each one tap away; named by what they ask for. */
export function SavedViews(props: {
  filter: Filter
  onChange: (filter: Filter) => void
}): JSX.Element {
  const { filter, onChange } = props
  const [saved, setSaved] = useState(() => parseFilters(localStorage.getItem(KEY)))
  const name = nameFilter(filter)
  const keep = (views: readonly Filter[]): void => {
    localStorage.setItem(KEY, JSON.stringify(views))
    setSaved(views)
  }
  const isKept = saved.some((one) => nameFilter(one) === name)
  return (
    <>
      <button
        type="button"
        disabled={name === "" || isKept}
        title={name === "" ? "Choose a filter first" : undefined}
        onClick={() => keep(addFilter(saved, filter))}
      >
        Save this view
      </button>
      {saved.map((view) => {
        const label = nameFilter(view)
        return (
          <span key={label} class="saved">
            <button
              type="button"
              class="chip"
              aria-pressed={label === name}
              onClick={() => onChange(view)}
            >
              {label}
            </button>
            <button
              type="button"
              aria-label={`Forget the view ${label}`}
              onClick={() => keep(removeFilter(saved, view))}
            >
              ✕
            </button>
          </span>
        )
      })}
    </>
  )
}
