import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Browser } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { silentLogger } from "#lib/log.ts"
import type { Overview, ShownProblem } from "../../src/core/health/describe-overview.ts"
import { type Anvil, startAnvil } from "../../src/lab/sandbox/evm/start-anvil.ts"
import { runBallast } from "../support/e2e-cli.ts"
import {
  type EndpointFault,
  type FaultyEndpoint,
  startFaultyEndpoint,
} from "../support/faulty-endpoint.ts"
import { freePort } from "../support/free-port.ts"
import { findChromium, openBrowser } from "../support/open-browser.ts"
import { ENDPOINT_FAULTS, type PlantedFault, SERVICE_FAULTS } from "../support/planted-faults.ts"
import { readOverviewPage } from "../support/read-overview-page.ts"
import { type DaemonProcess, startDaemonProcess, TOKEN, until } from "../support/sandbox-process.ts"

/** One chain under several names needs a wallet for each name. */
const KEYS = ENDPOINT_FAULTS.map(({ at }, index) => [
  `KEY_OF_${at}`,
  `0x${(index + 16).toString(16).repeat(32)}`,
])
const ENV: Record<string, string> = { ...Object.fromEntries(KEYS), BALLAST_OPS_TOKEN: TOKEN }
/** The promise: each surface names the fault within this time. */
const PROMISED_MS = 60_000
const shiftTime = (seconds: number): EndpointFault => ({
  change: (block) => ({
    ...block,
    timestamp: `0x${(Number(block["timestamp"]) + seconds).toString(16)}`,
  }),
})

const program = findChromium()
const FAULTS = [...ENDPOINT_FAULTS, ...SERVICE_FAULTS]

describe("a planted fault", () => {
  const dir = mkdtempSync(join(tmpdir(), "ballast-e2e-faults-"))
  const file = join(dir, "ballast.yaml")
  const endpoints: FaultyEndpoint[] = []
  const seenMs = new Map<string, number>()
  let node: Anvil
  let daemon: DaemonProcess
  let browser: Browser | null = null
  let page = ""
  let overview: Overview
  let status = ""
  let statusCode: number | string = ""
  let doctor: readonly { check: string; found: string; status: string; todo: string | null }[] = []

  const endpoint = async (fault: EndpointFault): Promise<string> => {
    const one = await startFaultyEndpoint(node.url, fault)
    endpoints.push(one)
    return one.url
  }

  beforeAll(async () => {
    node = await startAnvil({ chainId: 84532, port: 0, blockTimeSeconds: 1, log: silentLogger })
    const port = await freePort()
    const nowhere = `http://127.0.0.1:${await freePort()}`
    const nowhereElse = `http://127.0.0.1:${await freePort()}`
    const otherHash = (block: Record<string, unknown>) => ({
      ...block,
      hash: `0x${"ab".repeat(32)}`,
    })
    const rpc: Record<string, readonly string[]> = {
      dead_chain: [nowhere],
      gone_chain: [nowhere, nowhereElse],
      half_chain: [node.url, nowhere],
      hung_chain: [await endpoint({ delayMs: 3_600_000 })],
      slow_chain: [await endpoint({ delayMs: 2_300 })],
      late_chain: [await endpoint(shiftTime(-3_600))],
      clock_chain: [await endpoint(shiftTime(3 * 3_600 + 60))],
      lying_chain: [node.url, await endpoint({ change: otherHash })],
      other_chain: [node.url],
      locked_chain: [await endpoint({ status: 403 })],
    }
    const chains = Object.entries(rpc).map(([name, urls]) => [
      name,
      {
        family: "evm",
        chain_id: name === "other_chain" ? 11_155_111 : 84_532,
        rpc: urls,
        key: `env:KEY_OF_${name}`,
      },
    ])
    const config = {
      services: {
        down: { url: nowhere },
        garbage: { url: await endpoint({ body: "<html>It works!</html>" }) },
        tardy: { url: await endpoint({ delayMs: 4_500, body: "[{}]" }) },
      },
      data_dir: join(dir, "data"),
      ops: { listen: `127.0.0.1:${port}`, token: "env:BALLAST_OPS_TOKEN" },
      chains: Object.fromEntries(chains),
      assets: Object.fromEntries(Object.keys(rpc).map((name) => [`${name}:eth`, { decimals: 18 }])),
      prices: { trust_service: true },
      health: { check_every: "1s", alarm_after: "5s" },
    }
    writeFileSync(file, JSON.stringify(config), { mode: 0o600 })
    daemon = startDaemonProcess({ file, port }, ENV)
    await daemon.serves()
    const startedMs = Date.now()
    const read = async (): Promise<boolean> => {
      // CAST: the daemon's own answer.
      overview = (await daemon.call("GET", "/api/v1/overview")).body as Overview
      for (const fault of FAULTS)
        if (!seenMs.has(fault.name) && isNamed(overview, fault))
          seenMs.set(fault.name, Date.now() - startedMs)
      return seenMs.size === FAULTS.length
    }
    // A fault that no surface names fails its own test below.
    await until("each fault is named", read, PROMISED_MS).catch(() => undefined)
    // A probe that fails by the machine's load alone is true news too, and hides an older state
    // until the next one.
    const readStatus = async (): Promise<boolean> => {
      const shown = await runBallast(["status", "--config", file], { env: ENV })
      status = shown.stdout
      statusCode = shown.code
      return FAULTS.every((fault) => isShown(status, fault))
    }
    await until("status names each fault", readStatus, PROMISED_MS).catch(() => undefined)
    const found = await runBallast(["doctor", "--json", "--config", file], {
      env: ENV,
      timeoutMs: 120_000,
    })
    doctor = (JSON.parse(found.stdout) as { checks: typeof doctor }).checks
    if (program !== null) {
      browser = await openBrowser(program)
      const opened = browser
      const readPage = async (): Promise<boolean> => {
        page = await readOverviewPage(opened, port, "endpoints-and-services.png")
        return FAULTS.every(
          ({ says, todo }) =>
            says.test(readNames(page)) && page.replace(/\s+/g, " ").includes(todo),
        )
      }
      await until("the page names each fault", readPage, PROMISED_MS).catch(() => undefined)
    }
  }, 400_000)
  afterAll(async () => {
    await browser?.close()
    await daemon?.stop()
    for (const one of endpoints) one.stop()
    await node?.stop()
  })

  test.each(FAULTS)(
    "$name: the overview, status, doctor, the page and an alarm name it with its remedy",
    (fault) => {
      const { name, says, todo } = fault
      expect(
        seenMs.get(name),
        `${name} in ${JSON.stringify(overview.problems, null, 1)}`,
      ).toBeLessThan(PROMISED_MS)
      expect(status, "status").toSatisfy((text: string) => isShown(text, fault))
      if (fault.doctor !== null)
        expect(
          readDoctor(doctor).filter((line) => fault.doctor?.test(line)),
          `${readDoctor(doctor).join("\n")}`,
        ).not.toEqual([])
      if (program !== null) {
        expect(readNames(page), "the page").toMatch(says)
        expect(readNames(page), "the page").toContain(todo)
      }
    },
  )

  test("status is not silent about them in its exit code", () => expect(statusCode).toBe(1))
})

