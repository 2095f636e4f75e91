import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { Overview } from "../../src/core/health/describe-overview.ts"
import { type CliResult, runBallast } from "../support/e2e-cli.ts"
import { freePort } from "../support/free-port.ts"
import { type DaemonProcess, startDaemonProcess, TOKEN, until } from "../support/sandbox-process.ts"
import type { StrangeFault } from "../support/strange-faults.ts"
import { temporaryFolder } from "../support/temporary-folder.ts"
import {
  UNFORESEEN_NODE_FAULTS,
  UNFORESEEN_PRICE_FAULTS,
  UNFORESEEN_RECEIVER_FAULTS,
  UNFORESEEN_SERVICE_FAULTS,
} from "../support/unforeseen-faults.ts"
import {
  UNNAMED_UNSEEN,
  UNSEEN_NODE_FAULTS,
  UNSEEN_PRICE_FAULTS,
  UNSEEN_RECEIVER_FAULTS,
  UNSEEN_SERVICE_FAULTS,
} from "../support/unseen-faults.ts"
import { startUnseenStub, type UnseenStub } from "../support/unseen-stub.ts"

const ACCOUNT = "0x04462f242e56a2d6f2cf00762efccddf8b429a19eb8f93c8c7bc95e47807d265"
const PROMISED_MS = 60_000
const KEYS = join(import.meta.dirname, "..", "..", "config", "sandbox-keys")
const NODES = [...UNSEEN_NODE_FAULTS, ...UNFORESEEN_NODE_FAULTS]
const SERVICES = [...UNSEEN_SERVICE_FAULTS, ...UNFORESEEN_SERVICE_FAULTS]
const RECEIVERS = [...UNSEEN_RECEIVER_FAULTS, ...UNFORESEEN_RECEIVER_FAULTS]
const PRICES = [...UNSEEN_PRICE_FAULTS, ...UNFORESEEN_PRICE_FAULTS]
const ASKED = [...NODES, ...SERVICES, ...PRICES, ...RECEIVERS].filter(
  ({ at }) => UNNAMED_UNSEEN[at] === undefined,
)
/** `doctor` asks nodes and services itself, and the daemon for the rest. */
const DIAGNOSED = ASKED.filter((one) => !RECEIVERS.includes(one))
/** `good_chain` has no fault. */
const CHAINS = [...NODES.map(({ at }) => at), "good_chain"]
const keyOf = (name: string, index: number): string => {
  if (name === "history_chain") return readFileSync(join(KEYS, "bitcoin"), "utf8").trim()
  if (name === "index_btc") return "cQeHdDMNRAJH7o1YCKbRsj5cP5ZMkt6GeXk7tC3d36Z2vFAateZb"
  if (name.includes("sol")) return readFileSync(join(KEYS, "solana"), "utf8").trim()
  if (name.includes("stark")) return readFileSync(join(KEYS, "starknet"), "utf8").trim()
  return `0x${(index + 16).toString(16).repeat(32)}`
}
const ENV: Record<string, string> = {
  ...Object.fromEntries(CHAINS.map((at, index) => [`KEY_OF_${at}`, keyOf(at, index)])),
  BALLAST_OPS_TOKEN: TOKEN,
  DESK_TOKEN: "123456:a-token-of-a-bot",
}

describe("an unseen fault", () => {
  const dir = temporaryFolder("ballast-e2e-unseen")
  const file = join(dir, "ballast.yaml")
  const seenMs = new Map<string, number>()
  const alarmed = new Set<string>()
  let stub: UnseenStub
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
      if (!seenMs.has(fault.name)) seenMs.set(fault.name, Date.now() - plantedMs)
      const { alarms } = overview
      if (alarms.some(({ reason }) => reason.code === found.code)) alarmed.add(fault.name)
    }
    return ASKED.every(({ name }) => seenMs.has(name) && alarmed.has(name))
  }

  beforeAll(async () => {
    stub = await startUnseenStub(dir)
    const port = await freePort()
    writeFileSync(file, JSON.stringify(configOf(stub, dir, port)), { mode: 0o600 })
    const env = {
      ...ENV,
      NODE_EXTRA_CA_CERTS: stub.authority,
      DISCORD_URL: stub.urlOf("discord_desk"),
      SLACK_URL: stub.urlOf("slack_desk"),
    }
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
      writeFileSync(join(folder, "unseen.json"), JSON.stringify(seen, null, 1))
    await daemon.stop()
  }, 400_000)
  afterAll(async () => {
    await daemon?.stop()
    stub?.stop()
  })

  test.each(ASKED)("$at: $name: the overview, `status` and an alarm name it", (fault) => {
    const about = overview.problems.filter((one) =>
      `${one.about} ${one.sentence}`.includes(fault.at),
    )
    expect(seenMs.get(fault.name), JSON.stringify(about, null, 1)).toBeLessThan(PROMISED_MS)
    const lines = status.split(/\n(?=[!-] )/).map(flat)
    expect(lines.filter((line) => fault.says.test(line))).not.toEqual([])
    expect([...alarmed]).toContain(fault.name)
  })

  test.each(DIAGNOSED)("$at: $name: doctor names it", ({ at, says }) => {
    const lines = flat(doctor.stdout).split(/(?=\b(?:ok|WARN|FAIL|warn|fail) )/)
    expect(
      lines.filter((line) => line.includes(at) && says.test(line)),
      lines.filter((line) => line.includes(at)).join("\n"),
    ).not.toEqual([])
  })
})

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

