import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { Overview } from "../../src/core/health/describe-overview.ts"
import { runBallast } from "../support/e2e-cli.ts"
import { type E2eConfig, writeE2eConfig } from "../support/e2e-config.ts"
import { acceptSwap } from "../support/e2e-orders.ts"
import { findChromium, openBrowser } from "../support/open-browser.ts"
import { type PlantedFault, STATE_FAULTS } from "../support/planted-faults.ts"
import { readOverviewPage } from "../support/read-overview-page.ts"
import {
  type DaemonProcess,
  type SandboxProcess,
  startDaemonProcess,
  startSandboxProcess,
  stopAll,
  until,
} from "../support/sandbox-process.ts"

const PROMISED_MS = 60_000
const SWAP = { from: "base_sepolia:wbtc", to: "ethereum_sepolia:wbtc", amount: "0.002" }
const program = findChromium()

let sandbox: SandboxProcess
let config: E2eConfig
let daemon: DaemonProcess
let order = ""
let overview: Overview
let status = ""
let doctor = ""
let page: string | null = null
const seenMs = new Map<string, number>()

beforeAll(async () => {
  sandbox = await startSandboxProcess(["--chains", "base_sepolia,ethereum_sepolia"])
  config = await writeE2eConfig(sandbox, "states", settings())
  daemon = startDaemonProcess(config)
  await daemon.ready()
  await until("the books are open", areBooksOpen)
  order = await acceptSwap(daemon, SWAP)
  const plantedMs = Date.now()
  expect(await ballast("pause", "--chain", "base_sepolia")).toMatchObject({ code: 0 })
  await until("each state is named", () => readNamed(plantedMs), PROMISED_MS).catch(() => undefined)
  status = (await ballast("status")).stdout
  doctor = (await ballast("doctor", "--json")).stdout
  if (program !== null) page = await readPage(program)
}, 240_000)
afterAll(() => stopAll(daemon, sandbox))

describe("a state that a person must know", () => {
  test.each(STATE_FAULTS)(
    "$name: the overview, status, doctor, the page and an alert name it",
    (fault) => {
      const { name, says } = fault
      expect(seenMs.get(name), `${name} in ${JSON.stringify(overview, null, 1)}`).toBeLessThan(
        PROMISED_MS,
      )
      const remedy = [fault.todo, commandOf(fault)].filter((part) => part !== null).join(" -> ")
      const lines = status.split(/\n(?=[!-] )/).map((part) => part.replace(/\s+/g, " "))
      expect(
        lines.filter((line) => says.test(line) && line.includes(remedy)),
        `status\n${status}`,
      ).not.toEqual([])
      if (fault.doctor !== null) expect(readFindings(), "doctor").toMatch(fault.doctor)
      if (page !== null) expect(page, "the page").toContain(nameChains(fault.todo))
    },
  )
})

function settings(): Record<string, unknown> {
  return {
    guards: { approve_above: "0.001", max_order: "0.1", windows: [{ per: "24h", max: "0.002" }] },
    health: { check_every: "1s", alarm_after: "5s" },
    // Nothing listens there: an alert is open as soon as it is written.
    alerts: { receivers: { hook: { kind: "webhook", url: "http://127.0.0.1:9/hook" } } },
    rules: [
      // It has a sink for too much, and no source for too little.
      {
        id: "impossible",
        kind: "band",
        every: "5s",
        asset: "ethereum_sepolia:cbbtc",
        min: "9",
        target: "10",
        max: "11",
        sinks: [SWAP.from],
      },
    ],
  }
}

async function areBooksOpen(): Promise<boolean> {
  // CAST: the daemon's own answer.
  const { treasury } = (await daemon.call("GET", "/api/v1/overview")).body as Overview
  return treasury.every(({ amount }) => amount !== null)
}

async function readNamed(plantedMs: number): Promise<boolean> {
  // CAST: the daemon's own answers.
  overview = (await daemon.call("GET", "/api/v1/overview")).body as Overview
  const { open } = (await daemon.call("GET", "/api/v1/alerts")).body as {
    open: readonly { code: string }[]
  }
  for (const fault of STATE_FAULTS) {
    const isAlerted = open.some(({ code }) => code === fault.alert)
    if (isAlerted && isNamed(fault) && !seenMs.has(fault.name))
      seenMs.set(fault.name, Date.now() - plantedMs)
  }
  return seenMs.size === STATE_FAULTS.length
}

function isNamed(fault: PlantedFault): boolean {
  return overview.problems.some(
    ({ code, sentence, todo, command }) =>
      code === fault.code &&
      fault.says.test(sentence) &&
      todo === fault.todo &&
      command === commandOf(fault),
  )
}

function commandOf({ command }: PlantedFault): string | null {
  const alarms = (overview.pause?.alarms ?? []).map(({ id }) => id).join(",")
  return command?.replace("ORDER", order.slice(0, 8)).replace("ALARM", alarms) ?? null
}

/** The page shows `Ethereum Sepolia` for `ethereum_sepolia`. */
function nameChains(text: string): string {
  return text.replace(
    /\b(base|ethereum)_sepolia\b/g,
    (_all, name: string) => `${name[0]?.toUpperCase()}${name.slice(1)} Sepolia`,
  )
}

function readFindings(): string {
  // CAST: our own command.
  const { checks } = JSON.parse(doctor) as {
    checks: { check: string; found: string; status: string }[]
  }
  return checks
    .flatMap(({ check, found, status }) => (status === "ok" ? [] : [`${check} ${found}`]))
    .join("\n")
}

function ballast(...args: readonly string[]): ReturnType<typeof runBallast> {
  return runBallast([...args, "--config", config.file], { env: config.env })
}

async function readPage(program: string): Promise<string> {
  const browser = await openBrowser(program)
  const text = await readOverviewPage(browser, config.port, "states.png")
  await browser.close()
  // The page names the chains once it has read the settings; before that it shows their keys.
  return nameChains(text.replace(/\s+/g, " "))
}
