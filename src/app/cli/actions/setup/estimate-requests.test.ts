import { expect, test } from "vitest"
import { parseConfig } from "#config/load.ts"
import { Secret } from "#lib/secret.ts"
import { estimateRequests } from "./estimate-requests.ts"

function read(more: string): ReturnType<typeof parseConfig> {
  const asset = `{ htlc: ["0x0000000000000000000000000000000000000001"], decimals: 18 }`
  return parseConfig(
    `{ service: { url: "http://127.0.0.1:1", app_id: x }, data_dir: ./d,
       assets: { "base_sepolia:eth": ${asset} },
       chains: {
         base_sepolia: { family: evm, chain_id: 84532, rpc: ["http://127.0.0.1:1"],
           key: "env:NONE" },
         other: { family: evm, chain_id: 1, rpc: ["http://127.0.0.1:2"],
           key: "env:NONE" } }, ${more} }`,
    { file: "test.yaml", secrets: (reference) => new Secret("", reference) },
  )
}

test("a day's requests are two looks a minute, and each reading of the balances", () => {
  const rules = "rules: []"
  expect(estimateRequests(read(`${rules}, books: { reconcile_every: 24h }`), "other")).toBe(2_900)
  // 2 880, and 288 times the newest block twice and one asset.
  expect(estimateRequests(read(`${rules}, books: { reconcile_every: 5m }`), "base_sepolia")).toBe(
    4_100,
  )
})
