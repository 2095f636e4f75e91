import { findFamily } from "#chains/families.ts"
import { ROUTES } from "#routes/registry.ts"
import { isMap, readPath } from "#schema/read-path.ts"
import type { ReferenceWorld } from "#schema/reference-world.ts"

/** Each kind judges its own keys by what the families have pinned for the configured chains. */
export function checkRoutes(world: ReferenceWorld): void {
  for (const { kind, checkReferences } of ROUTES) {
    if (!isMap(readPath(world.root, ["routes", kind]))) continue
    checkReferences(world, ["routes", kind], (chain, given) => {
      const keys = readPath(world.root, ["chains", chain])
      const family = findFamily(world.chains.get(chain) ?? null)
      return family?.routes?.pins[kind]?.(isMap(keys) ? keys : {}, given)
    })
  }
}
