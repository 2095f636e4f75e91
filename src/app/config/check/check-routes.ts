import { findFamily } from "#chains/families.ts"
import { ROUTES } from "#routes/registry.ts"
import { entriesAt, isMap, itemsAt, readPath } from "#schema/read-path.ts"
import type { ReferenceWorld } from "#schema/reference-world.ts"
import { checkPinValues } from "./check-pinned.ts"

/** Each kind judges its own keys by what the families have pinned for the configured chains. */
export function checkRoutes(world: ReferenceWorld): void {
  for (const { kind, checkReferences } of ROUTES) {
    if (!isMap(readPath(world.root, ["routes", kind]))) continue
    checkReferences(world, ["routes", kind], (chain, given) => {
      const keys = readPath(world.root, ["chains", chain])
      const family = findFamily(world.chains.get(chain) ?? null)
      return family?.routes?.pins[kind]?.(isMap(keys) ? keys : {}, given)
    })
    checkRoutePins(world, ["routes", kind, "pinned"])
  }
}

/** As the pins of assets: the family of a chain says which values a contract there has. */
function checkRoutePins(world: ReferenceWorld, path: readonly string[]): void {
  for (const [chain] of entriesAt(world.root, path)) {
    const keys = findFamily(world.chains.get(chain) ?? null)?.pinKeys
    if (keys === undefined) continue
    for (const [index, pin] of itemsAt(world.root, [...path, chain]).entries())
      checkPinValues(world, [...path, chain, index], pin, keys, ["address"])
  }
}
