import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { Overview } from "../../src/core/health/describe-overview.ts"
import { type CliResult, runBallast } from "../support/e2e-cli.ts"
import {
  EVERYDAY_NODE_FAULTS,
  EVERYDAY_PRICE_FAULTS,
  EVERYDAY_RECEIVER_FAULTS,
  EVERYDAY_SERVICE_FAULTS,
} from "../support/everyday-faults.ts"
import { type EverydayStub, startEverydayStub } from "../support/everyday-stub.ts"
import { freePort } from "../support/free-port.ts"
import { type DaemonProcess, startDaemonProcess, TOKEN, until } from "../support/sandbox-process.ts"
import type { StrangeFault } from "../support/strange-faults.ts"
import { temporaryFolder } from "../support/temporary-folder.ts"

const ACCOUNT = "0x04462f242e56a2d6f2cf00762efccddf8b429a19eb8f93c8c7bc95e47807d26"
const PROMISED_MS = 60_000
const KEYS = join(import.meta.dirname, "..", "..", "config", "sandbox-keys")
const ASKED = [
  ...EVERYDAY_NODE_FAULTS,
  ...EVERYDAY_SERVICE_FAULTS,
  ...EVERYDAY_PRICE_FAULTS,
  ...EVERYDAY_RECEIVER_FAULTS,
]
/** `doctor` asks nodes and services itself, and the daemon for the rest. */
const DIAGNOSED = ASKED.filter((one) => !EVERYDAY_RECEIVER_FAULTS.includes(one))
const CHAINS = EVERYDAY_NODE_FAULTS.map(({ at }) => at)
const keyOf = (name: string, index: number): string => {
  if (name.includes("btc")) return readFileSync(join(KEYS, "bitcoin"), "utf8").trim()
  if (name.includes("stark")) return readFileSync(join(KEYS, "starknet"), "utf8").trim()
  if (name.includes("sol")) return readFileSync(join(KEYS, "solana"), "utf8").trim()
  return `0x${(index + 16).toString(16).repeat(32)}`
}
const ENV: Record<string, string> = {
  ...Object.fromEntries(CHAINS.map((at, index) => [`KEY_OF_${at}`, keyOf(at, index)])),
  BALLAST_OPS_TOKEN: TOKEN,
  BOT_TOKEN: "123456:a-token-of-the-bot",
  WEBHOOK_KEY: Buffer.alloc(32, 7).toString("base64"),
}

describe("an everyday fault", () => {
  const dir = temporaryFolder("ballast-e2e-everyday")
  const file = join(dir, "ballast.yaml")
  const seenMs = new Map<string, number>()
  const alarmed = new Set<string>()
  let stub: EverydayStub
  let daemon: DaemonProcess
  let overview: Overview
  let status = ""
  let doctor: CliResult

  const readNamed = async (plantedMs: number): Promise<boolean> => {
    // CAST: the daemon's own answer.
    overview = (await daemon.call("GET", "/api/v1/overview")).body as Overview
    for (const fault of ASKED) {
      const found = overview.problems.find((one) => isNamed(one, fault))
      if (found === undefined) continue
      if (!seenMs.has(keyOfFault(fault))) seenMs.set(keyOfFault(fault), Date.now() - plantedMs)
      const { alarms } = overview
      if (alarms.some(({ reason }) => reason.code === found.code)) alarmed.add(keyOfFault(fault))
    }
    return ASKED.every((one) => seenMs.has(keyOfFault(one)) && alarmed.has(keyOfFault(one)))
  }

  beforeAll(async () => {
    stub = await startEverydayStub()
    const port = await freePort()
    writeFileSync(file, JSON.stringify(configOf(stub, dir, port)), { mode: 0o600 })
    const env = { ...ENV, SLACK_URL: stub.urlOf("noservice_desk") }
    daemon = startDaemonProcess({ file, port }, env)
    await daemon.serves()
    const plantedMs = Date.now()
    await until(
      "each fault is named, with an alarm",
      () => readNamed(plantedMs),
      PROMISED_MS,
    ).catch(() => undefined)
    status = (await runBallast(["status", "--config", file], { env })).stdout
    doctor = await runBallast(["doctor", "--config", file], { env, timeoutMs: 120_000 })
    const folder = process.env["STRANGE_DUMP"]
    const seen = { problems: overview.problems, status, doctor: doctor.stdout }
    if (folder !== undefined)
      writeFileSync(join(folder, "everyday.json"), JSON.stringify(seen, null, 1))
    await daemon.stop()
  }, 400_000)
  afterAll(async () => {
    await daemon?.stop()
    await stub?.stop()
  })

  test.each(ASKED)("$at: $name: the overview, `status` and an alarm name it", (fault) => {
    const about = overview.problems.filter((one) =>
      `${one.about} ${one.sentence}`.includes(fault.at),
    )
    expect(seenMs.get(keyOfFault(fault)), JSON.stringify(about, null, 1)).toBeLessThan(PROMISED_MS)
    const lines = status.split(/\n(?=[!-] )/).map(flat)
    expect(lines.filter((line) => fault.says.test(line))).not.toEqual([])
    expect([...alarmed]).toContain(keyOfFault(fault))
  })

  test.each(DIAGNOSED)("$at: $name: doctor names it", ({ at, says }) => {
    const lines = flat(doctor.stdout).split(/(?=\b(?:ok|WARN|FAIL|warn|fail) )/)
    expect(
      lines.filter((line) => line.includes(at) && says.test(line)),
      lines.filter((line) => line.includes(at)).join("\n"),
    ).not.toEqual([])
  })
})

