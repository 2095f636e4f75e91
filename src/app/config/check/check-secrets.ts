import type { Path } from "#schema/problem.ts"
import { entriesAt, itemsAt, readPath, textAt } from "#schema/read-path.ts"
import { checkAssetKnown, type ReferenceWorld } from "#schema/reference-world.ts"

/**
 * Checks the choice of the swaps' secrets: Ballast needs a key for it, and a treasury whose name
 * stays.
 */
export function checkSecrets(world: ReferenceWorld): void {
  const { root, report } = world
  const hasKey = (readPath(root, ["secrets", "key"]) ?? null) !== null
  if (hasKey && (readPath(root, ["treasury"]) ?? null) === null) {
    const message =
      "expected a treasury beside secrets.key, found none: our secrets follow from its name"
    report(["secrets", "key"], message, "key")
  }
  const services: Path[] = [
    ["service"],
    ...entriesAt(root, ["services"]).map(([name]): Path => ["services", name]),
  ]
  for (const service of services) {
    checkMode(world, [...service, "secret"], hasKey)
    checkPairs(world, [...service, "secret_pairs"], hasKey)
  }
}

function checkPairs(world: ReferenceWorld, path: Path, hasKey: boolean): void {
  const seen = new Set<string>()
  for (const index of itemsAt(world.root, path).keys()) {
    const at = [...path, index]
    const pair = ["from", "to"].map((key) => checkAssetKnown(world, [...at, key])).join(" to ")
    if (seen.has(pair)) world.report(at, `expected each pair once, found ${pair} twice`)
    seen.add(pair)
    checkMode(world, [...at, "secret"], hasKey)
  }
}

function checkMode({ root, report }: ReferenceWorld, path: Path, hasKey: boolean): void {
  const mode = textAt(root, path)
  if (hasKey || (mode !== "own" && mode !== "prefer-own")) return
  report(path, `expected service, because secrets.key is not set, found ${mode}`)
}
