import { findFamily } from "#chains/families.ts"
import type { FamilyDefinition } from "#chains/family-definition.ts"
import { describeFound } from "#schema/describe-found.ts"
import type { Path } from "#schema/problem.ts"
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
    checkPinValues(world, [...path, "pinned", index], pin, keys)
  })
}

/** The values of one pin, with the forms of its family. `beside`: keys that are none of them. */
export function checkPinValues(
  { report }: ReferenceWorld,
  at: Path,
  pin: unknown,
  keys: NonNullable<FamilyDefinition["pinKeys"]>,
  beside: readonly string[] = [],
): void {
  const entries = entriesAt(pin, []).filter(([name]) => !beside.includes(name))
  const names = Object.keys(keys)
  if (isMap(pin) && entries.length === 0)
    report(at, `expected at least one of ${names.join(", ")}, found none`)
  for (const [name, value] of entries) {
    const form = keys[name]
    if (form === undefined)
      report([...at, name], unknownName(`one of ${names.join(", ")}`, name, names), "key")
    else if (typeof value !== "string" || !form.pattern.test(value))
      report([...at, name], `expected ${form.expected}, found ${describeFound(value)}`)
  }
}
