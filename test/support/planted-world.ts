import { createPrivateKey, createPublicKey } from "node:crypto"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { TEST_NETWORK, WIF } from "@scure/btc-signer"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { Overview } from "../../src/core/health/describe-overview.ts"
import { type CliResult, runBallast } from "./e2e-cli.ts"
import { freePort } from "./free-port.ts"
import type { PlantedFault } from "./ordinary-faults.ts"
import { type DaemonProcess, startDaemonProcess, TOKEN, until } from "./sandbox-process.ts"
import { temporaryFolder } from "./temporary-folder.ts"

/** One idle daemon with many chains, services, prices and receivers, each with a fault. */
export type PlantedWorld<Stub extends WorldStub> = {
  readonly name: string
  readonly nodes: readonly PlantedFault[]
  readonly services: readonly PlantedFault[]
  readonly prices: readonly PlantedFault[]
  readonly receivers: readonly PlantedFault[]
  readonly start: () => Promise<Stub>
  /** Chains without a fault. */
  readonly healthy?: readonly string[]
  /** The names in the stub of the endpoints of a chain that has several. */
  readonly endpoints?: Readonly<Record<string, readonly string[]>>
  /** Besides the coin of each chain. */
  readonly assets: Readonly<Record<string, object>>
  readonly sources: (stub: Stub) => readonly object[]
  readonly receiversOf: (stub: Stub) => Readonly<Record<string, object>>
  readonly env: (stub: Stub) => Readonly<Record<string, string>>
  /** The name of the fault of this place in the stub. */
  readonly stubNames: Readonly<Record<string, string>>
}

export type WorldStub = {
  readonly urlOf: (name: string) => string
  readonly hasSpoiled: (name: string) => boolean
  readonly stop: () => Promise<void>
}

const ACCOUNT = "0x04462f242e56a2d6f2cf00762efccddf8b429a19eb8f93c8c7bc95e47807d26"
const PROMISED_MS = 60_000
const KEYS = join(import.meta.dirname, "..", "..", "config", "sandbox-keys")

/** The overview, `status` and an alarm name each fault; `doctor` those of nodes and services. */
export function testPlantedWorld<Stub extends WorldStub>(world: PlantedWorld<Stub>): void {
  const asked = [...world.nodes, ...world.services, ...world.prices, ...world.receivers]
  const diagnosed = asked.filter((one) => !world.receivers.includes(one))
  const isNamed = (problem: Problem, fault: PlantedFault): boolean =>
    isAbout(problem, fault) && world.prices.includes(fault) === problem.code.startsWith("prices.")
  describe(`a fault of the ${world.name} list in an idle world`, () => {
    const seen = new Map<string, { readonly ms: number; isAlarmed: boolean }>()
    let stub: Stub
    let overview: Overview
    let status = ""
    let doctor: CliResult

    const readNamed = async (daemon: DaemonProcess, plantedMs: number): Promise<boolean> => {
      // CAST: the daemon's own answer.
      overview = (await daemon.call("GET", "/api/v1/overview")).body as Overview
      for (const fault of asked) {
        const found = overview.problems.find((one) => isNamed(one, fault))
        if (found === undefined) continue
        const known = seen.get(fault.name) ?? { ms: Date.now() - plantedMs, isAlarmed: false }
        known.isAlarmed ||= overview.alarms.some(({ reason }) => reason.code === found.code)
        seen.set(fault.name, known)
      }
      return asked.every(({ name }) => seen.get(name)?.isAlarmed)
    }

    beforeAll(async () => {
      const dir = temporaryFolder(`ballast-e2e-${world.name}`)
      const file = join(dir, "ballast.yaml")
      const port = await freePort()
      stub = await world.start()
      const { config, env } = configOf(world, stub, { dir, port })
      writeFileSync(file, JSON.stringify(config), { mode: 0o600 })
      const daemon = startDaemonProcess({ file, port }, env)
      await daemon.serves()
      const plantedMs = Date.now()
      const named = () => readNamed(daemon, plantedMs)
      await until("each fault is named, with an alarm", named, PROMISED_MS).catch(() => undefined)
      status = (await runBallast(["status", "--config", file], { env })).stdout
      doctor = await runBallast(["doctor", "--config", file], { env, timeoutMs: 120_000 })
      await daemon.stop()
      const dump = { problems: overview.problems, status, doctor: doctor.stdout }
      dumpSeen(`${world.name}-world.json`, JSON.stringify(dump, null, 1))
    }, 400_000)
    afterAll(() => stub?.stop())

    test.each(asked)("$at: $name: the overview, `status` and an alarm name it", (fault) => {
      expect(stub.hasSpoiled(world.stubNames[fault.at] ?? fault.at), fault.shows).toBe(true)
      const about = overview.problems.filter((one) =>
        `${one.about} ${one.sentence}`.includes(fault.at),
      )
      const said = seen.get(fault.name)
      expect(said?.ms, JSON.stringify(about, null, 1)).toBeLessThan(PROMISED_MS)
      const lines = status.split(/\n(?=[!-] )/).map(flat)
      expect(lines.filter((line) => fault.says.test(line))).not.toEqual([])
      expect(said?.isAlarmed).toBe(true)
    })

    test.each(diagnosed)("$at: $name: doctor names it", ({ at, says }) => {
      const lines = flat(doctor.stdout).split(/(?=\b(?:ok|WARN|FAIL|warn|fail) )/)
      const about = lines.filter((line) => line.includes(at))
      expect(
        about.filter((line) => says.test(line)),
        about.join("\n"),
      ).not.toEqual([])
    })
  })
}

