import { isKmsName } from "#kms/parse-kms-name.ts"
import { TOKEN_SCHEME } from "#pkcs11/parse-token-uri.ts"
import { entriesAt, textAt } from "#schema/read-path.ts"
import {
  checkAssetKnown,
  checkDigits,
  type ReferenceWorld,
  unknownName,
} from "#schema/reference-world.ts"

/**
 * Checks the limits of the signer: known assets, and no more digits than each has. A key in a token
 * or a KMS needs the signer process.
 */
export function checkSigner(world: ReferenceWorld): void {
  checkTokens(world)
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

/** The signer process alone reads the PIN of a token and the credentials of a KMS. */
function checkTokens({ root, report }: ReferenceWorld): void {
  const isInside =
    textAt(root, ["signer", "run"]) === "inside" && textAt(root, ["signer", "socket"]) === null
  if (!isInside || textAt(root, ["mode"]) === "observe") return
  for (const [name] of entriesAt(root, ["chains"])) {
    const key = textAt(root, ["chains", name, "key"]) ?? ""
    if (!key.startsWith(TOKEN_SCHEME) && !isKmsName(key)) continue
    const place = isKmsName(key) ? "a KMS" : "a PKCS#11 token"
    report(
      ["signer", "run"],
      `the key of ${name} is in ${place}, which only the signer process opens; expected child`,
    )
  }
}
