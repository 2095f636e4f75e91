import { entriesAt } from "#schema/read-path.ts"
import { checkAssetKnown, checkDigits, type ReferenceWorld, unknownName } from "#schema/reference-world.ts"

/** Checks the limits of the signer: known assets, and no more digits than each has. */
export function checkSigner(world: ReferenceWorld): void {
  for (const [id] of entriesAt(world.root, ["signer", "limits"])) {
    const path = ["signer", "limits", id]
    const chain = id.slice(0, Math.max(0, id.indexOf(":")))
    if (id === `${chain}:native` && !world.decimals.has(id)) {
      if (!world.chains.has(chain))
        world.report(path, unknownName("a chain of chains", chain, [...world.chains.keys()]), "key")
      continue
    }
    if (checkAssetKnown(world, path, "key") === null) continue
    for (const key of ["per_signature", "per_hour", "per_day"]) {
      checkDigits(world, [...path, key], world.decimals.get(id) ?? null)
    }
  }
}
