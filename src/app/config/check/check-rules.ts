import { findRuleKind } from "#policy/rules/registry.ts"
import { describeFound } from "#schema/describe-found.ts"
import type { Path } from "#schema/problem.ts"
import { itemsAt, textAt } from "#schema/read-path.ts"
import type { ReferenceWorld } from "#schema/reference-world.ts"

/**
 * Reports rules with the same id, and the problems that the kind of each rule finds between keys.
 */
export function checkRules(world: ReferenceWorld): void {
  const seen = new Set<string>()
  itemsAt(world.root, ["rules"]).forEach((rule, index) => {
    const path: Path = ["rules", index]
    const id = textAt(rule, ["id"])
    if (id !== null && seen.has(id)) {
      world.report(
        [...path, "id"],
        `expected an id that no other rule has, found ${describeFound(id)} again`,
      )
    }
    if (id !== null) seen.add(id)
    findRuleKind(textAt(rule, ["kind"]) ?? "")?.checkReferences(world, path)
  })
}
