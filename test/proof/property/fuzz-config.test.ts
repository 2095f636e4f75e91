import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { parse as parseYaml } from "yaml"
import type { Config } from "#config/config.ts"
import { configHash } from "#config/hash.ts"
import { parseConfig } from "#config/load.ts"
import { decodeKeystore } from "#config/secrets/keystore.ts"
import { toSettings } from "#daemon/start/settings.ts"
import { Secret } from "#lib/secret.ts"
import { isMap, readPath } from "#schema/read-path.ts"
import { onlyCoded } from "../../support/only-coded.ts"

const EXAMPLE = readFileSync(join(import.meta.dirname, "../../../config/example.yaml"), "utf8")
const PARSED: unknown = parseYaml(EXAMPLE)
const PLACES = listPlaces(PARSED)
// One secret in two places is refused.
const secrets = (reference: string): Secret =>
  new Secret(`0x${createHash("sha256").update(reference).digest("hex")}`, reference)
const read = (text: string): Config => parseConfig(text, { file: "b.yaml", secrets })

const HOSTILE = [
  "",
  " ",
  "0",
  "-1",
  "1e9",
  "0x10",
  "9".repeat(400),
  "NaN",
  "null",
  "~",
  "*a",
  "&a [*a]",
  "!!js/function x",
  "\u0000",
  "__proto__",
  "constructor",
  "toString",
  "env:",
  "file:",
  "keystore:",
  "10%",
  "500 usd",
  "30s",
  "* * * * *",
  "a:b",
  "0 0 31 2 *",
  "@every 1s",
  "Europe/Zurich",
  "Mars/Base",
  "http://",
  "http://[",
  "javascript:1",
  "127.0.0.1:99999",
]
const value = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom(...HOSTILE),
  fc.constantFrom(0, -1, 1e21, 2 ** 53, 0.1, Number.MAX_VALUE, true, null, [], {}),
)

describe("a mutated configuration file", { timeout: 60_000 }, () => {
  test("is accepted without a change", () => {
    expect(read(EXAMPLE).chains.length).toBeGreaterThan(4)
  })

  test("with a piece of text removed or replaced is refused with a code, or works", () => {
    const slice = fc.tuple(
      fc.nat(EXAMPLE.length),
      fc.nat(40),
      fc.oneof(fc.string(), fc.constantFrom(...HOSTILE)),
    )
    fc.assert(
      fc.property(slice, ([at, length, text]) =>
        requireAcceptedOrCoded(EXAMPLE.slice(0, at) + text + EXAMPLE.slice(at + length)),
      ),
      { numRuns: 60 },
    )
  })

  test("with one value replaced is refused with a code, or works", () => {
    fc.assert(
      fc.property(fc.constantFrom(...PLACES), value, (place, replacement) => {
        requireAcceptedOrCoded(JSON.stringify(replaceAt(PARSED, place, replacement)))
      }),
      { numRuns: 100 },
    )
  })

  test("with a renamed or additional key is refused with a code, or works", () => {
    const key = fc.oneof(
      fc.string(),
      fc.constantFrom("__proto__", "constructor", "id", "kind", "a:b"),
    )
    fc.assert(
      fc.property(fc.constantFrom(...PLACES), key, value, (place, name, extra) => {
        requireAcceptedOrCoded(JSON.stringify(replaceAt(PARSED, [...place, name], extra)))
      }),
      { numRuns: 60 },
    )
  })

  test.for(["constructor", "toString", "__proto__"])(
    "with a key named %s is refused there",
    (name) => {
      const maps = PLACES.filter((place) => isMap(readPath(PARSED, place)))
      expect(maps.length).toBeGreaterThan(40)
      for (const place of maps) {
        const text = JSON.stringify(replaceAt(PARSED, [...place, name], {}))
        const result = onlyCoded(() => read(text), /^config\.invalid$/)
        expect(result.ok ? "accepted" : result.error.message).toContain(
          `a key cannot be named ${name}`,
        )
      }
    },
  )

  test.for<[string, string]>([
    ["brackets", "[".repeat(100_000)],
    ["braces", `a: ${"{a: ".repeat(50_000)}`],
    [
      "indentation",
      Array.from({ length: 2_000 }, (_, depth) => `${" ".repeat(depth)}a:`).join("\n"),
    ],
    ["aliases", `a: &a [1,1]\n${[..."bcdefghij"].map(writeAliases).join("\n")}`],
    ["one long line", `a: ${"x".repeat(1_000_000)}`],
    ["a thousand keys", Array.from({ length: 1_000 }, (_, at) => `k${at}: 1`).join("\n")],
    ["a thousand documents", "---\na: 1\n".repeat(1_000)],
  ])("with excessive %s is refused quickly", ([, text]) => {
    expect(onlyCoded(() => read(text), /^config\./, 5_000).ok).toBe(false)
  })
})

