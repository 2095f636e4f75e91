import { createCipheriv, scryptSync } from "node:crypto"
import { keccak_256 } from "@noble/hashes/sha3.js"
import { expect, test } from "vitest"
import { decodeKeystore } from "./keystore.ts"
import { createSecretLookup } from "./secrets.ts"

// The PBKDF2 test vector of the Web3 Secret Storage Definition; its password is "testpassword".
const KEY = "0x7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d"
const pbkdf2 = {
  crypto: {
    cipher: "aes-128-ctr",
    cipherparams: { iv: "6087dab2f9fdbbfaddc31a909735c1e6" },
    ciphertext: "5318b4d5bcd28de64ee5559e671353e16f075ecae9f99c7a79a38af5f869aa46",
    kdf: "pbkdf2",
    kdfparams: {
      c: 262144,
      dklen: 32,
      prf: "hmac-sha256",
      salt: "ae3cd4e7013836a3df6bd7241b12db061dbe2c6785853cce422d148a624ce0bd",
    },
    mac: "517ead924a9d0dc3124507e3393d175ce3ff7c1e96529c6c555ce9e51205e9b2",
  },
  version: 3,
}
/**
 * Makes a keystore like geth does (r = 8, p = 1), because no published vector has parameters that
 * RFC 7914 allows.
 */
function sealScrypt(n: number): string {
  const salt = Buffer.alloc(32, 7)
  const iv = Buffer.alloc(16, 9)
  const derived = scryptSync("testpassword", salt, 32, { N: n, r: 8, p: 1 })
  const ciphertext = createCipheriv("aes-128-ctr", derived.subarray(0, 16), iv).update(
    Buffer.from(KEY.slice(2), "hex"),
  )
  const mac = Buffer.from(keccak_256(Buffer.concat([derived.subarray(16), ciphertext]))).toString(
    "hex",
  )
  const kdfparams = { dklen: 32, n, r: 8, p: 1, salt: salt.toString("hex") }
  const cipherparams = { iv: iv.toString("hex") }
  const crypto = {
    cipher: "aes-128-ctr",
    cipherparams,
    ciphertext: ciphertext.toString("hex"),
    kdf: "scrypt",
    kdfparams,
    mac,
  }
  return JSON.stringify({ version: 3, crypto })
}

test("opens the published PBKDF2 keystore and a scrypt one", () => {
  expect(decodeKeystore(JSON.stringify(pbkdf2), "testpassword")).toBe(KEY)
  expect(decodeKeystore(sealScrypt(4096), "testpassword")).toBe(KEY)
})

test.each([
  ["a wrong password", JSON.stringify(pbkdf2), "does not open it"],
  ["no JSON", `{ "key": ${KEY}`, "it is not JSON"],
  ["another version", JSON.stringify({ ...pbkdf2, version: 1 }), "version 3"],
  ["too much memory", sealScrypt(4096).replace('"n":4096', '"n":4194304'), "out of bounds"],
])("refuses %s without quoting anything", (_name, text, expected) => {
  const open = (): string => decodeKeystore(text, "secret-password")
  expect(open).toThrow(expected)
  expect(open).toThrow(expect.objectContaining({ code: "config.keystore", disposition: "fatal" }))
  expect(open).not.toThrow(/secret-password|7a28b5|5318b4/)
})

test("a keystore without a password names the missing environment variable", () => {
  const lookup = createSecretLookup({}, import.meta.dirname)
  expect(() => lookup("keystore:keystore.test.ts")).toThrow("BALLAST_KEYSTORE_PASSWORD is not set")
})

test("the error for an empty secret, and for a key after env:, does not show it", () => {
  const lookup = createSecretLookup({ EMPTY: " \n" }, "/")
  expect(() => lookup("env:EMPTY")).toThrow("env:EMPTY is empty")
  expect(() => lookup(`env:${KEY.slice(2)}`)).toThrow(
    "the environment variable (not shown) is not set",
  )
  expect(() => lookup(`env:${"ab".repeat(16)}`)).toThrow(
    "the environment variable (not shown) is not set",
  )
})

test("a keystore with one key has no second account", () => {
  const text = JSON.stringify(pbkdf2)
  expect(() => decodeKeystore(text, "testpassword", 2)).toThrow(
    /has one key and no mnemonic, so it has no account #2; write the reference without #2/,
  )
})
