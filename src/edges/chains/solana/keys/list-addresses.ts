import type { SeededAccount } from "#chains/mnemonic.ts"
import type { Secret } from "#lib/secret.ts"
import type { KeyAddress } from "#ports/key-holder.ts"
import { createSigner } from "../signer.ts"
import { solanaPath } from "./derive-key.ts"

/** The one address of a key on every cluster. Throws `config.solana_key` (fatal). */
export function listSolanaAddresses(
  key: Secret,
  seeded: SeededAccount | null,
): readonly KeyAddress[] {
  const path = seeded === null ? null : solanaPath(seeded.index)
  return [{ what: "solana", path, address: createSigner(key).account }]
}
