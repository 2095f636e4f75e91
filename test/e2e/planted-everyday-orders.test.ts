import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { Overview } from "../../src/core/health/describe-overview.ts"
import { chainOf } from "../support/e2e-chain.ts"
import { runBallast } from "../support/e2e-cli.ts"
import { writeE2eConfig } from "../support/e2e-config.ts"
import {
  EVERYDAY_CALL_FAULTS,
  EVERYDAY_METHOD_FAULTS,
  EVERYDAY_RULE_FAULTS,
} from "../support/everyday-faults.ts"
import { type SpoilingProxy, startSpoilingProxy } from "../support/fresh-calls.ts"
import {
  type SandboxProcess,
  startDaemonProcess,
  startSandboxProcess,
  until,
} from "../support/sandbox-process.ts"
import type { StrangeFault } from "../support/strange-faults.ts"

const PROMISED_MS = 60_000
const BASE = "base_sepolia"
const ETHEREUM = "ethereum_sepolia"
/**
 * Each fault of a call has a pair of its own. No rule sells an asset that another one buys: an
 * order without a quote would hold it.
 */
const PAIRS: Readonly<Record<string, readonly [string, string]>> = {
  quote_half: [`${BASE}:wbtc`, `${ETHEREUM}:wbtc`],
  quote_min: [`${BASE}:cbbtc`, `${ETHEREUM}:cbbtc`],
  quote_other: [`${BASE}:wbtc`, `${ETHEREUM}:cbbtc`],
  create_payee: [`${BASE}:cbbtc`, `${ETHEREUM}:wbtc`],
  create_hash: [`${BASE}:wbtc`, "solana_testnet:usdc"],
  create_lock: ["starknet_sepolia:wbtc", `${ETHEREUM}:wbtc`],
  dust_rule: [`${BASE}:wbtc`, `${ETHEREUM}:wbtc`],
}
const RULES: Readonly<Record<string, object>> = { dust_rule: { amount: "0.0000001" } }
/** The way of the order that meets the fault of its first chain. */
const WAYS: Readonly<Record<string, readonly [string, string]>> = {
  [BASE]: [`${BASE}:wbtc`, "solana_testnet:usdc"],
  [ETHEREUM]: [`${ETHEREUM}:wbtc`, "bitcoin_testnet:btc"],
  bitcoin_testnet: ["bitcoin_testnet:btc", `${BASE}:wbtc`],
  solana_testnet: ["solana_testnet:usdc", `${BASE}:wbtc`],
  starknet_sepolia: ["starknet_sepolia:wbtc", `${BASE}:wbtc`],
}
const AMOUNTS: Readonly<Record<string, string>> = { eth: "0.01", usdc: "50" }
const CHAIN_NAMES = Object.keys(WAYS)
/** An alert is made of each problem, so that the problem is what counts. */
const ALL = [...EVERYDAY_CALL_FAULTS, ...EVERYDAY_METHOD_FAULTS, ...EVERYDAY_RULE_FAULTS]

