import { createPrivateKey, createPublicKey } from "node:crypto"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { Overview } from "../../src/core/health/describe-overview.ts"
import { type CliResult, runBallast } from "../support/e2e-cli.ts"
import { freePort } from "../support/free-port.ts"
import { type DaemonProcess, startDaemonProcess, TOKEN, until } from "../support/sandbox-process.ts"
import {
  STRANGE_NODE_FAULTS,
  STRANGE_PRICE_FAULTS,
  STRANGE_RECEIVER_FAULTS,
  STRANGE_SERVICE_FAULTS,
  type StrangeFault,
  UNNAMED,
} from "../support/strange-faults.ts"
import { type StrangeStub, startStrangeStub } from "../support/strange-stub.ts"
import {
  STRANGER_NODE_FAULTS,
  STRANGER_PRICE_FAULTS,
  STRANGER_RECEIVER_FAULTS,
  STRANGER_SERVICE_FAULTS,
} from "../support/stranger-faults.ts"
import { temporaryFolder } from "../support/temporary-folder.ts"

const ACCOUNT = "0x04462f242e56a2d6f2cf00762efccddf8b429a19eb8f93c8c7bc95e47807d26"
/** The account of `bare_stark_chain` is the one that the stub does not have. */
const ACCOUNT_ENDS: Readonly<Record<string, string>> = {
  old_stark_chain: "5",
  bare_stark_chain: "6",
  blockless_stark_chain: "7",
}
/** PKCS #8 of an Ed25519 key (RFC 8410). */
const PKCS8 = "302e020100300506032b657004220420"
const PROMISED_MS = 60_000
const NODES = [...STRANGE_NODE_FAULTS, ...STRANGER_NODE_FAULTS]
const SERVICES = [...STRANGE_SERVICE_FAULTS, ...STRANGER_SERVICE_FAULTS]
const PRICES = [...STRANGE_PRICE_FAULTS, ...STRANGER_PRICE_FAULTS]
const RECEIVERS = [...STRANGE_RECEIVER_FAULTS, ...STRANGER_RECEIVER_FAULTS]
const ASKED = [...NODES, ...SERVICES, ...PRICES, ...RECEIVERS].filter(
  ({ at }) => UNNAMED[at] === undefined,
)
/** `doctor` asks nodes and services itself, and the daemon for the rest. */
const DIAGNOSED = ASKED.filter((one) => !RECEIVERS.includes(one))
const CHAINS = NODES.map(({ at }) => at)
const KEYS = join(import.meta.dirname, "..", "..", "config", "sandbox-keys")
const keyOf = (name: string, index: number): string => {
  if (name.includes("sol")) return solanaKey(index)
  if (name.includes("stark")) return readFileSync(join(KEYS, "starknet"), "utf8").trim()
  if (/feeless|explorer|core/.test(name)) return BITCOIN_KEYS[name] ?? ""
  return `0x${(index + 16).toString(16).repeat(32)}`
}
const BITCOIN_KEYS: Readonly<Record<string, string>> = {
  feeless_chain: readFileSync(join(KEYS, "bitcoin"), "utf8").trim(),
  explorer_chain: "cQeHdDMNRAJH7o1YCKbRsj5cP5ZMkt6GeXk7tC3d36Z2vFAateZb",
  core_chain: "cNzfV2EAoKW8Xxi72kDyKRg3CoLtF7AkiB8HoYghfhhvMQV9EwY8",
}
const ENV: Record<string, string> = {
  ...Object.fromEntries(CHAINS.map((at, index) => [`KEY_OF_${at}`, keyOf(at, index)])),
  BALLAST_OPS_TOKEN: TOKEN,
  MAIL_PASSWORD: "a-wrong-password",
}

describe("a strange fault", () => {
  const dir = temporaryFolder("ballast-e2e-strange")
  const file = join(dir, "ballast.yaml")
  const seenMs = new Map<string, number>()
  const alarmed = new Set<string>()
  let stub: StrangeStub
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
      const key = keyOfFault(fault)
      if (!seenMs.has(key)) seenMs.set(key, Date.now() - plantedMs)
      const { alarms } = overview
      if (alarms.some(({ reason }) => reason.code === found.code)) alarmed.add(key)
    }
    return ASKED.every((one) => {
      const key = keyOfFault(one)
      return seenMs.has(key) && (alarmed.has(key) || /desk$/.test(one.at))
    })
  }

  beforeAll(async () => {
    stub = await startStrangeStub(dir)
    const port = await freePort()
    writeFileSync(file, JSON.stringify(configOf(stub, dir, port)), { mode: 0o600 })
    const env = { ...ENV, NODE_EXTRA_CA_CERTS: stub.authority }
    daemon = startDaemonProcess({ file, port }, env)
    await daemon.serves()
    const plantedMs = Date.now()
    await until("each fault is named", () => readNamed(plantedMs), PROMISED_MS).catch(
      () => undefined,
    )
    status = (await runBallast(["status", "--config", file], { env })).stdout
    doctor = await runBallast(["doctor", "--config", file], { env, timeoutMs: 120_000 })
    dump("strange", { problems: overview.problems, status, doctor: doctor.stdout })
    await daemon.stop()
  }, 400_000)
  afterAll(async () => {
    await daemon?.stop()
    stub?.stop()
  })

  test.each(ASKED)("$at: $name: the overview, `status` and an alarm name it", (fault) => {
    const about = overview.problems.filter(({ sentence }) => sentence.includes(fault.at))
    expect(seenMs.get(keyOfFault(fault)), JSON.stringify(about, null, 1)).toBeLessThan(PROMISED_MS)
    const lines = status.split(/\n(?=[!-] )/).map(flat)
    expect(lines.filter((line) => fault.says.test(line))).not.toEqual([])
    if (!/desk$/.test(fault.at)) expect([...alarmed]).toContain(keyOfFault(fault))
  })

  test.each(DIAGNOSED)("$at: $name: doctor names it", ({ at, says }) => {
    const lines = flat(doctor.stdout).split(/(?=\b(?:ok|WARN|FAIL|warn|fail) )/)
    expect(
      lines.filter((line) => line.includes(at) && says.test(line)),
      lines.filter((line) => line.includes(at)).join("\n"),
    ).not.toEqual([])
  })
})

