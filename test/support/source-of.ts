import { readFileSync } from "node:fs"
import { join } from "node:path"

// CAST: the shape of this project's package.json.
const { imports } = JSON.parse(
  readFileSync(join(import.meta.dirname, "..", "..", "package.json"), "utf8"),
) as {
  readonly imports: Readonly<Record<string, string>>
}
const PLACES = new Map(
  Object.entries(imports).map(([name, place]) => [
    name.replace("/*", ""),
    place.slice("./".length, -"/*".length),
  ]),
)

/**
 * The file of an import such as `#chains/families.ts`, from the root: the rooms of package.json
 * have the places.
 */
export function sourceOf(specifier: string): string {
  const [room = "", ...rest] = specifier.split("/")
  const place = PLACES.get(room)
  if (place === undefined) throw new Error(`package.json has no place for ${specifier}`)
  return [place, ...rest].join("/")
}
