import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { Overview } from "../../src/core/health/describe-overview.ts"
import { chainOf } from "./e2e-chain.ts"
import { runBallast } from "./e2e-cli.ts"
import { writeE2eConfig } from "./e2e-config.ts"
import { type SpoilingProxy, startSpoilingProxy } from "./fresh-calls.ts"
import type { PlantedFault } from "./ordinary-faults.ts"
import { dumpSeen } from "./planted-world.ts"
import {
  type SandboxProcess,
  startDaemonProcess,
  startSandboxProcess,
  until,
} from "./sandbox-process.ts"

/** Orders of a running sandbox behind a proxy that spoils calls. */
export type PlantedOrders = {
  readonly name: string
  /** Each a service of its own. */
  readonly calls: readonly PlantedFault[]
  /** Each a chain of the sandbox, which the name ends with. */
  readonly methods: readonly PlantedFault[]
  /** The pair of each call. No rule sells an asset that another one buys without a quote. */
  readonly pairs: Readonly<Record<string, readonly [string, string]>>
  /** The pair of the order that meets the fault of its first chain. */
  readonly ways: Readonly<Record<string, readonly [string, string]>>
  /** Keys of a rule, besides schedule, pair and amount. */
  readonly rules?: Readonly<Record<string, object>>
}

const PROMISED_MS = 60_000
const AMOUNTS: Readonly<Record<string, string>> = { eth: "0.01", usdc: "50" }

export function testPlantedOrders(list: PlantedOrders): void {
  const { name: listName, calls, methods, pairs } = list
  const chains = Object.keys(list.ways)
  const chainIn = (at: string): string | undefined => chains.find((one) => at.endsWith(one))
  const ruleOf = ({ at }: PlantedFault): object => {
    const [from = "", to = ""] = pairs[at] ?? list.ways[chainIn(at) ?? ""] ?? []
    const amount = AMOUNTS[from.split(":")[1] ?? ""] ?? "0.001"
    const schedule = "*/5 * * * * *"
    return { id: at, kind: "recurring", schedule, from, to, amount, ...list.rules?.[at] }
  }
  const isNamed = (problem: Problem, fault: PlantedFault): boolean => {
    const { sentence, about, todo, command } = problem
    const places = [fault.at, chainIn(fault.at) ?? fault.at]
    const isAbout = places.some((one) => `${about} ${sentence}`.includes(one))
    return isAbout && fault.says.test(sentence) && fault.todo.test(`${todo} ${command ?? ""}`)
  }
  describe(`a fault of the ${listName} list in the calls of orders`, () => {
    const seen = new Map<string, Seen>()
    const last: Record<string, unknown> = {}
    let sandbox: SandboxProcess
    let proxy: SpoilingProxy

    const runPhase = async (
      phase: string,
      faults: readonly PlantedFault[],
      patch: Record<string, unknown>,
    ): Promise<void> => {
      const whole = { ...BASE, rules: faults.map(ruleOf), ...patch }
      const name = `${listName}-${phase}`
      const config = await writeE2eConfig(sandbox, name, whole, { deposit: "onchain" })
      const daemon = startDaemonProcess(config)
      await daemon.serves()
      const plantedMs = Date.now()
      const named = async (): Promise<boolean> => {
        // CAST: the daemon's own answer.
        const overview = (await daemon.call("GET", "/api/v1/overview")).body as Overview
        last[phase] = overview.problems
        for (const fault of faults) {
          if (seen.has(fault.at) || !overview.problems.some((one) => isNamed(one, fault))) continue
          seen.set(fault.at, { ms: Date.now() - plantedMs, surfaces: {} })
        }
        return faults.every(({ at }) => seen.has(at))
      }
      await until("each is named", named, PROMISED_MS).catch(() => undefined)
      for (const command of ["status", "doctor"]) {
        const args = [command, "--config", config.file]
        const { stdout } = await runBallast(args, { env: config.env, timeoutMs: 120_000 })
        last[`${phase} ${command}`] = stdout
        for (const { at, says } of faults) {
          const one = seen.get(at)
          if (one !== undefined) one.surfaces[command] = says.test(stdout.replace(/\s+/g, " "))
        }
      }
      last[`${phase} orders`] = (await daemon.call("GET", "/api/v1/orders")).body
      last[`${phase} rules`] = (await daemon.call("GET", "/api/v1/rules")).body
      await daemon.stop()
      dumpSeen(`${listName}-orders.json`, JSON.stringify(last, null, 1))
    }

    const chainsOf = (faults: readonly PlantedFault[]) =>
      Object.fromEntries(
        faults.map(({ at }) => {
          const name = chainIn(at) ?? ""
          const key = name === "bitcoin_testnet" ? "esplora" : "rpc"
          return [name, { [key]: [proxy.chainOf(at, chainOf(sandbox, name).url)] }]
        }),
      )

    beforeAll(async () => {
      sandbox = await startSandboxProcess()
      proxy = await startSpoilingProxy(sandbox.service, pairs)
      const serviceOf = ({ at }: PlantedFault): readonly [string, object] => [
        at,
        {
          url: proxy.serviceOf(at),
          app_id: "ballast-sandbox",
          poll: { min: "1s", max: "1s" },
        },
      ]
      const services = Object.fromEntries(calls.map(serviceOf))
      await runPhase("calls", calls, { service: null, services })
      await runPhase("methods", methods, { chains: chainsOf(methods) })
    }, 900_000)
    afterAll(async () => {
      await sandbox?.stop()
      await proxy?.stop()
    })

    test.each([...calls, ...methods])("$at: $name: it is named", ({ at, shows }) => {
      expect(proxy.hasSpoiled(at), shows).toBe(true)
      const said = seen.get(at)
      expect(said, JSON.stringify(last).slice(0, 5_000)).toBeDefined()
      expect(said?.ms).toBeLessThan(PROMISED_MS)
      expect(said?.surfaces).toEqual({ status: true, doctor: true })
    })
  })
}

type Problem = Overview["problems"][number]
type Seen = { readonly ms: number; readonly surfaces: Record<string, boolean> }

const BASE = {
  health: { check_every: "1s", alarm_after: "5s" },
  guards: {
    approve_above: null,
    max_order: "10000 usd",
    cooldown_after_failure: "1s",
    max_in_flight: 20,
    max_in_flight_per_pair: 1,
    windows: [],
  },
}
