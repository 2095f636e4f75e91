import type { Path } from "#schema/problem.ts"
import { readPath } from "#schema/read-path.ts"
import { checkAssetKnown, type ReferenceWorld } from "#schema/reference-world.ts"

/** Reports `from` and `to` of a rule when they are unknown or the same asset. */
export function checkPair(world: ReferenceWorld, path: Path): void {
  const from = checkAssetKnown(world, [...path, "from"])
  checkAssetKnown(world, [...path, "to"])
  if (from !== null && from === readPath(world.root, [...path, "to"])) {
    world.report([...path, "to"], `expected another asset than from, found ${from}`)
  }
}
