import { isMap } from "#schema/read-path.ts"

/**
 * One added, removed or changed key of the file. Values are those of the file, without the parts
 * that may hold a secret.
 */
export type Difference = {
  readonly key: string
  readonly change: "added" | "removed" | "changed"
  readonly from: string | null
  readonly to: string | null
}

/**
 * The differences between two files, in the order of the files. List entries with an `id` are
 * matched by it.
 */
export function diffWritten(before: unknown, after: unknown, path = ""): Difference[] {
  const left = childrenOf(before)
  const right = childrenOf(after)
  if (left === null || right === null) {
    if (JSON.stringify(before) === JSON.stringify(after)) return []
    return [{ key: path, change: "changed", from: show(before), to: show(after) }]
  }
  const keys = [...new Set([...left.keys(), ...right.keys()])]
  return keys.flatMap((key): Difference[] => {
    const name = path === "" ? key : `${path}.${key}`
    if (!left.has(key))
      return [{ key: name, change: "added", from: null, to: show(right.get(key)) }]
    if (!right.has(key))
      return [{ key: name, change: "removed", from: show(left.get(key)), to: null }]
    return diffWritten(left.get(key), right.get(key), name)
  })
}

function childrenOf(value: unknown): ReadonlyMap<string, unknown> | null {
  if (isMap(value)) return new Map(Object.entries(value))
  if (!Array.isArray(value) || value.length === 0 || !value.every((item) => idOf(item) !== null))
    return null
  return new Map(value.map((item): [string, unknown] => [idOf(item) ?? "", item]))
}

function idOf(item: unknown): string | null {
  return isMap(item) && typeof item["id"] === "string" ? item["id"] : null
}

/**
 * The file has only references to secrets. A URL may carry a secret in its path or query, so only
 * its origin is shown.
 */
function show(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value)
  return text.replaceAll(
    /(https?:\/\/)([^/@\s"]*@)?([^/\s"]*)(\/[^\s"]+)?/g,
    (_all, scheme, _user, host, path) =>
      path === undefined ? `${scheme}${host}` : `${scheme}${host}/…`,
  )
}
