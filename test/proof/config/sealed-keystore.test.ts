import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { decodeKeystore } from "../../../src/app/config/secrets/keystore.ts"
import { sealKeystore } from "../../../src/app/config/secrets/sealed-keystore.ts"
import { createSecretLookup } from "../../../src/app/config/secrets/secrets.ts"

const WORDS = "legal winner thank year wave sausage worth useful legal winner thank yellow"
const PASSWORD = "correct horse battery"
const sealed = sealKeystore({ kind: "mnemonic", text: WORDS }, PASSWORD)

test("a sealed mnemonic opens with its password, as the account that is asked for", () => {
  expect(decodeKeystore(sealed, PASSWORD)).toBe(`bip39 0 ${WORDS}`)
  expect(decodeKeystore(sealed, PASSWORD, 7)).toBe(`bip39 7 ${WORDS}`)
  const key = sealKeystore({ kind: "key", text: "any key" }, PASSWORD)
  expect(decodeKeystore(key, PASSWORD)).toBe("any key")
})

test("the file shows nothing of the content, and two files of one content differ", () => {
  expect(sealed).not.toMatch(/legal|winner|horse/)
  expect(sealKeystore({ kind: "mnemonic", text: WORDS }, PASSWORD)).not.toBe(sealed)
})

test.each([
  ["a wrong password", sealed, "wrong"],
  ["another kind", sealed.replace("mnemonic", "key"), PASSWORD],
  ["weaker parameters", sealed.replace("131072", "16384"), PASSWORD],
  ["a changed text", sealed.replace(/"ciphertext": "(..)/, '"ciphertext": "AA'), PASSWORD],
])("refuses %s, and quotes nothing", (_name, text, password) => {
  const open = (): string => decodeKeystore(text, password)
  expect(open).toThrow(expect.objectContaining({ code: "config.keystore", disposition: "fatal" }))
  expect(open).not.toThrow(/legal|horse/)
})

test("parameters that take minutes are refused", () => {
  expect(() => decodeKeystore(sealed.replace("131072", "16777216"), PASSWORD)).toThrow(
    "neither a keystore",
  )
})

test("keystore:PATH#INDEX and credential:NAME are secrets, and the password may be a credential", () => {
  const folder = mkdtempSync(join(tmpdir(), "keystore-"))
  writeFileSync(join(folder, "wallet.json"), sealed)
  writeFileSync(join(folder, "password"), `${PASSWORD}\n`)
  const lookup = createSecretLookup(
    { CREDENTIALS_DIRECTORY: folder, BALLAST_KEYSTORE_PASSWORD: "credential:password" },
    folder,
  )
  expect(lookup("keystore:wallet.json#3").reveal()).toBe(`bip39 3 ${WORDS}`)
  expect(lookup("credential:password").reveal()).toBe(PASSWORD)
  for (const name of ["../password", ".hidden", "a/b"])
    expect(() => lookup(`credential:${name}`)).toThrow("name has")
  expect(() => createSecretLookup({}, folder)("credential:password")).toThrow(
    "CREDENTIALS_DIRECTORY is not set",
  )
  rmSync(folder, { recursive: true })
})
