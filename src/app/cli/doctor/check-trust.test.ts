import { expect, test } from "vitest"
import type { ChainConfig } from "#chains/chain-config.ts"
import { FINDING_KINDS } from "#config/judge/finding-kinds.ts"
import { checkTrust } from "./check-trust.ts"

// CAST: the family reads these keys alone for its trust.
const chain = {
  chain: "solana_testnet",
  family: "solana",
  rpc: ["http://127.0.0.1:1"],
} as unknown as ChainConfig

test("a chain with one endpoint is one finding, not two, whatever the words of the other", () => {
  const { code, sentence, step } = FINDING_KINDS.oneEndpoint
  const found = `solana_testnet: ${sentence} (${code})`
  expect(checkTrust(chain, [])).toMatchObject([
    { check: "solana_testnet trust", status: "warn", found, todo: step },
  ])
  expect(checkTrust(chain, [{ code, subjects: ["base", "solana_testnet"] }])).toEqual([])
  expect(checkTrust(chain, [{ code, subjects: ["other_testnet"] }])).toHaveLength(1)
  expect(
    checkTrust(chain, [{ code: "config.no_price", subjects: ["solana_testnet"] }]),
  ).toHaveLength(1)
})
