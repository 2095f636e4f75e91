import { parseLimitAmount } from "#schema/limit-amount.ts"
import type { Path } from "#schema/problem.ts"
import { entriesAt, isMap, readPath } from "#schema/read-path.ts"
import { checkAssetKnown, type ReferenceWorld } from "#schema/reference-world.ts"

/** Reports unknown assets, and shares that do not add up to 100 %. */
export function checkWeights(world: ReferenceWorld, path: Path): void {
  const entries = entriesAt(world.root, [...path, "weights"])
  for (const [id] of entries) checkAssetKnown(world, [...path, "weights", id], "key")
  const shares = entries.map(([, text]) =>
    typeof text === "string" ? parseLimitAmount(text) : null,
  )
  const known = shares.filter((amount) => amount?.kind === "share")
  const sum = known.reduce((total, amount) => total + amount.bps, 0n)
  const complete =
    known.length === entries.length && isMap(readPath(world.root, [...path, "weights"]))
  if (complete && sum !== 10_000n) {
    world.report(
      [...path, "weights"],
      `expected shares of together 100%, found ${Number(sum) / 100}%`,
    )
  }
}
