import type { KeyAddress } from "#chains/key-holder.ts"
import type { SeededAccount } from "#chains/mnemonic.ts"
import type { Secret } from "#lib/secret.ts"
import { solanaPath } from "./derive-key.ts"
import { createSigner } from "./signer.ts"

/** The one address of a key on every cluster. Throws `config.solana_key` (fatal). */
export function listSolanaAddresses(key: Secret, seeded: SeededAccount | null): readonly KeyAddress[] {
  const path = seeded === null ? null : solanaPath(seeded.index)
  return [{ what: "solana", path, address: createSigner(key).account }]
}
