import type { Path } from "./problem.ts"

/** The value at `path` in plain data, or `undefined`. Only own keys count. */
export function readPath(root: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, segment) => {
    if (Array.isArray(value)) return typeof segment === "number" ? value[segment] : undefined
    return isMap(value) && Object.hasOwn(value, segment) ? value[segment] : undefined
  }, root)
}

export function isMap(value: unknown): value is Readonly<Record<string | number, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

/** The entries of the map at `path`; none if the value is no map. */
export function entriesAt(root: unknown, path: Path): readonly (readonly [string, unknown])[] {
  const value = readPath(root, path)
  return isMap(value) ? Object.entries(value) : []
}

/** The items of the list at `path`; none if the value is no list. */
export function itemsAt(root: unknown, path: Path): readonly unknown[] {
  const value = readPath(root, path)
  return Array.isArray(value) ? value : []
}

/** The text at `path`, or `null` if there is no text. */
export function textAt(root: unknown, path: Path): string | null {
  const value = readPath(root, path)
  return typeof value === "string" ? value : null
}
