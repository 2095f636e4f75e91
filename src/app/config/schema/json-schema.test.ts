import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { Secret } from "#lib/secret.ts"
import { configHash } from "../hash.ts"
import { parseConfig } from "../load.ts"
import { formatJsonSchema } from "./json-schema.ts"

const read = (name: string): string =>
  readFileSync(new URL(`../../../../config/${name}`, import.meta.url), "utf8")
const parse = (text: string, key = "k") =>
  parseConfig(text, {
    file: "config.yaml",
    // In base64, as the key of a webhook.
    secrets: (reference) =>
      new Secret(Buffer.from(`${key}${reference}`.padEnd(16, "k")).toString("base64"), reference),
  })

test("config/ballast.schema.json is up to date (npm run generate)", () => {
  expect(read("ballast.schema.json")).toBe(formatJsonSchema())
})

test.each(["example.yaml", "sandbox.yaml"])("config/%s is valid", (name) => {
  expect(parse(read(name)).chains.length).toBeGreaterThan(3)
})

test("the example shows every key", () => {
  const example = read("example.yaml")
  const keys = [...formatJsonSchema().matchAll(/"([a-z_]+)": \{/g)].map((match) => match[1] ?? "")
  const schemaWords = new Set([
    "properties",
    "items",
    "additionalProperties",
    "default",
    "propertyNames",
  ])
  const missing = [...new Set(keys)].filter(
    (key) => !schemaWords.has(key) && !new RegExp(`\\b${key}:`).test(example),
  )
  expect(missing).toEqual([])
})

test("every key of the schema has a description", () => {
  const undescribed: string[] = []
  const walk = (node: unknown, path: string): void => {
    if (typeof node !== "object" || node === null) return
    for (const [key, child] of Object.entries(node)) {
      if (key === "properties") checkAll(child, path)
      if (key !== "default") walk(child, `${path}/${key}`)
    }
  }
  const checkAll = (properties: unknown, path: string): void => {
    if (typeof properties !== "object" || properties === null) return
    for (const [name, value] of Object.entries(properties)) {
      const described = typeof value === "object" && value !== null && "description" in value
      if (!described) undescribed.push(`${path}/${name}`)
    }
  }
  walk(JSON.parse(formatJsonSchema()), "")
  expect(undescribed).toEqual([])
})

test("the hash depends on the values, not on spelling, order of keys, or secrets", () => {
  const block =
    'service:\n  timeout: 10s\n  url: "http://x"\nguards: { max_cost: "1%" }\nmode: live\n'
  const flow = '{ mode: live, service: { url: "http://x/" }, guards: { max_cost: "100bps" } }'
  expect(configHash(parse(flow))).toBe(configHash(parse(block)))
  expect(configHash(parse(`${block}data_dir: /tmp/x\n`))).not.toBe(configHash(parse(block)))
  const assets = (ids: readonly string[]): string =>
    `${block}  # an own-unit limit has one entry for each asset\nchains: { a: { family: ` +
    `bitcoin, network: regtest, esplora: ["http://x"], key: "env:K" } }\nassets: { ` +
    `${ids.map((id) => `"a:${id}": { decimals: 8 }`).join(", ")} }\n`
  const limited = (text: string): string => text.replace('max_cost: "1%"', 'max_order: "0.5"')
  expect(configHash(parse(limited(assets(["x", "y"]))))).toBe(
    configHash(parse(limited(assets(["y", "x"])))),
  )
  const example = read("example.yaml").replace("env:SERVICE_APP_ID", "plain")
  expect(configHash(parse(example, "a"))).toBe(configHash(parse(example, "b")))
})
