import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { SANDBOX_WALLETS } from "../../src/lab/sandbox/sandbox-wallets.ts"
import { chainOf, readBalances } from "../support/e2e-chain.ts"
import { type CliResult, runBallast } from "../support/e2e-cli.ts"
import { type E2eConfig, writeE2eConfig } from "../support/e2e-config.ts"
import { readBalance } from "../support/read-balance.ts"
import {
  bareEnvironment,
  type DaemonProcess,
  LAUNCHER,
  type SandboxProcess,
  startDaemonProcess,
  startSandboxProcess,
  stopAll,
} from "../support/sandbox-process.ts"

const SCRIPT = "/usr/bin/script"
const FROM = "base_sepolia:wbtc"
const TO = "ethereum_sepolia:wbtc"

describe("the commands of an operator beside a running daemon", () => {
  let sandbox: SandboxProcess
  let config: E2eConfig
  let daemon: DaemonProcess
  let swapped: Record<string, unknown>

  beforeAll(async () => {
    sandbox = await startSandboxProcess(["--chains", "base_sepolia,ethereum_sepolia"])
    config = await writeE2eConfig(sandbox, "cli")
    daemon = startDaemonProcess(config)
    await daemon.ready()
    const before = await readBalances(sandbox)
    swapped = await readJson("swap", FROM, TO, "0.00111", "--wait")
    const after = await readBalances(sandbox)
    expect((before[FROM] ?? 0n) - (after[FROM] ?? 0n)).toBe(111_000n)
    expect((after[TO] ?? 0n) - (before[TO] ?? 0n)).toBe(
      BigInt(String(swapped["destinationAmountUnits"])),
    )
  }, 90_000)
  afterAll(() => stopAll(daemon, sandbox))

  test("swap --wait ends with the completed order", () => {
    expect(swapped).toMatchObject({ from: FROM, to: TO, amount: "0.00111", outcome: "completed" })
  })

  test("swap --to-amount pays exactly, and never sells more than --max-amount", {
    timeout: 60_000,
  }, async () => {
    const before = await readBalances(sandbox)
    const exact = ["swap", FROM, TO, "--to-amount", "0.001"]
    const refused = await ballast(...exact, "--max-amount", "0.001", "--json")
    expect(JSON.parse(refused.stdout)).toMatchObject({ reasons: [{ code: "quote.above_most" }] })
    const order = await readJson(...exact, "--max-amount", "0.00103", "--wait")
    const after = await readBalances(sandbox)
    expect(order).toMatchObject({ outcome: "completed", destinationAmountUnits: "100000" })
    expect((after[TO] ?? 0n) - (before[TO] ?? 0n)).toBe(100_000n)
    const sold = (before[FROM] ?? 0n) - (after[FROM] ?? 0n)
    expect(sold).toBe(BigInt(String(order["amountUnits"])))
    expect(sold).toBeLessThanOrEqual(103_000n)
  })

  test("orders lists the order, as JSON and as text", async () => {
    const { orders } = await readJson("orders")
    expect(orders).toMatchObject([
      { destinationAmount: "0.001", state: "completed" },
      { id: swapped["id"], state: "completed", rule: "manual" },
    ])
    expect((await ballast("orders")).stdout).toContain(String(swapped["id"]))
  })

  test("order shows the events of the order, also for the beginning of its id", async () => {
    const order = await readJson("order", String(swapped["id"]))
    expect(order).toMatchObject({
      id: swapped["id"],
      state: "completed",
      seen: { destinationRedeemed: { final: true } },
    })
    const { stdout } = await ballast("order", String(swapped["id"]).slice(0, 8))
    expect(stdout).toContain(`Order ${String(swapped["id"])} (manual)`)
    expect(stdout).toMatch(/order\.observed +→ completed/)
  })

  test("balances equal the balances of the nodes", async () => {
    const { balances } = await readJson("balances")
    const units = (await readBalance(chainOf(sandbox, FROM), FROM)).toString()
    expect(balances).toContainEqual(
      expect.objectContaining({ asset: FROM, amountUnits: units, error: null }),
    )
    expect((await ballast("balances")).stdout).toContain(TO)
  })

  test("wallet names the addresses to fund", async () => {
    const account = SANDBOX_WALLETS.evm
    expect(await readJson("wallet")).toEqual({
      wallets: [
        { chain: "base_sepolia", family: "evm", account, playKey: true },
        { chain: "ethereum_sepolia", family: "evm", account, playKey: true },
      ],
    })
  })

  test("check reports a valid configuration", async () => {
    expect(await readJson("check")).toMatchObject({ ok: true, file: config.file, mode: "live" })
    expect((await ballast("check")).stdout).toContain(`${config.file} is in order`)
  })

  test("swap without --wait prints the order and returns at once", async () => {
    const { code, stdout } = await ballast("swap", FROM, TO, "0.00113")
    expect(code).toBe(0)
    expect(stdout).toMatch(/^accepted as [0-9a-f]{32}; follow it with: ballast order/)
  })

  test("a swap is refused while paused and accepted after resume", {
    timeout: 60_000,
  }, async () => {
    expect(await readJson("pause")).toMatchObject({ paused: true })
    const refused = await ballast("swap", FROM, TO, "0.00112", "--json")
    expect(refused.code).toBe(1)
    expect(JSON.parse(refused.stdout)).toMatchObject({ reasons: [{ code: "paused" }] })
    expect((await ballast("swap", FROM, TO, "0.00112")).stderr).toContain("[paused]")
    expect(await readJson("resume")).toMatchObject({ paused: false })
    expect(await readJson("swap", FROM, TO, "0.00112", "--wait")).toMatchObject({
      outcome: "completed",
    })
  })

  test("a pause of one chain refuses only swaps from that chain", { timeout: 60_000 }, async () => {
    expect((await ballast("pause", "--chain", "base_sepolia")).code).toBe(0)
    expect((await ballast("swap", FROM, TO, "0.00114")).code).toBe(1)
    expect((await ballast("swap", TO, FROM, "0.00114")).code).toBe(0)
    expect((await ballast("resume", "--chain", "base_sepolia")).code).toBe(0)
    expect((await ballast("swap", FROM, TO, "0.00115")).code).toBe(0)
  })

  test("a pause persists over a restart", { timeout: 60_000 }, async () => {
    expect((await ballast("pause")).code).toBe(0)
    await daemon.stop()
    daemon = startDaemonProcess(config)
    await daemon.ready()
    expect((await ballast("swap", FROM, TO, "0.00116")).code).toBe(1)
    expect((await ballast("resume")).code).toBe(0)
    expect((await ballast("swap", FROM, TO, "0.00116")).code).toBe(0)
  })

  /** `script` of util-linux gives the command a real terminal, as a person has it. */
  test.skipIf(!existsSync(SCRIPT))(
    "on a terminal a swap shows the quote and the worst case, and asks",
    { timeout: 60_000 },
    async () => {
      const count = async (): Promise<number> =>
        ((await readJson("orders"))["orders"] as unknown[]).length
      const before = await count()
      const declined = await runOnTerminal(`swap ${FROM} ${TO} 0.00117`, "n\n")
      expect(declined.output).toMatch(/sends {5}0\.00117 base_sepolia:wbtc/)
      expect(declined.output).toMatch(/guards {4}accepted/)
      expect(declined.output).toContain(
        "worst     No solver fills the order: 0.00117 base_sepolia:wbtc stay locked",
      )
      expect(declined.output).toContain("[cli.not_confirmed]")
      expect(declined.code).toBe(1)
      expect(await count()).toBe(before)
      const accepted = await runOnTerminal(`swap ${FROM} ${TO} 0.00117 --wait`, "y\n")
      expect(accepted.output).toMatch(/funded: in the source HTLC/)
      expect(accepted.output).toMatch(/deposit {2}0x[0-9a-f]{64}/)
      expect(accepted.output).toMatch(/[0-9a-f]{32} completed/)
      expect(accepted.output).not.toContain("null")
      expect(await count()).toBe(before + 1)
      const followed = await runOnTerminal(`swap ${FROM} ${TO} 0.00118`, "y\n")
      expect(followed.output).toMatch(/accepted as [0-9a-f]{32}; Ctrl-C ends this view/)
      expect(followed.output).toMatch(/funded: in the source HTLC/)
      expect(followed.output).toMatch(/[0-9a-f]{32} completed: 0\.\d+ \S+ for 0\.00118 /)
      expect(followed.code).toBe(0)
    },
  )

  function runOnTerminal(
    command: string,
    typed: string,
  ): Promise<{ code: number | null; output: string }> {
    const line = `${process.execPath} ${LAUNCHER} ${command} --config ${config.file}`
    const child = spawn(SCRIPT, ["-qec", line, "/dev/null"], {
      env: bareEnvironment({ ...config.env, TERM: "xterm" }),
    })
    let output = ""
    child.stdout.on("data", (chunk: Buffer) => {
      const asked = output.includes("[y/N]")
      output += chunk.toString()
      if (!asked && output.includes("[y/N]")) child.stdin.write(typed)
    })
    return new Promise((resolve) => child.once("close", (code) => resolve({ code, output })))
  }

  function ballast(...args: readonly string[]): Promise<CliResult> {
    return runBallast([...args, "--config", config.file], { env: config.env })
  }

  async function readJson(...args: readonly string[]): Promise<Record<string, unknown>> {
    const { code, stdout, stderr } = await ballast(...args, "--json")
    expect(code, stderr).toBe(0)
    return JSON.parse(stdout)
  }
})