/** For a look at what a run has said. */
export function dumpSeen(file: string, text: string): void {
  const folder = process.env["STRANGE_DUMP"]
  if (folder !== undefined) writeFileSync(join(folder, file), text)
}

type Problem = Overview["problems"][number]

function isAbout(
  { sentence, about, todo, command }: Problem,
  { at, says, todo: remedy }: PlantedFault,
): boolean {
  const place = new RegExp(`(^|[ ,])${at}([ ,:]|$)`)
  return (
    place.test(`${about} ${sentence}`) &&
    says.test(sentence) &&
    remedy.test(`${todo} ${command ?? ""}`)
  )
}

function configOf<Stub extends WorldStub>(
  world: PlantedWorld<Stub>,
  stub: Stub,
  { dir, port }: { readonly dir: string; readonly port: number },
) {
  const names = world.nodes.map(({ at }) => at.replace(/:.*/, ""))
  const chains = [...new Set([...names, ...(world.healthy ?? [])])]
  const keys = Object.fromEntries(chains.map((at, index) => [`KEY_OF_${at}`, keyOf(at, index)]))
  const config = {
    services: Object.fromEntries(world.services.map(({ at }) => [at, { url: stub.urlOf(at) }])),
    data_dir: join(dir, "data"),
    ops: { listen: `127.0.0.1:${port}`, token: "env:BALLAST_OPS_TOKEN" },
    chains: Object.fromEntries(
      chains.map((at, index) => [at, chainOf(world, stub, { at, index })]),
    ),
    assets: { ...Object.fromEntries(chains.map(coinOf)), ...world.assets },
    signer: { run: "inside" },
    prices: { trust_service: true, sources: world.sources(stub) },
    health: { check_every: "1s", alarm_after: "5s" },
    alerts: { receivers: world.receiversOf(stub), group_for: "1s" },
  }
  return { config, env: { ...keys, BALLAST_OPS_TOKEN: TOKEN, ...world.env(stub) } }
}

/** EVM unless the name of the chain says another family. */
function chainOf<Stub extends WorldStub>(
  world: PlantedWorld<Stub>,
  stub: Stub,
  { at, index }: { readonly at: string; readonly index: number },
): object {
  const urls = (world.endpoints?.[at] ?? [at]).map((name) => stub.urlOf(name))
  const key = `env:KEY_OF_${at}`
  const account = `${ACCOUNT}${index % 10}`
  if (at.includes("stark"))
    return { family: "starknet", chain_id: "SN_SEPOLIA", rpc: urls, key, account }
  if (at.includes("btc")) return { family: "bitcoin", network: "regtest", esplora: urls, key }
  if (at.includes("sol")) return { preset: "solana_testnet", rpc: urls, key }
  return { family: "evm", chain_id: 84_532, rpc: urls, key }
}

function keyOf(at: string, index: number): string {
  // Two names of one wallet would be a mistake of their own.
  if (at.includes("btc")) return WIF(TEST_NETWORK).encode(new Uint8Array(32).fill(index + 16))
  if (at.includes("stark")) return readFileSync(join(KEYS, "starknet"), "utf8").trim()
  if (at.includes("sol")) return solanaKeyOf(index + 16)
  return `0x${(index + 16).toString(16).repeat(32)}`
}

/** Before the 32 bytes of a private key of Ed25519 (RFC 8410, 10.3). */
const ED25519 = Buffer.from("302e020100300506032b657004220420", "hex")

function solanaKeyOf(byte: number): string {
  const seed = Buffer.alloc(32, byte)
  const key = { key: Buffer.concat([ED25519, seed]), format: "der", type: "pkcs8" } as const
  const { x = "" } = createPublicKey(createPrivateKey(key)).export({ format: "jwk" })
  return JSON.stringify([...seed, ...Buffer.from(x, "base64url")])
}

function coinOf(at: string): readonly [string, object] {
  if (at.includes("stark")) return [`${at}:strk`, { decimals: 18 }]
  if (at.includes("sol")) return [`${at}:sol`, { decimals: 9 }]
  return at.includes("btc") ? [`${at}:btc`, { decimals: 8 }] : [`${at}:eth`, { decimals: 18 }]
}

function flat(text: string): string {
  return text.replace(/\s+/g, " ")
}
