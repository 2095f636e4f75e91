import { expect, test } from "vitest"
import { AppError } from "#lib/app-error.ts"
import { Secret } from "#lib/secret.ts"
import type { Config } from "./config.ts"
import { parseConfig } from "./load.ts"

const BASE = `service: { url: "http://127.0.0.1:4400" }
chains:
  bitcoin_testnet: { family: bitcoin, network: regtest, esplora: ["http://127.0.0.1:4401"],
      key: "env:BITCOIN_WIF" }
assets:
  bitcoin_testnet:btc: { decimals: 8 }
`
const TEXTS: Readonly<Record<string, string>> = {
  "env:SHORT": "x".repeat(15),
  "env:SPACED": `${"x".repeat(16)} y`,
  "env:NONE": "",
}

function parse(text: string): Config {
  const secrets = (reference: string): Secret =>
    new Secret(TEXTS[reference] ?? "x".repeat(16), reference)
  return parseConfig(text, { file: "b.yaml", secrets })
}

test.each([
  [
    "a short token",
    `${BASE}ops: { token: "env:SHORT" }`,
    "ops.token: expected a token of at least 16 characters, found 15; make one with " +
      "`ballast wallet random FILE`",
  ],
  [
    "a short named token",
    `${BASE}ops: { tokens: [{ name: a, token: "env:SHORT", scopes: [read] }] }`,
    "ops.tokens[0].token: expected a token of at least 16 characters, found 15",
  ],
  [
    "a second token of one name",
    `${BASE}ops: { tokens: [{ name: a, token: "env:TOKEN", scopes: [read] }, { name: a, ` +
      `token: "env:TOKEN", scopes: [read] }] }`,
    "ops.tokens[1].name: expected a name of its own, found a twice",
  ],
  [
    "a token without scopes",
    `${BASE}ops: { tokens: [{ name: a, token: "env:TOKEN", scopes: [] }] }`,
    "ops.tokens[0].scopes: expected a list of read, operate and approve",
  ],
  [
    "an unknown scope",
    `${BASE}ops: { tokens: [{ name: a, token: "env:TOKEN", scopes: [write] }] }`,
    "ops.tokens[0].scopes[0]: expected read or operate or approve",
  ],
  [
    "a token with a space",
    `${BASE}ops: { token: "env:SPACED" }`,
    "ops.token: expected a token of printable ASCII without spaces",
  ],
])("%s is refused", (_name, text, expected) => {
  let found = ""
  try {
    parse(text)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    expect(error).toMatchObject({ code: "config.invalid", disposition: "fatal" })
    found = error.message
  }
  expect(found).toContain(expected)
})

test("tokens, TLS and names are read", () => {
  const { ops } = parse(`${BASE}ops:
  listen: "[::]:7071"
  tokens: [{ name: grafana, token: "env:A", scopes: [read] }]
  tls: { cert: "file:cert.pem", key: "file:key.pem" }
  hosts: [Ballast.example]
`)
  expect(ops).toMatchObject({
    listen: { host: "::", port: 7071, loopback: false },
    token: null,
    tokens: [{ name: "grafana", scopes: ["read"] }],
    hosts: ["ballast.example"],
  })
  expect(ops.tls?.key.reference).toBe("file:key.pem")
})

test("a command that needs no token opens a file whose token is absent", () => {
  expect(parse(`${BASE}ops: { token: "env:NONE" }`).ops.token?.reference).toBe("env:NONE")
})
