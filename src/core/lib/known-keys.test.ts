import { expect, test } from "vitest"
import { rememberKeys, rememberSecret } from "./known-keys.ts"
import { printable, printableFields, printableJson, printableLine } from "./printable.ts"

const KEY = "a1b2c3d4e5f6a7b8c9d0e1f2"

test("no output has the access keys of a URL that was configured", () => {
  expect(rememberKeys(`https://someone:password1@rpc.example/v2/${KEY}?token=${KEY}x`)).toBe(true)
  const text = `failed at /v2/${KEY} as someone:password1 with ${KEY}x`
  const expected = "failed at /v2/*** as someone:password1 with ***x"
  expect([printable(text), printableLine(text), printableFields({ deep: [text] })]).toEqual([
    expected,
    expected,
    { deep: [expected] },
  ])
  expect(printableJson(JSON.stringify({ text }))).toBe(JSON.stringify({ text: expected }))
})

test("names of networks and versions in a URL stay readable", () => {
  rememberKeys("https://node.example/arbitrum_sepolia/v1/some-network-testnet/api")
  const text = "arbitrum_sepolia v1 some-network-testnet api node.example"
  expect(printable(text)).toBe(text)
})

test("the login of any URL is hidden by its place", () => {
  const text = "postgres://ballast:x1@db.example/b and https://t:amount@a.example, a@b.example"
  expect(printable(text)).toBe("postgres://***@db.example/b and https://***@a.example, a@b.example")
})

test("a password that is a word of our answers, or a part of a transaction, changes no text", () => {
  rememberKeys("https://someone:amount@rpc.example/")
  rememberSecret("000000")
  const json = JSON.stringify({ amount: "1", bytes: "0x0200000001" })
  expect(printableJson(json)).toBe(json)
})

test("a reader who repeats a guess of a short password sees it again, right or wrong", () => {
  rememberSecret("hunter22")
  expect(printable("an order of hunter22 and hunter23")).toBe("an order of hunter22 and hunter23")
})

test("a text that is no URL has no keys", () => {
  expect(rememberKeys("not a URL")).toBe(false)
})