/** An accepted configuration has the same hash in another notation, and the daemon accepts it. */
function requireAcceptedOrCoded(text: string): void {
  const first = onlyCoded(() => read(text), /^config\./, 3_000)
  if (!first.ok) return
  const again = onlyCoded(() => read(JSON.stringify(parseYaml(text))), /^config\./)
  expect(again.ok && configHash(again.value)).toBe(configHash(first.value))
  const settings = onlyCoded(() => toSettings(first.value, new Map()), /^config\./)
  if (!settings.ok) return
  for (const { id } of first.value.assets)
    onlyCoded(() => settings.value.policyFor(id, id), /^config\./)
}

type Place = readonly (string | number)[]

/** The path of every value of the example. */
function listPlaces(node: unknown, path: Place = []): Place[] {
  if (typeof node !== "object" || node === null) return [path]
  return [path, ...Object.entries(node).flatMap(([key, item]) => listPlaces(item, [...path, key]))]
}

function replaceAt(node: unknown, [key, ...rest]: Place, replacement: unknown): unknown {
  if (key === undefined) return replacement
  if (Array.isArray(node))
    return node.map((item, at) => (String(at) === key ? replaceAt(item, rest, replacement) : item))
  if (typeof node !== "object" || node === null)
    return { [key]: replaceAt(null, rest, replacement) }
  const entries = Object.entries(node)
  const others = entries.filter(([name]) => name !== key)
  return Object.fromEntries([
    ...others,
    [key, replaceAt(new Map(entries).get(String(key)), rest, replacement)],
  ])
}

/** The PBKDF2 vector of the Web3 Secret Storage Definition, with fewer rounds. */
const KEYSTORE = {
  crypto: {
    cipher: "aes-128-ctr",
    cipherparams: { iv: "6087dab2f9fdbbfaddc31a909735c1e6" },
    ciphertext: "5318b4d5bcd28de64ee5559e671353e16f075ecae9f99c7a79a38af5f869aa46",
    kdf: "pbkdf2",
    kdfparams: { c: 2, dklen: 32, prf: "hmac-sha256", salt: "ae3cd4e7", n: 2, r: 1, p: 1 },
    mac: "517ead924a9d0dc3124507e3393d175ce3ff7c1e96529c6c555ce9e51205e9b2",
  },
  version: 3,
}

describe("a mutated keystore file", () => {
  const open = (text: string): void =>
    expect(
      onlyCoded(() => decodeKeystore(text, "secret-password"), /^config\.keystore$/, 8_000).ok,
    ).toBe(false)

  test("is refused with a code for every value in every place", () => {
    const odd = fc.oneof(
      value,
      fc.constantFrom("scrypt", "pbkdf2", "ab", "abc", "AB".repeat(16), 3, 16, 1024, 2 ** 31),
    )
    fc.assert(
      fc.property(
        fc.constantFrom(...listPlaces(KEYSTORE)),
        fc.constantFrom("scrypt", "pbkdf2"),
        odd,
        (place, kdf, to) => {
          const file = replaceAt({ ...KEYSTORE, crypto: { ...KEYSTORE.crypto, kdf } }, place, to)
          open(String(JSON.stringify(file)))
        },
      ),
      { numRuns: 300 },
    )
  })

  test("is refused quickly if opening it would take minutes", () => {
    for (const hard of [
      { n: 2 ** 20, r: 1, p: 64 },
      { n: 2 ** 19, r: 8, p: 64 },
    ]) {
      const kdfparams = { ...KEYSTORE.crypto.kdfparams, ...hard }
      open(
        JSON.stringify({ ...KEYSTORE, crypto: { ...KEYSTORE.crypto, kdf: "scrypt", kdfparams } }),
      )
    }
  }, 30_000)
})

/** A list of two times the list before it. */
function writeAliases(name: string, at: number): string {
  const before = "abcdefghij"[at]
  return `${name}: &${name} [*${before},*${before}]`
}