function configOf(stub: UnseenStub, dir: string, port: number): object {
  const token = "env:DESK_TOKEN"
  const mail = { kind: "email", host: "127.0.0.1", from: "a@example.com", to: ["b@example.com"] }
  return {
    services: Object.fromEntries(SERVICES.map(({ at }) => [at, { url: stub.urlOf(at) }])),
    data_dir: join(dir, "data"),
    ops: { listen: `127.0.0.1:${port}`, token: "env:BALLAST_OPS_TOKEN" },
    chains: Object.fromEntries(CHAINS.map((at) => [at, chainOf(at, stub)])),
    assets: {
      ...Object.fromEntries(
        CHAINS.map((at) => {
          const [symbol, decimals] = nativeOf(at)
          return [`${at}:${symbol}`, { decimals }]
        }),
      ),
    },
    signer: { run: "inside" },
    prices: {
      trust_service: true,
      sources: [
        { asset: "leaf_chain:eth", url: stub.urlOf("price-limit"), path: "price" },
        {
          asset: "oldtls_chain:eth",
          url: stub.urlOf("price-timeless"),
          path: "price",
          time_path: "at",
        },
        { asset: "gateway_chain:eth", url: stub.urlOf("price-symbol"), path: "price" },
        {
          asset: "suspended_chain:eth",
          kind: "kraken",
          product: "NOPEUSD",
          url: stub.urlOf("price-kraken"),
        },
        { asset: "timeout_chain:eth", url: stub.urlOf("price-wall"), path: "price" },
        {
          asset: "plainhttp_chain:eth",
          kind: "chainlink",
          chain: "good_chain",
          address: `0x${"34".repeat(20)}`,
        },
      ],
    },
    health: { check_every: "1s", alarm_after: "5s" },
    alerts: {
      receivers: {
        chat_desk: {
          kind: "telegram",
          token,
          chat: "-1001234567890",
          api: stub.urlOf("chat_desk"),
        },
        room_desk: {
          kind: "matrix",
          api: stub.urlOf("room_desk"),
          token,
          room: "!abc:example.com",
        },
        starttls_desk: { ...mail, port: stub.starttlsPort, tls: "starttls" },
        discord_desk: { kind: "discord", url: "env:DISCORD_URL" },
        slack_desk: { kind: "slack", url: "env:SLACK_URL" },
        sender_desk: { ...mail, port: stub.senderPort, tls: "none" },
        relay_desk: { ...mail, port: stub.relayPort, tls: "none" },
      },
      group_for: "1s",
    },
  }
}

function chainOf(at: string, stub: UnseenStub): object {
  const url = stub.urlOf(at)
  const key = `env:KEY_OF_${at}`
  if (at.includes("sol")) return { preset: "solana_testnet", rpc: [url], key }
  if (at.includes("stark"))
    return { family: "starknet", chain_id: "SN_SEPOLIA", rpc: [url], key, account: ACCOUNT }
  if (nativeOf(at)[0] === "btc")
    return { family: "bitcoin", network: "signet", esplora: [url], key }
  const evm = { family: "evm", chain_id: 84_532, rpc: [url], key }
  if (at !== "tagless_chain") return evm
  return { ...evm, finality: { seen: 1, reveal: "finalized", ending: "finalized" } }
}

function nativeOf(at: string): readonly [string, number] {
  if (at.includes("sol")) return ["sol", 9]
  if (at.includes("stark")) return ["strk", 18]
  return at === "history_chain" || at === "index_btc" ? ["btc", 8] : ["eth", 18]
}

function flat(text: string): string {
  return text.replace(/\s+/g, " ")
}
