import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Secret } from "#lib/secret.ts"

const FOLDER = join(import.meta.dirname, "..", "..", "..", "..", "config", "sandbox-keys")

/**
 * Whether the key is one of the sandbox's. Those are public: a reader of the source can take the
 * funds.
 */
export function isPlayKey(key: Secret): boolean {
  return readdirSync(FOLDER).some((name) => {
    const text = readFileSync(join(FOLDER, name), "utf8").trim()
    return key.isSame(new Secret(text, key.reference))
  })
}