function keyOfFault({ at, name }: StrangeFault): string {
  return `${at} ${name}`
}

function isNamed(
  { sentence, about, todo, command }: Overview["problems"][number],
  { at, says, todo: remedy }: StrangeFault,
): boolean {
  const isAbout = new RegExp(`(^|[ ,])${at}([ ,:]|$)`)
  return (
    isAbout.test(`${about} ${sentence}`) &&
    says.test(sentence) &&
    remedy.test(`${todo} ${command ?? ""}`)
  )
}

function configOf(stub: EverydayStub, dir: string, port: number): object {
  const priced = (asset: string, name: string): object => ({
    asset,
    url: stub.urlOf(name),
    path: "price",
  })
  const market = { kind: "coinbase", product: "ETH-USD", url: stub.urlOf("price-coinbase") }
  const nowhere = { url: "http://no-such-host.invalid/price", path: "price" }
  const telegram = (name: string): object => ({
    kind: "telegram",
    token: "env:BOT_TOKEN",
    chat: "-100123",
    api: stub.urlOf(name),
  })
  return {
    services: Object.fromEntries(
      EVERYDAY_SERVICE_FAULTS.map(({ at }) => [at, { url: stub.urlOf(at) }]),
    ),
    data_dir: join(dir, "data"),
    ops: { listen: `127.0.0.1:${port}`, token: "env:BALLAST_OPS_TOKEN" },
    chains: Object.fromEntries(CHAINS.map((at, index) => [at, chainOf(at, stub, index)])),
    assets: Object.fromEntries(
      CHAINS.map((at) => {
        const [symbol, decimals] = nativeOf(at)
        return [`${at}:${symbol}`, { decimals }]
      }),
    ),
    signer: { run: "inside" },
    prices: {
      trust_service: true,
      sources: [
        priced("textual_chain:eth", "price-comma"),
        { asset: "syncing_chain:eth", ...market },
        { asset: "future_chain:eth", ...nowhere },
      ],
    },
    health: { check_every: "1s", alarm_after: "5s" },
    alerts: {
      receivers: {
        revoked_desk: telegram("revoked_desk"),
        super_desk: telegram("super_desk"),
        noservice_desk: { kind: "slack", url: "env:SLACK_URL" },
        signed_desk: {
          kind: "webhook",
          url: stub.urlOf("signed_desk"),
          key: "env:WEBHOOK_KEY",
        },
      },
      group_for: "1s",
    },
  }
}

function chainOf(at: string, stub: EverydayStub, index: number): object {
  const url = stub.urlOf(at)
  const key = `env:KEY_OF_${at}`
  const account = `${ACCOUNT}${index % 10}`
  if (at.includes("stark"))
    return { family: "starknet", chain_id: "SN_SEPOLIA", rpc: [url], key, account }
  if (at.includes("btc")) return { family: "bitcoin", network: "regtest", esplora: [url], key }
  if (at.includes("sol")) return { preset: "solana_testnet", rpc: [url], key }
  return { family: "evm", chain_id: 84_532, rpc: [url], key }
}

function nativeOf(at: string): readonly [string, number] {
  if (at.includes("stark")) return ["strk", 18]
  if (at.includes("sol")) return ["sol", 9]
  return at.includes("btc") ? ["btc", 8] : ["eth", 18]
}

function flat(text: string): string {
  return text.replace(/\s+/g, " ")
}
