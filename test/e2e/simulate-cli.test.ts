import { mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { runBallast } from "../support/e2e-cli.ts"

/** The key does not exist, because a trial of a policy needs no keys. */
const CONFIG = `
service: { url: "http://127.0.0.1:1", app_id: "env:NOWHERE_ID" }
data_dir: /nowhere/at/all
chains:
  bitcoin_testnet: { family: bitcoin, network: regtest, esplora: ["http://127.0.0.1:1"],
      key: "env:NOWHERE" }
  base_sepolia: { family: evm, chain_id: 84532, rpc: ["http://127.0.0.1:1"], key: "env:NOWHERE" }
assets:
  bitcoin_testnet:btc: { decimals: 8 }
  base_sepolia:wbtc: { decimals: 8, token: "0x1111111111111111111111111111111111111111",
      htlc: ["0x2222222222222222222222222222222222222222"] }
rules:
  - { id: wbtc, kind: band, asset: "base_sepolia:wbtc", min: "MIN", target: "1", max: "2",
      sources: ["bitcoin_testnet:btc"], sinks: ["bitcoin_testnet:btc"], every: 1h }
`

const dir = mkdtempSync(join(tmpdir(), "simulate-"))
const path = (name: string): string => join(dir, name)
writeFileSync(path("narrow.yaml"), CONFIG.replace("MIN", "0.9"))
writeFileSync(path("wide.yaml"), CONFIG.replace("MIN", "0.1"))
const RUN = ["simulate", "--config", path("narrow.yaml"), "--days", "20", "--seeds", "3"]

describe("ballast simulate", () => {
  test("needs no keys, and prints the same bytes for the same seeds", async () => {
    const once = await runBallast([...RUN, "--json"])
    const again = await runBallast([...RUN, "--json"])
    const other = await runBallast([...RUN, "--seed", "2", "--json"])
    expect(once).toMatchObject({ code: 0, stderr: "" })
    expect(again.stdout).toBe(once.stdout)
    expect(other.stdout).not.toBe(once.stdout)
    expect(JSON.parse(once.stdout)).toMatchObject({
      seeds: { first: 1, count: 3 },
      subjects: [{ runs: [{}, {}, {}] }],
    })
  })

  test("ends within a time where the rules look each second, and says so", async () => {
    writeFileSync(path("hasty.yaml"), CONFIG.replace("MIN", "0.9").replace("1h", "1s"))
    const asked = ["--config", path("hasty.yaml"), "--days", "365", "--within", "4"]
    const run = await runBallast(["simulate", ...asked])
    expect(run).toMatchObject({ code: 0, stderr: expect.stringContaining("look too often") })
    const days = Number(/^(\d+) days from/.exec(run.stdout)?.[1])
    expect(days).toBeGreaterThanOrEqual(1)
    expect(days).toBeLessThan(365)
  })

  test("compares two policies, and draws them", async () => {
    const plot = path("plot.svg")
    const run = await runBallast([...RUN, "--against", path("wide.yaml"), "--plot", plot])
    expect(run.code).toBe(0)
    expect(run.stdout).toContain(`${path("wide.yaml")} less ${path("narrow.yaml")}`)
    expect(run.stdout).toContain("time below, wbtc")
    const svg = readFileSync(plot, "utf8")
    expect(svg.startsWith("<svg")).toBe(true)
    // Two balances for each policy, then the costs and the swaps of both.
    expect(svg.match(/class="line-a"/g)).toHaveLength(4)
    expect(svg).toMatch(/Cost of 20 days in 3 runs[\s\S]*When the middle run would swap in 20 days/)
    expect(svg).not.toContain("NaN")
  })

  test("replays recorded flows, and names an invalid line", async () => {
    const flows = path("flows.csv")
    writeFileSync(flows, "time,asset,amount\n2026-05-04T03:00:00Z,base_sepolia:wbtc,-0.5\n")
    const good = await runBallast([...RUN, "--flows", flows, "--json"])
    const body = JSON.parse(good.stdout)
    expect(body.scenario).toMatchObject({ startMs: Date.UTC(2026, 4, 4), days: 20 })
    expect(body.subjects[0].runs[0]).toMatchObject({ moves: 1 })
    writeFileSync(flows, "time,asset,amount\n2026-05-04T03:00:00Z,base_sepolia:wbtc,half\n")
    const bad = await runBallast([...RUN, "--flows", flows])
    expect(bad).toMatchObject({ code: 78, stdout: "" })
    expect(bad.stderr).toContain(`${flows}:2:`)
    expect(bad.stderr).toContain("[simulate.record]")
  })

  test("refuses invalid options", async () => {
    expect(await runBallast([...RUN, "--seeds", "none"])).toMatchObject({ code: 64 })
    expect(await runBallast([...RUN, "--balances", "nowhere:btc=1"])).toMatchObject({ code: 64 })
    expect(await runBallast([...RUN, "--scenario", path("missing.yaml")])).toMatchObject({
      code: 78,
    })
  })
})
