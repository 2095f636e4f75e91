import { expect, test } from "vitest"
import { AppError } from "#lib/app-error.ts"
import { Secret } from "#lib/secret.ts"
import { parseConfig } from "../load.ts"

const KEYS = ["one-secret-key", "other-secret-key"]

function problemsOf(chain: string): string {
  const text = `service: { url: "http://127.0.0.1:4400" }\nchains:\n  one: ${chain}\n`
  try {
    parseConfig(text, { file: "b.yaml", secrets: (reference) => new Secret("k", reference) })
    return ""
  } catch (error) {
    if (error instanceof AppError) return error.message
    throw error
  }
}

const evm = (rpc: readonly string[], more = "") =>
  `{ family: evm, chain_id: 1, rpc: ${JSON.stringify(rpc)}, key: "env:K"${more} }`

const SAME =
  "b.yaml:3:65: chains.one.rpc[1]: expected endpoints of different hosts, because one host " +
  "would agree with itself, found"

test.each([
  ["the same URL twice", ["http://a.example/", "http://a.example/"], `${SAME} a.example:80 again`],
  [
    "two keys of one provider",
    KEYS.map((key) => `https://a.example/v2/${key}`),
    `${SAME} a.example:443 again`,
  ],
  [
    "one host in two forms",
    ["https://A.example", "https://a.example.:443"],
    `${SAME} a.example:443 again`,
  ],
])("refuses %s, because one provider would agree with itself", (_name, rpc, expected) => {
  const found = problemsOf(evm(rpc))
  expect(found.replace(/3:\d+/, "3:65")).toContain(expected)
  for (const key of KEYS) expect(found).not.toContain(key)
})

test("refuses an Esplora server twice", () => {
  const urls = '["http://a.example/api", "http://a.example/testnet/api"]'
  expect(
    problemsOf(`{ family: bitcoin, network: regtest, esplora: ${urls}, key: "env:K" }`),
  ).toContain("chains.one.esplora[1]: expected endpoints of different hosts")
})

test("takes hosts that differ in name or port", () => {
  expect(
    problemsOf(evm(["http://a.example", "http://b.example", "http://a.example:81"], ", agree: 3")),
  ).toBe("")
})

test.each([
  [
    ["http://a.example", "http://b.example"],
    3,
    "expected at most 2, the number of this chain's endpoints, found 3",
  ],
  [["http://a.example"], 2, "expected at most 1, the number of this chain's endpoints, found 2"],
])(
  "refuses to wait for more answers than there are endpoints: %s, agree %s",
  (rpc, agree, expected) => {
    expect(problemsOf(evm(rpc, `, agree: ${agree}`))).toContain(`chains.one.agree: ${expected}`)
  },
)
