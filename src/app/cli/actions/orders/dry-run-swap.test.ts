import { expect, test } from "vitest"
import { formatDryRun } from "./dry-run-swap.ts"

type Answer = Parameters<typeof formatDryRun>[0]

test("a dry run shows amounts in the assets' own units, and the cost as a share", () => {
  const answer = {
    ok: true,
    from: "bitcoin_testnet:btc",
    to: "base_sepolia:wbtc",
    amount: "0.001",
    mode: "live",
    serviceOrderId: null,
    refused: [],
    findings: [],
    needsApproval: false,
    intent: null,
    signatures: [],
    quote: {
      service: "main",
      solver: "be1f",
      sends: "0.001",
      receives: "0.000996",
      sendsFiat: "100",
      receivesFiat: "99.6",
      costBps: 40,
      estimatedSeconds: null,
    },
    deposit: { chain: "bitcoin_testnet", units: 100_000n },
    worstCase: null,
    unfinished: false,
  }
  // CAST: a dry run of the daemon, with fewer fields of the deposit.
  const text = formatDryRun(answer as unknown as Answer)
  expect(text).toMatch(/sends +0\.001 bitcoin_testnet:btc \(100 usd\)/)
  expect(text).toMatch(/receives +0\.000996 base_sepolia:wbtc \(99\.6 usd\)/)
  expect(text).toMatch(/cost +0\.40 %/)
  expect(text).toMatch(/amount +0\.001 bitcoin_testnet:btc, 100000 in its smallest unit/)
  expect(text).not.toMatch(/costBps|sendsFiat/)
})
