import { chmodSync, mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { createSecretLookup } from "./secrets.ts"

const GCP = "gcp-kms:projects/p/locations/l/keyRings/r/cryptoKeys/k/cryptoKeyVersions/1"

test.each([
  ["a key", "file:other"],
  ["the PIN of a token", "pkcs11:token=t;object=k?module-path=/lib/t.so&pin-source=file:other"],
  ["the account of a KMS", `${GCP}?address=0x${"12".repeat(20)}&credentials=file:other`],
])("%s in a file that others can change is refused", (_name, reference) => {
  const folder = mkdtempSync(join(tmpdir(), "ballast-secrets-"))
  const file = join(folder, "other")
  writeFileSync(file, "secret")
  chmodSync(file, 0o600)
  const lookup = createSecretLookup({}, folder)
  expect(lookup(reference).reveal()).not.toBe("")
  chmodSync(file, 0o620)
  expect(() => lookup(reference)).toThrow(/other users can change file:other .*chmod go-w/)
})