/** The overview names the fault with its remedy, and its alarm is open. */
function isNamed({ problems, alarms }: Overview, fault: PlantedFault): boolean {
  const { code, says, alert, at } = fault
  const isAlarmed = alarms.some(
    ({ reason }) => reason.code === alert && [reason["chain"], reason["service"]].includes(at),
  )
  return (
    isAlarmed &&
    problems.some((one) => one.code === code && says.test(one.sentence) && isRemedied(one, fault))
  )
}

/** `status` names the fault with its remedy. */
function isShown(status: string, { says, todo, command }: PlantedFault): boolean {
  const remedy = command === null ? todo : `${todo} -> ${command}`
  return readLines(status).some((line) => says.test(line) && line.includes(remedy))
}

function isRemedied({ todo, command }: ShownProblem, fault: PlantedFault): boolean {
  return todo === fault.todo && command === fault.command
}

/** Each problem of `status` with its remedy, which stands on the next line. */
function readLines(text: string): readonly string[] {
  return text.split(/\n(?=[!-] )/).map((part) => part.replace(/\s+/g, " "))
}

/** The findings that are not `ok`, each with its remedy. */
function readDoctor(
  checks: readonly { check: string; found: string; status: string; todo: string | null }[],
): readonly string[] {
  return checks.flatMap(({ check, found, status, todo }) =>
    status === "ok" || todo === null ? [] : [`${check} ${found} -> ${todo}`.replace(/\s+/g, " ")],
  )
}

/** The page shows `Dead Chain` for `dead_chain`. */
function readNames(text: string): string {
  return text
    .replace(/\s+/g, " ")
    .replace(
      /\b([A-Z])([a-z]+) Chain\b/g,
      (_all, a: string, b: string) => `${a.toLowerCase()}${b}_chain`,
    )
}
