import { expect, test } from "vitest"
import type { ChainConfig } from "#chains/chain-config.ts"
import { familyOf } from "#chains/families.ts"
import { findTrustGap } from "#daemon/trust-gap.ts"
import { checkTrust } from "./check-trust.ts"

// CAST: the family reads these keys alone for its trust.
const chain = { chain: "solana_testnet", family: "solana", rpc: ["http://127.0.0.1:1"] } as unknown as ChainConfig

test("a chain with one endpoint is one finding, not two", () => {
  const gap = findTrustGap("solana_testnet", familyOf(chain).describeTrust(chain)) ?? ""
  expect(gap).toContain("one endpoint")
  expect(checkTrust(chain, [])).toMatchObject([{ check: "solana_testnet trust", status: "warn", found: gap }])
  expect(checkTrust(chain, [{ message: gap }])).toEqual([])
  expect(checkTrust(chain, [{ message: gap.replace("solana", "other") }])).toHaveLength(1)
})
