import { isSameAddress } from "#domain/is-same-address.ts"
import { describeFound } from "#schema/describe-found.ts"
import type { Path } from "#schema/problem.ts"
import { itemsAt, textAt } from "#schema/read-path.ts"
import { checkDigits, decimalsAt, type ReferenceWorld } from "#schema/reference-world.ts"
import { checkPair } from "../check-pair.ts"

/**
 * Reports unknown assets, amounts finer than the sold asset, and a destination that may not be
 * paid.
 */
export function checkSweep(world: ReferenceWorld, path: Path): void {
  checkPair(world, path)
  const decimals = decimalsAt(world, [...path, "from"])
  for (const key of ["keep", "least"]) checkDigits(world, [...path, key], decimals)
  checkDestination(world, path)
}

/**
 * A destination outside the treasury must be an address of the chain of `to`, and
 * `guards.destinations` must list it.
 */
function checkDestination(world: ReferenceWorld, path: Path): void {
  const at: Path = [...path, "destination"]
  const destination = textAt(world.root, at)
  if (destination === null) return
  const to = textAt(world.root, [...path, "to"]) ?? ""
  const form = world.addressFormFor(to)
  if (form && !form.pattern.test(destination)) {
    world.report(
      at,
      `expected ${form.expected}, because ${to} is there, found ${describeFound(destination)}`,
    )
    return
  }
  const allowed = itemsAt(world.root, ["guards", "destinations"]).filter(
    (item) => typeof item === "string",
  )
  if (allowed.some((address) => isSameAddress(address, destination))) return
  world.report(
    at,
    `expected an address that guards.destinations lists, found ${describeFound(destination)}`,
  )
}
