import { tmpdir } from "node:os"
import { expect, test } from "vitest"
import { parseConfig } from "#config/load.ts"
import { createSecretLookup } from "#config/secrets/secrets.ts"
import { readOverview } from "#daemon/views/read-overview.ts"
import { parseAssetId } from "#domain/asset.ts"
import { openJournal } from "#journal/sqlite-journal.ts"
import { encodeJson } from "#lib/json.ts"
import type { Journal } from "#ports/journal.ts"

const NOW = Date.parse("2026-03-04T09:30:00Z")
const [WBTC, ETH] = ["base_sepolia:wbtc", "base_sepolia:eth"].map(parseAssetId) as [
  ReturnType<typeof parseAssetId>,
  ReturnType<typeof parseAssetId>,
]
const CONFIG = `
service: { url: "http://127.0.0.1:1" }
chains:
  base_sepolia: { family: evm, chain_id: 84532, rpc: ["http://127.0.0.1:1"], key: "env:K" }
assets:
  base_sepolia:eth: { decimals: 18, htlc: ["0x00000000000000000000000000000000000000aa"] }
  base_sepolia:wbtc: { decimals: 8, token: "0x00000000000000000000000000000000000000bb",
      htlc: ["0x00000000000000000000000000000000000000cc"] }
rules:
  - { id: hot, kind: band, asset: "base_sepolia:wbtc", min: "1", target: "2", max: "3",
      sources: ["base_sepolia:eth"], every: 20s }
guards: { max_order: "1" }
`
const config = parseConfig(CONFIG, {
  file: "ballast.yaml",
  secrets: createSecretLookup({ K: "k" }, tmpdir()),
})

function compare(journal: Journal, asset: typeof WBTC, chainUnits: bigint, atMs: number): void {
  const shared = { ledgerUnits: chainUnits, chainUnits, sinceMs: atMs, alarmedUnits: null }
  journal.saveReconciliation({ asset, atMs, state: "agrees", ...shared })
}

function decide(
  journal: Journal,
  atMs: number,
  readable: boolean,
  spendableUnits: bigint,
  rule = "hot",
): void {
  const read = {
    readable: true,
    spendableUnits,
    inFlightInUnits: 0n,
    inFlightOutUnits: 0n,
    floorUnits: 0n,
  }
  const balance = readable ? read : { readable: false, cause: { code: "x", message: "x" } }
  const assets = (rule === "hot" ? [WBTC, ETH] : [ETH]).map((id) => ({
    id,
    decimals: 8,
    balance,
    priceFiat: null,
  }))
  const inputs = encodeJson({
    version: 1,
    view: { assets, pairs: [] },
    rules: [],
    limits: {},
    due: [],
  })
  const body = encodeJson({
    version: 1,
    occurrence: null,
    outcomes: [],
    decided: { proposals: [], reasons: [], plan: null },
  })
  journal.recordDecision({
    id: `${rule}@${atMs}`,
    atMs,
    rule,
    verdict: "declined",
    body,
    inputs,
    configHash: null,
  })
}

function readHolding(
  journal: Journal,
  asset: string,
): { amount: string | null; readAt: string | null } | undefined {
  const daemon = { answers: true, pid: 1, startedAtMs: NOW, version: "1", waitsFor: [] }
  const overview = readOverview({
    journal,
    nowMs: NOW,
    dataDir: tmpdir(),
    config,
    daemon,
    live: null,
  })
  return overview.treasury.find((one) => one.asset === asset)
}

const at = (ms: number): string => new Date(ms).toISOString()

test(
  "a band is shown against the balance that its rule has just read, not against one of minutes " +
    "ago",
  () => {
    const journal = openJournal(":memory:")
    compare(journal, WBTC, 50_000_000n, NOW - 540_000)
    compare(journal, ETH, 7n * 10n ** 18n, NOW - 540_000)
    expect(readHolding(journal, WBTC)).toMatchObject({ amount: "0.5", readAt: at(NOW - 540_000) })
    decide(journal, NOW - 20_000, true, 200_000_000n)
    expect(readHolding(journal, WBTC)).toMatchObject({ amount: "2", readAt: at(NOW - 20_000) })
    decide(journal, NOW - 15_000, true, 1n, "weekly")
    expect(
      readHolding(journal, WBTC),
      "the decision of another rule read other assets",
    ).toMatchObject({ amount: "2" })
    // No band is about the coin, and its spendable part is not the whole balance.
    expect(readHolding(journal, ETH)).toMatchObject({ amount: "7", readAt: at(NOW - 540_000) })
    compare(journal, WBTC, 210_000_000n, NOW - 10_000)
    expect(readHolding(journal, WBTC)).toMatchObject({ amount: "2.1", readAt: at(NOW - 10_000) })
    decide(journal, NOW - 5_000, false, 0n)
    expect(readHolding(journal, WBTC), "a failed read is no balance").toMatchObject({
      amount: "2.1",
    })
    journal.close()
  },
)
