import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { runBallast } from "../support/e2e-cli.ts"
import { type E2eConfig, writeE2eConfig } from "../support/e2e-config.ts"
import { acceptSwap, waitForOutcome } from "../support/e2e-orders.ts"
import { startNetworkRecorder } from "../support/network-recorder.ts"
import { formsOf } from "../support/request-forms.ts"
import {
  type SandboxProcess,
  startDaemonProcess,
  startSandboxProcess,
  TOKEN,
} from "../support/sandbox-process.ts"

type Check = {
  readonly check: string
  readonly status: string
  readonly found: string
  readonly todo: string | null
}

let sandbox: SandboxProcess
let config: E2eConfig
beforeAll(async () => {
  sandbox = await startSandboxProcess()
  config = await writeE2eConfig(sandbox, "doctor")
}, 120_000)
afterAll(() => sandbox?.stop())

describe("ballast doctor", () => {
  test("finds no problem on a sandbox with every family", async () => {
    const { code, checks } = await doctor(config)
    expect(checks.filter(({ status }) => status === "fail")).toEqual([])
    expect(code).toBe(0)
    const ok = checks
      .filter(({ status }) => status === "ok")
      .map(({ check }) => check.split(" ")[0])
    expect(ok.filter((name) => name?.includes("_"))).toHaveLength(3 * 5 + 1)
    expect(ok).toEqual(
      expect.arrayContaining(["configuration", "service", "clock", "disk", "data_dir", "PM2"]),
    )
  })

  test(
    "reports a wrong chain, a silent service and a missing secret, each with its remedy, and " +
      "runs all further checks",
    async () => {
      const wrong = await writeE2eConfig(sandbox, "doctor-wrong", {
        service: { url: "http://127.0.0.1:1", timeout: "31s" },
        chains: { base_sepolia: { chain_id: 1 } },
        ops: { token: "env:NOWHERE" },
      })
      const { code, checks } = await doctor(wrong)
      expect(code).toBe(1)
      const failed = checks.filter(({ status }) => status === "fail")
      expect(failed.map(({ check }) => check.split(" ")[0])).toEqual([
        "configuration",
        "base_sepolia",
        "service",
      ])
      expect(failed.every(({ todo }) => todo !== null)).toBe(true)
      expect(failed[1]?.found).toContain("84532, not 1")
      expect(checks.find(({ check }) => check === "PM2")).toMatchObject({ status: "warn" })
    },
  )

  test("asks nodes and service nothing that the daemon does not ask them", async () => {
    const recorder = await startNetworkRecorder(sandbox)
    const { exchanges } = recorder
    try {
      const watched = await writeE2eConfig(recorder.sandbox, "doctor-watched")
      const daemon = startDaemonProcess(watched, { BALLAST_OPS_TOKEN: TOKEN })
      try {
        await daemon.ready()
        const ids = await Promise.all(SWAPS.map((swap) => acceptSwap(daemon, swap)))
        for (const id of ids) await waitForOutcome(daemon, id)
      } finally {
        await daemon.stop()
      }
      const asked = exchanges.length
      const known = formsOf(exchanges.slice(0, asked))
      await doctor(watched)
      const own = formsOf(exchanges.slice(asked))
      expect(own.size).toBeGreaterThan(20)
      const others = [...own].filter((form) => !known.has(form) && !isRare(form))
      expect(others).toEqual([])
    } finally {
      await recorder.stop()
    }
  })
})

/**
 * What doctor asks through the daemon's own port, and an order only in other cases than these: its
 * HTLC is not shown, its contract is pinned, or some accounts are read in one turn.
 */
const RARE = [
  "eth_getLogs",
  "starknet_getEvents",
  "getFirstAvailableBlock",
  "eth_getStorageAt",
  "starknet_getStorageAt",
  "getMultipleAccounts",
]

function isRare(form: string): boolean {
  return RARE.includes(form.split(" ")[0] ?? "")
}

/** Each family is the source and the destination of one. */
const SWAPS = [
  { from: "bitcoin_testnet:btc", to: "base_sepolia:eth", amount: "0.001" },
  { from: "base_sepolia:eth", to: "solana_testnet:sol", amount: "0.02" },
  { from: "solana_testnet:sol", to: "starknet_sepolia:strk", amount: "1" },
  { from: "starknet_sepolia:wbtc", to: "bitcoin_testnet:btc", amount: "0.00115" },
] as const

async function doctor({
  file,
  env,
}: E2eConfig): Promise<{ code: number | string; checks: Check[] }> {
  const { code, stdout } = await runBallast(["doctor", "--config", file, "--json"], { env })
  return { code, checks: JSON.parse(stdout).checks }
}
