import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { judgeAccounts } from "#config/judge/judge-twins.ts"
import { parseConfig } from "#config/load.ts"
import { readConfigText } from "#config/read-config-text.ts"
import { readYamlSource } from "#config/yaml-source.ts"
import { toChainId } from "#domain/asset.ts"
import { describeForm, Secret } from "#lib/secret.ts"

/** The example of EIP-55, and the same with a slip in its last digit. */
const SOUND = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
const SLIPPED = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAee"
const TOKEN = "0x1111111111111111111111111111111111111111"
const TOKENS: Readonly<Record<string, string>> = {
  "env:A": "token-of-the-first-person",
  "env:B": "token-of-the-first-person",
  "env:C": "token-of-the-third-person",
}

function read(more: string, { token = TOKEN, url = "http://127.0.0.1:4400" } = {}): string {
  const text = `service: { url: "${url}" }
chains:
  base_sepolia: { family: evm, chain_id: 84532, rpc: ["http://127.0.0.1:8545"], key: "env:KEY"${
    more.startsWith(",") ? more : ""
  } }
assets:
  base_sepolia:usdc: { decimals: 6, token: "${token}" }
${more.startsWith(",") ? "" : more}`
  const secrets = (reference: string): Secret =>
    new Secret(TOKENS[reference] ?? `0x${"12".repeat(32)}`, reference)
  try {
    parseConfig(text, { file: "b.yaml", secrets })
    return ""
  } catch (error) {
    return String(error)
  }
}

test.each([
  ["a slip in an address", read("", { token: SLIPPED }), /usdc.token: .*a slip in it; copy it/],
  [
    "a payee with a slip",
    read(`guards: { payees: { cold: "${SLIPPED}" } }`),
    /payees.cold: .*slip/,
  ],
  ["a contract as a payee", read(`guards: { destinations: ["${TOKEN}"] }`), /a contract of base/],
  ["the version twice", read("", { url: "https://swap.example/v2/" }), /without \/v2, which path/],
  ["depths in the wrong order", read(", finality: { seen: 9, reveal: 2 }"), /depth of seen \(9\)/],
  [
    "one token for two people",
    read(
      'ops: { tokens: [{ name: a, token: "env:A", scopes: [read] }, ' +
        '{ name: b, token: "env:B", scopes: [read] }] }',
    ),
    /tokens\[1\].token: expected a token of its own, found that of ops.tokens\[0\].token/,
  ],
])("%s is refused", (_what, found, words) => expect(found).toMatch(words))

test.each([
  ["an address with its checksum", read("", { token: SOUND })],
  ["an address without one", read("", { token: SLIPPED.toLowerCase() })],
  ["a wallet as a payee", read(`guards: { destinations: ["${SOUND}"] }`)],
  ["the version once", read("", { url: "https://swap.example/api" })],
  ["depths in order", read(", finality: { seen: 1, reveal: 2, ending: 2 }")],
  [
    "two tokens",
    read(
      'ops: { tokens: [{ name: a, token: "env:A", scopes: [read] }, ' +
        '{ name: c, token: "env:C", scopes: [read] }] }',
    ),
  ],
])("%s is taken", (_what, found) => expect(found).toBe(""))

test.each([
  ["a: 1\n---\nb: 2\n", /a second document starts here/],
  ["a: 1\n<<<<<<< HEAD\nb: 2\n=======\nb: 3\n>>>>>>> x\n", /a merge that is not finished/],
])("%j is no configuration", (text, words) => {
  expect(readYamlSource(text, "b.yaml").problems[0]?.message).toMatch(words)
})

test("a file of UTF-16 is named, with and without its mark", () => {
  const file = join(mkdtempSync(join(tmpdir(), "ballast-slips-")), "b.yaml")
  for (const text of ["\ufeffmode: live", "mode: live"]) {
    writeFileSync(file, Buffer.from(text, "utf16le"))
    expect(() => readConfigText(file)).toThrow(/UTF-16 or no text; save it as UTF-8/)
  }
  writeFileSync(file, Buffer.alloc(200))
  expect(() => readConfigText(file)).toThrow(/has zero bytes .*; put it back from a backup/)
  writeFileSync(file, "mode: live")
  expect(readConfigText(file)).toBe("mode: live")
})

test.each([
  [`"0x12"`, " (it stands in quotes: remove them)"],
  ["“0x12”", " (it stands in quotes: remove them)"],
  ["0\u0000x\u0000", " (it is UTF-16: save it as UTF-8)"],
  ['{"version":3,"crypto":{}}', " (it is a keystore: write keystore: in place of file:)"],
  ["-----BEGIN EC PRIVATE KEY-----", " (it is a PEM file)"],
  [SOUND, " (it is an address)"],
  [`${"test ".repeat(11)}junk`, " (it has the words of a mnemonic, not a key)"],
  ["0x12", ""],
])("the form of %j is described", (text, words) => {
  expect(describeForm(new Secret(text, "env:KEY"))).toBe(words)
})

test.each([
  [8453, ["config.public_key"]],
  [84_532, []],
])("a published key on chain %d gives %j", (chainId, codes) => {
  const chain = toChainId("one")
  const secrets = (reference: string): Secret => new Secret("", reference)
  const text = `service: { url: "http://127.0.0.1:4400" }
mode: observe
chains: { one: { family: evm, chain_id: ${chainId}, rpc: ["http://127.0.0.1:1"], key: "env:K" } }
assets: { "one:eth": { decimals: 18 } }`
  const { chains } = parseConfig(text, { file: "b.yaml", secrets })
  const accounts = new Map([[chain, "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"]])
  expect(judgeAccounts(chains, accounts).map(({ code }) => code)).toEqual(codes)
})