describe("an everyday fault in the calls of orders", () => {
  const seen = new Map<string, Seen>()
  const last: Record<string, unknown> = {}
  let sandbox: SandboxProcess
  let proxy: SpoilingProxy

  const runPhase = async (
    name: string,
    faults: readonly StrangeFault[],
    patch: Record<string, unknown>,
  ) => {
    const health = { check_every: "1s", alarm_after: "5s" }
    const rules = faults.map(({ at }) => ruleOf(at))
    const guards = {
      approve_above: null,
      max_order: "10000 usd",
      cooldown_after_failure: "1s",
      max_in_flight: 20,
      max_in_flight_per_pair: 1,
      windows: [],
    }
    const whole = { health, rules, guards, ...patch }
    const config = await writeE2eConfig(sandbox, name, whole, { deposit: "onchain" })
    const daemon = startDaemonProcess(config)
    await daemon.serves()
    const plantedMs = Date.now()
    const named = async (): Promise<boolean> => {
      // CAST: the daemon's own answer.
      const overview = (await daemon.call("GET", "/api/v1/overview")).body as Overview
      last[name] = overview.problems
      for (const fault of faults) {
        const found = overview.problems.find((one) => isNamed(one, fault))
        if (found === undefined) continue
        const before = seen.get(fault.at)
        seen.set(fault.at, {
          ms: before?.ms ?? Date.now() - plantedMs,
          surfaces: before?.surfaces ?? new Map(),
        })
      }
      return faults.every(({ at }) => seen.has(at))
    }
    await until("each is named", named, PROMISED_MS).catch(() => undefined)
    for (const command of ["status", "doctor"]) {
      const args = [command, "--config", config.file]
      const { stdout } = await runBallast(args, { env: config.env, timeoutMs: 120_000 })
      last[`${name} ${command}`] = stdout
      for (const { at, says } of faults)
        seen.get(at)?.surfaces.set(command, says.test(stdout.replace(/\s+/g, " ")))
    }
    last[`${name} orders`] = (await daemon.call("GET", "/api/v1/orders")).body
    last[`${name} rules`] = (await daemon.call("GET", "/api/v1/rules")).body
    await daemon.stop()
    const folder = process.env["STRANGE_DUMP"]
    if (folder !== undefined)
      writeFileSync(join(folder, "everyday-orders.json"), JSON.stringify(last, null, 1))
  }

  const chainsOf = (faults: readonly StrangeFault[]) =>
    Object.fromEntries(
      faults.map(({ at }) => {
        const name = chainIn(at) ?? ""
        const { url } = chainOf(sandbox, name)
        const key = name === "bitcoin_testnet" ? "esplora" : "rpc"
        return [name, { [key]: [proxy.chainOf(at, url)] }]
      }),
    )

  beforeAll(async () => {
    sandbox = await startSandboxProcess()
    proxy = await startSpoilingProxy(sandbox.service, PAIRS)
    const serviceOf = (at: string): object => ({
      url: proxy.serviceOf(at),
      app_id: "ballast-sandbox",
      poll: { min: "1s", max: "1s" },
    })
    const services = Object.fromEntries(EVERYDAY_CALL_FAULTS.map(({ at }) => [at, serviceOf(at)]))
    await runPhase("calls", EVERYDAY_CALL_FAULTS, { service: null, services })
    const faults = EVERYDAY_METHOD_FAULTS
    await runPhase("methods", faults, { chains: chainsOf(faults) })
    await runPhase("rules", EVERYDAY_RULE_FAULTS, {})
  }, 900_000)
  afterAll(async () => {
    await sandbox?.stop()
    await proxy?.stop()
  })

  test.each(ALL)("$at: $name: the overview, `status` and doctor name it", ({ at }) => {
    const said = seen.get(at)
    expect(said, JSON.stringify(last).slice(0, 5_000)).toBeDefined()
    expect(said?.ms).toBeLessThan(PROMISED_MS)
    expect(Object.fromEntries(said?.surfaces ?? [])).toEqual({ status: true, doctor: true })
  })
})

type Seen = {
  readonly ms: number
  readonly surfaces: Map<string, boolean>
}

function chainIn(at: string): string | undefined {
  return CHAIN_NAMES.find((name) => at.endsWith(name))
}

function ruleOf(at: string): object {
  const [from = "", to = ""] = PAIRS[at] ?? WAYS[chainIn(at) ?? ""] ?? []
  const amount = AMOUNTS[from.split(":")[1] ?? ""] ?? "0.001"
  return { id: at, kind: "recurring", schedule: "*/5 * * * * *", from, to, amount, ...RULES[at] }
}

function isNamed(
  { sentence, about, todo, command }: Overview["problems"][number],
  { at, says, todo: remedy }: StrangeFault,
): boolean {
  const chain = chainIn(at)
  const isAbout = [at, chain].some(
    (one) => one !== undefined && `${about} ${sentence}`.includes(one),
  )
  return isAbout && says.test(sentence) && remedy.test(`${todo} ${command ?? ""}`)
}
