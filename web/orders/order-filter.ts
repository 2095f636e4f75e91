import { nameAsset } from "../format.ts"

export type Filter = {
  /** A part of the query of the interface. */
  readonly state: string
  readonly rule: string
  /** Two assets. */
  readonly pair: string
  readonly service: string
  readonly since: string
  readonly text: string
}

export const ALL: Filter = { state: "", rule: "", pair: "", service: "", since: "", text: "" }

/** `completed · dca · 7 days`, the name of a saved view. */
export function nameFilter({ state, rule, pair, service, since, text }: Filter): string {
  const said = state === "open=true" ? "open" : state.replace(/^state=/, "").replace(/-/g, " ")
  const parts = [said, rule, pair === "" ? "" : sayPair(pair), service, since, text.trim()]
  return parts.filter((part) => part !== "").join(" · ")
}

export function sayPair(pair: string): string {
  const [sold, bought] = pair.split(" ").map(nameAsset)
  return `${sold?.symbol} ${sold?.chain} → ${bought?.symbol} ${bought?.chain}`
}

const MOST_SAVED = 8

/** The saved views of a text that this browser kept; of a damaged one none. */
export function parseFilters(kept: string | null): readonly Filter[] {
  const found = readJson(kept ?? "[]")
  if (!Array.isArray(found)) return []
  return found.filter(isFilter).slice(0, MOST_SAVED)
}

/** The newest first; the same filter once. */
export function addFilter(saved: readonly Filter[], filter: Filter): readonly Filter[] {
  return [filter, ...removeFilter(saved, filter)].slice(0, MOST_SAVED)
}

export function removeFilter(saved: readonly Filter[], filter: Filter): readonly Filter[] {
  return saved.filter((one) => nameFilter(one) !== nameFilter(filter))
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function isFilter(found: unknown): found is Filter {
  if (typeof found !== "object" || found === null) return false
  const fields = new Map(Object.entries(found))
  return Object.keys(ALL).every((name) => typeof fields.get(name) === "string")
}
