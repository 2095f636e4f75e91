import { type ChildProcess, spawn } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Browser } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { kindOfCode, MEANINGS } from "#health/problem-kind.ts"
import { silentLogger } from "#lib/log.ts"
import type { Overview } from "../../src/core/health/describe-overview.ts"
import { type Anvil, startAnvil } from "../../src/lab/sandbox/evm/start-anvil.ts"
import { type HttpReceiver, startHttpReceiver } from "../support/alert-receivers.ts"
import { runBallast } from "../support/e2e-cli.ts"
import { freePort } from "../support/free-port.ts"
import { findChromium, openBrowser } from "../support/open-browser.ts"
import { MACHINE_FAULTS, type PlantedFault } from "../support/planted-faults.ts"
import { readOverviewPage } from "../support/read-overview-page.ts"
import {
  bareEnvironment,
  type DaemonProcess,
  LAUNCHER,
  startDaemonProcess,
  TOKEN,
  until,
} from "../support/sandbox-process.ts"
import { shiftClock } from "../support/shift-clock.ts"

const KEYS = { EVM_KEY: `0x${"4c".repeat(32)}`, BALLAST_OPS_TOKEN: TOKEN }
/** The promise: each surface names the fault within this time. */
const PROMISED_MS = 60_000
const SIX_HOURS_MS = 6 * 3_600_000
const SHIFTS: Readonly<Record<string, number>> = { ahead: SIX_HOURS_MS, behind: -SIX_HOURS_MS }
const SIGNER_SIGNALS: Readonly<Record<string, NodeJS.Signals>> = {
  signer: "SIGKILL",
  "stopped-signer": "SIGSTOP",
}
/** The node under a name that is not loopback: a local chain does not tell the time. */
const HOST = "0.0.0.0"
const program = findChromium()

describe("a fault of the machine, planted in front of a running daemon", () => {
  const dir = mkdtempSync(join(tmpdir(), "ballast-e2e-machine-faults-"))
  let node: Anvil
  let browser: Browser | null = null
  let receiver: HttpReceiver

  const startSigner = async (file: string): Promise<ChildProcess> => {
    const child = spawn(process.execPath, [LAUNCHER, "signer", "--config", file], {
      stdio: ["ignore", "pipe", "inherit"],
      env: bareEnvironment(KEYS),
    })
    let said = ""
    child.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()))
    await until("the signer is ready", async () => said.includes("The signer is ready"))
    return child
  }

  beforeAll(async () => {
    ;[node, receiver] = await Promise.all([
      startAnvil({ chainId: 84532, port: 0, blockTimeSeconds: 1, log: silentLogger }),
      startHttpReceiver(),
    ])
    if (program !== null) browser = await openBrowser(program)
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await Promise.all([node?.stop(), receiver?.close()])
    rmSync(dir, { recursive: true })
  })

  test.each(MACHINE_FAULTS)(
    "$name: the overview, status, doctor, the page and an alert name it",
    async (fault) => {
      const { at } = fault
      const signal = SIGNER_SIGNALS[at]
      const port = await freePort()
      const file = join(dir, `${at}.yaml`)
      const env = { ...KEYS, ...(SHIFTS[at] === undefined ? {} : shiftClock(SHIFTS[at])) }
      const config = {
        services: { main: { url: `http://127.0.0.1:${await freePort()}` } },
        data_dir: join(dir, at),
        ops: { listen: `127.0.0.1:${port}`, token: "env:BALLAST_OPS_TOKEN" },
        chains: {
          some_chain: {
            family: "evm",
            chain_id: 84_532,
            rpc: [node.url.replace("127.0.0.1", HOST)],
            key: "env:EVM_KEY",
          },
        },
        assets: { "some_chain:eth": { decimals: 18 } },
        signer: signal === undefined ? { run: "inside" } : { socket: join(dir, `${at}.sock`) },
        prices: { trust_service: true },
        health: { check_every: "1s", alarm_after: "5s" },
        alerts: {
          receivers: { hook: { kind: "webhook", url: `${receiver.url}/${at}` } },
          group_for: "1s",
        },
      }
      writeFileSync(file, JSON.stringify(config), { mode: 0o600 })
      let signer = signal === undefined ? null : await startSigner(file)
      const daemon = startDaemonProcess({ file, port }, env)
      try {
        await daemon.serves()
        if (signer !== null) {
          await new Promise((resolve) => setTimeout(resolve, 8_000))
          expect((await readProblems(daemon)).map(({ code }) => code)).not.toContain("signer.down")
        }
        signer?.kill(signal)
        await until(
          `${fault.name} is named and told`,
          async () => isNamed(await readProblems(daemon), fault) && isTold(receiver, fault),
          PROMISED_MS,
        )
        const remedy = fault.command === null ? fault.todo : `${fault.todo} -> ${fault.command}`
        const status = flat((await runBallast(["status", "--config", file], { env })).stdout)
        expect(status).toMatch(fault.says)
        expect(status).toContain(`${MEANINGS[kindOfCode(fault.code ?? "")]} ${remedy}`)
        const doctor = await runBallast(["doctor", "--config", file], { env, timeoutMs: 120_000 })
        expect(flat(doctor.stdout)).toMatch(fault.doctor ?? /^/)
        if (browser !== null) {
          const page = flat(await readOverviewPage(browser, port, `machine-${at}.png`)).replaceAll(
            "Some Chain",
            "some_chain",
          )
          expect(page).toMatch(fault.says)
          expect(page).toContain(`${MEANINGS[kindOfCode(fault.code ?? "")]} ${fault.todo}`)
        }
        if (signer === null) return
        if (signal === "SIGSTOP") signer.kill("SIGCONT")
        else signer = await startSigner(file)
        await until(
          "the signer answers again",
          async () => !isNamed(await readProblems(daemon), fault),
          PROMISED_MS,
        )
      } finally {
        await daemon.stop()
        signer?.kill("SIGKILL")
      }
    },
    300_000,
  )
})

async function readProblems(daemon: DaemonProcess): Promise<Overview["problems"]> {
  // CAST: the daemon's own answer.
  return ((await daemon.call("GET", "/api/v1/overview")).body as Overview).problems
}

function isNamed(
  problems: Overview["problems"],
  { code, says, todo, command }: PlantedFault,
): boolean {
  return problems.some(
    (one) =>
      one.code === code && says.test(one.sentence) && one.todo === todo && one.command === command,
  )
}

/** A message with the fault's code reached the receiver. */
function isTold({ calls }: HttpReceiver, { at, alert }: PlantedFault): boolean {
  return calls.some(({ path, body }) => path === `/${at}` && body.includes(`"code":"${alert}"`))
}

function flat(text: string): string {
  return text.replace(/\s+/g, " ")
}
