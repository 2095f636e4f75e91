import { findFamily } from "#chains/families.ts"
import { describeFound } from "#schema/describe-found.ts"
import { entriesAt, isMap, itemsAt } from "#schema/read-path.ts"
import { type ReferenceWorld, unknownName } from "#schema/reference-world.ts"

/**
 * Checks `pinned` of one asset against its contracts and the family of its chain; `null` when the
 * family is unknown.
 */
export function checkPinned(
  world: ReferenceWorld,
  path: readonly string[],
  asset: unknown,
  family: string | null,
): void {
  const pins = itemsAt(asset, ["pinned"])
  const definition = findFamily(family)
  if (pins.length === 0 || definition === null) return
  const keys = definition.pinKeys
  if (keys === undefined) {
    const why = "each order on this chain has an HTLC address of its own, and Ballast derives it"
    world.report([...path, "pinned"], `expected no pins here: ${why}`)
    return
  }
  const count = itemsAt(asset, ["htlc"]).length
  if (pins.length !== count) {
    world.report(
      [...path, "pinned"],
      `expected one entry for each of the ${count} contracts of htlc, found ${pins.length}`,
    )
  }
  pins.forEach((pin, index) => {
    const at = [...path, "pinned", index]
    const entries = entriesAt(pin, [])
    if (isMap(pin) && entries.length === 0)
      world.report(at, `expected at least one of ${Object.keys(keys).join(", ")}, found none`)
    for (const [name, value] of entries) {
      const form = keys[name]
      if (form === undefined) {
        world.report(
          [...at, name],
          unknownName(`one of ${Object.keys(keys).join(", ")}`, name, Object.keys(keys)),
          "key",
        )
      } else if (typeof value !== "string" || !form.pattern.test(value)) {
        world.report([...at, name], `expected ${form.expected}, found ${describeFound(value)}`)
      }
    }
  })
}
