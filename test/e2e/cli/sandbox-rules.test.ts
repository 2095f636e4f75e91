import { expect, test } from "vitest"
import { runBallast } from "../../support/e2e-cli.ts"

/** The balances that the sandbox's faucet gives. */
const FUNDED = [
  "bitcoin_testnet:btc=1",
  "base_sepolia:wbtc=1",
  "base_sepolia:eth=100",
  "ethereum_sepolia:wbtc=1",
  "solana_testnet:sol=100",
  "solana_testnet:usdc=100000",
  "starknet_sepolia:wbtc=1",
].join(",")

type Run = {
  completed: number
  rejected: { rule: string; code: string }[]
  refused: { rule: string; code: string }[]
  assets: { asset: string; lowestUnits: string }[]
}

test("the sandbox's rules swap for two days without emptying a wallet, and show a band, an " +
  "approval and a refusal", {
  timeout: 180_000,
}, async () => {
  const args = [
    "simulate",
    "--sandbox",
    "--days",
    "2",
    "--seeds",
    "2",
    "--balances",
    FUNDED,
    "--json",
  ]
  const { stdout, stderr } = await runBallast(args, { timeoutMs: 170_000 })
  expect(stdout, stderr).not.toBe("")
  const { subjects } = JSON.parse(stdout) as { subjects: { runs: Run[] }[] }
  const runs = subjects[0]?.runs ?? []
  expect(runs).toHaveLength(2)
  for (const { completed, refused, rejected, assets } of runs) {
    // 720 swaps a day, and a band that replaces their coins.
    expect(completed).toBeGreaterThan(1_000)
    for (const { asset, lowestUnits } of assets)
      expect(BigInt(lowestUnits), asset).toBeGreaterThan(0n)
    expect(rejected).toContainEqual(
      expect.objectContaining({ rule: "needs-approval", code: "approval.expired" }),
    )
    expect(refused).toContainEqual(
      expect.objectContaining({ rule: "refused", code: "limit.order" }),
    )
    expect(refused.filter(({ code }) => code === "paused")).toEqual([])
  }
})
