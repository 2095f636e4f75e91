import { hkdfSync } from "node:crypto"
import { inspect } from "node:util"
import { hkdf } from "@noble/hashes/hkdf.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { expect, test } from "vitest"
import { Secret } from "./secret.ts"
import { createSecretKeeper, infoOf } from "./secret-keeper.ts"

const KEY = "0b".repeat(32)
const keeper = createSecretKeeper(new Secret(KEY, "env:SECRET_KEY"), "main")
const REQUEST = { service: "north", nonce: "9007199254740993" }

test("derives what an independent HKDF derives", () => {
  const parts = ["ballast/secret/v1", "main", REQUEST.service, REQUEST.nonce]
  const info = Buffer.concat(
    parts.map((part) => Buffer.concat([Buffer.from([0, 0, 0, part.length]), Buffer.from(part)])),
  )
  const secret = hkdf(sha256, Buffer.from(KEY, "hex"), new Uint8Array(0), info, 32)
  expect(keeper.derive(REQUEST).reveal()).toBe(Buffer.from(secret).toString("hex"))
  expect(keeper.hashOf(REQUEST)).toBe(Buffer.from(sha256(secret)).toString("hex"))
})

test("the platform's HKDF gives the vectors of RFC 5869 (A.1 and A.3)", () => {
  const hex = (text: string): Buffer => Buffer.from(text, "hex")
  const okm = (salt: string, info: string): string =>
    Buffer.from(hkdfSync("sha256", hex("0b".repeat(22)), hex(salt), hex(info), 42)).toString("hex")
  expect(okm("000102030405060708090a0b0c", "f0f1f2f3f4f5f6f7f8f9")).toBe(
    "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865",
  )
  expect(okm("", "")).toBe(
    "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8",
  )
})

test("no two inputs share an info or a secret", () => {
  expect(infoOf(["ab", "c"])).not.toEqual(infoOf(["a", "bc"]))
  const other = createSecretKeeper(new Secret(KEY, "env:SECRET_KEY"), "other")
  const hashes = [
    keeper.hashOf(REQUEST),
    keeper.hashOf({ ...REQUEST, nonce: "1" }),
    keeper.hashOf({ service: "north9", nonce: "007199254740993" }),
    other.hashOf(REQUEST),
  ]
  expect(new Set(hashes).size).toBe(hashes.length)
})

test("prints neither key nor secret", () => {
  const secret = keeper.derive(REQUEST)
  const shown = [
    inspect(keeper),
    JSON.stringify(keeper),
    inspect(secret),
    JSON.stringify({ secret }),
    String(secret),
  ]
  for (const text of shown) {
    expect(text).not.toContain(secret.reveal())
    expect(text).not.toContain(KEY)
  }
  expect(keeper.fingerprint).toMatch(/^[0-9a-f]{16}$/)
})

test("refuses a key of another form, without showing it", () => {
  for (const text of ["", "0b".repeat(31), "zz".repeat(32), `${KEY}00`]) {
    const create = (): unknown => createSecretKeeper(new Secret(text, "env:SECRET_KEY"), "main")
    expect(create).toThrow(expect.objectContaining({ code: "secrets.key" }))
    if (text !== "") expect(create).not.toThrow(text)
  }
})