function solanaKey(index: number): string {
  const seed = Buffer.alloc(32, index + 1)
  const der = Buffer.concat([Buffer.from(PKCS8, "hex"), seed])
  const key = createPublicKey(createPrivateKey({ key: der, format: "der", type: "pkcs8" }))
  const account = key.export({ format: "der", type: "spki" }).subarray(-32)
  return JSON.stringify([...seed, ...account])
}

function keyOfFault({ at, name }: StrangeFault): string {
  return `${at} ${name}`
}

function isNamed(
  { sentence, about, todo, command }: Overview["problems"][number],
  { at, says, todo: remedy }: StrangeFault,
): boolean {
  const isAbout = new RegExp(`(^|[ ,])${at}([ ,]|$)`)
  return (
    isAbout.test(`${about} ${sentence}`) &&
    says.test(sentence) &&
    remedy.test(`${todo} ${command ?? ""}`)
  )
}

function dump(name: string, what: object): void {
  const folder = process.env["STRANGE_DUMP"]
  if (folder === undefined) return
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${name}.json`), JSON.stringify(what, null, 1))
}

function configOf(stub: StrangeStub, dir: string, port: number): object {
  const prices: Readonly<Record<string, string>> = {
    "milli_chain:eth": "price-comma",
    "plain_chain:eth": "price-null",
    "empty_chain:eth": "price-endless",
    "huge_chain:eth": "price-429",
    "alias_chain:eth": "price-401",
    "expired_chain:eth": "price-451",
    "client_chain:eth": "price-mute",
    "ssh_chain:eth": "price-late",
    "upgrade_chain:eth": "price-list",
    "origin_chain:eth": "price-521",
    "list_chain:eth": "price-418",
  }
  const source = (asset: string, name: string): object => ({
    asset,
    url: stub.urlOf(name),
    path: "price",
    ...(name === "price-late" ? { time_path: "at" } : {}),
  })
  const receiverOf = (at: string): object => {
    if (at === "lost_desk") return { kind: "webhook", url: "http://no-such-host.invalid/hook" }
    const server = { kind: "email", host: "127.0.0.1", port: stub.mailPort, tls: "none" }
    const people = { from: "a@example.com", to: ["b@example.com"] }
    if (at === "nobody_desk") return { ...server, ...people }
    if (at !== "mail_desk") return { kind: "webhook", url: stub.urlOf(at) }
    return { ...server, ...people, user: "me", password: "env:MAIL_PASSWORD" }
  }
  return {
    services: Object.fromEntries(SERVICES.map(({ at }) => [at, { url: stub.urlOf(at) }])),
    data_dir: join(dir, "data"),
    ops: { listen: `127.0.0.1:${port}`, token: "env:BALLAST_OPS_TOKEN" },
    chains: Object.fromEntries(CHAINS.map((at) => [at, chainOf(at, stub)])),
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
        ...Object.entries(prices).map(([asset, name]) => source(asset, name)),
        source("prose_chain:eth", "price-dollars"),
        source("prose_chain:eth", "price-euros"),
      ],
    },
    health: { check_every: "1s", alarm_after: "5s" },
    alerts: {
      receivers: Object.fromEntries(RECEIVERS.map(({ at }) => [at, receiverOf(at)])),
      group_for: "1s",
    },
  }
}

function chainOf(at: string, stub: StrangeStub): object {
  const url = stub.urlOf(at)
  const key = `env:KEY_OF_${at}`
  if (at.includes("sol")) return { preset: "solana_testnet", rpc: [url], key }
  if (/feeless|explorer|core/.test(at))
    return { family: "bitcoin", network: "signet", esplora: [url], key }
  if (at.includes("stark"))
    return {
      family: "starknet",
      chain_id: "SN_SEPOLIA",
      rpc: [url],
      key,
      account: `${ACCOUNT}${ACCOUNT_ENDS[at] ?? "8"}`,
    }
  const rpc = at === "both_chain" ? [url, url.replace("127.0.0.1", "127.0.0.2")] : [url]
  return { family: "evm", chain_id: 84_532, rpc, key }
}

function nativeOf(at: string): readonly [string, number] {
  if (at.includes("sol")) return ["sol", 9]
  if (at.includes("stark")) return ["strk", 18]
  return /feeless|explorer|core/.test(at) ? ["btc", 8] : ["eth", 18]
}

function flat(text: string): string {
  return text.replace(/\s+/g, " ")
}
