import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { loadConfig } from "#config/load.ts"
import type { EngineContext } from "#engine/context.ts"
import { systemClock } from "#lib/clock.ts"
import { silentLogger } from "#lib/log.ts"
import { compose } from "../compose.ts"
import { createReloader, type Reloader } from "./reload.ts"

const KEY = "0x4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318"
const OTHER_KEY = "0x5c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318"

let folder: string
let file: string
let context: EngineContext
let reloader: Reloader
let applied: number
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "reload-"))
  file = join(folder, "b.yaml")
  writeFileSync(join(folder, "evm.key"), KEY)
  write()
  const started = loadConfig(file, {})
  const live = await compose(started.config, { clock: systemClock, log: silentLogger })
  context = live.context
  applied = 0
  const onChange = async (): Promise<void> => {
    applied += 1
  }
  reloader = createReloader(live, started, {
    source: () => loadConfig(file, {}),
    onRead: () => undefined,
    onChange,
  })
})
afterEach(() => {
  context.journal.close()
  rmSync(folder, { recursive: true })
})

const evmChain = (chainId: number, port: number): string =>
  `{ family: evm, chain_id: ${chainId}, rpc: ["http://127.0.0.1:${port}"], key: "file:evm.key" }`

const RULE =
  '{ id: dca, kind: recurring, schedule: "0 9 * * MON", from: base_sepolia:eth, ' +
  'to: arbitrum_sepolia:eth, amount: "0.01" }'

// A sandbox may run beside the tests, so no node is at a port that it would take.
const TEXT = (): string => `service: { url: "http://127.0.0.1:4400/path-with-a-key" }
data_dir: ${join(folder, "data")}
chains:
  base_sepolia: ${evmChain(84532, 2)}
  arbitrum_sepolia: ${evmChain(421614, 3)}
assets:
  base_sepolia:eth: { decimals: 18, htlc: ["0x1111111111111111111111111111111111111111"] }
  arbitrum_sepolia:eth: { decimals: 18, htlc: ["0x1111111111111111111111111111111111111111"] }
rules:
  - ${RULE}
guards: { max_in_flight: 4 }
`

function write(change: (text: string) => string = (text) => text): void {
  writeFileSync(file, change(TEXT()))
}

function openOrder(service: string | null = null): void {
  const [from, to] = [...context.settings.assets.keys()]
  if (!from || !to) throw new Error("two assets are configured")
  context.journal.openOrder(
    {
      id: "a",
      state: "funded",
      outcome: null,
      rule: "dca",
      from,
      to,
      sourceUnits: 1n,
      sourceFiat: null,
      feeFiat: null,
      feeUnits: 0n,
      countedAtMs: 1,
      deposited: true,
      secretHash: null,
      service,
      createdAtMs: 1,
      updatedAtMs: 1,
      snapshot: "{}",
    },
    { atMs: 1, type: "order.opened", state: "funded", body: "{}" },
    null,
    null,
  )
}

const refusedKeys = async (): Promise<unknown> => {
  const result = await reloader.reload()
  return result.ok ? [] : result.reasons.map(({ code, key }) => `${code} ${key}`)
}

describe("a reload", () => {
  test("of an unchanged file changes nothing, and says so", async () => {
    const before = context.settings
    expect(await reloader.reload()).toMatchObject({ ok: true, differences: [] })
    expect(context.settings).toBe(before)
    expect(applied).toBe(0)
  })

  test("shows the difference and puts it in force, with the hash of the new configuration", async () => {
    const before = await reloader.reload()
    write((text) =>
      text
        .replace("max_in_flight: 4", "max_in_flight: 5, max_cost: 60bps")
        .replace('amount: "0.01"', 'amount: "0.02"')
        .replace("/path-with-a-key", "/path-with-another-key"),
    )
    const result = await reloader.reload()
    expect(result).toMatchObject({
      ok: true,
      differences: [
        {
          key: "service.url",
          change: "changed",
          from: "http://127.0.0.1:4400/…",
          to: "http://127.0.0.1:4400/…",
        },
        { key: "rules.dca.amount", change: "changed", from: "0.01", to: "0.02" },
        { key: "guards.max_in_flight", change: "changed", from: "4", to: "5" },
        { key: "guards.max_cost", change: "added", from: null, to: "60bps" },
      ],
    })
    expect(JSON.stringify(result)).not.toContain("another-key")
    expect(result.ok && result.configHash).not.toBe(before.ok && before.configHash)
    expect(context.settings.limits.maxInFlight).toBe(5)
    expect(applied).toBe(1)
  })

  test("of a bad file changes nothing, and names the fault with line and column", async () => {
    const before = context.settings
    write((text) => text.replace("max_in_flight: 4", "max_in_flite: 4"))
    expect(await reloader.reload()).toMatchObject({
      ok: false,
      reasons: [
        {
          code: "config.invalid",
          message: expect.stringContaining("b.yaml:11:11: guards.max_in_flite"),
        },
      ],
    })
    rmSync(file)
    expect(await reloader.reload()).toMatchObject({
      ok: false,
      reasons: [{ code: "config.unreadable" }],
    })
    expect(context.settings).toBe(before)
  })

  test("restarts a schedule that changed, or whose rule was disabled", async () => {
    const flag = "rule/dca/settled-until"
    context.journal.writeFlag(flag, "1")
    write((text) => text.replace("max_in_flight: 4", "max_in_flight: 5"))
    await reloader.reload()
    expect(context.journal.readFlag(flag)).toBe("1")
    write((text) => text.replace("0 9 * * MON", "0 * * * *"))
    await reloader.reload()
    expect(Number(context.journal.readFlag(flag))).toBeGreaterThan(Date.now() - 60_000)
  })

  test("keeps the ports of unchanged chains and opens new ports for the others", async () => {
    const [base, arbitrum] = [...context.chains.values()]
    write((text) => text.replace("127.0.0.1:3", "127.0.0.1:4"))
    expect((await reloader.reload()).ok).toBe(true)
    expect([...context.chains.values()][0]).toBe(base)
    expect([...context.chains.values()][1]).not.toBe(arbitrum)
  })

  test("names every key that needs a restart and changes nothing", async () => {
    const before = context.settings
    write((text) =>
      `${text}ops: { listen: "127.0.0.1:7099" }\n`
        .replace("/data", "/elsewhere")
        .replace("flight: 4", "flight: 5"),
    )
    expect(await refusedKeys()).toEqual([
      "reload.restart_needed data_dir",
      "reload.restart_needed ops.listen",
    ])
    expect(context.settings).toBe(before)
  })

  test("removes chains, keys and assets only without orders in flight there", async () => {
    const without = (text: string): string =>
      text.replace(/ {2}arbitrum_sepolia.*\n/g, "").replace(/rules:\n.*\n/, "")
    openOrder()
    write(without)
    expect(await refusedKeys()).toEqual([
      "reload.restart_needed chains.arbitrum_sepolia",
      "reload.restart_needed assets.arbitrum_sepolia:eth",
    ])
    write((text) =>
      text
        .replaceAll("htlc: [", "htlc: [], token: ")
        .replaceAll("]}", "}")
        .replaceAll('"] }', '" }'),
    )
    expect(await refusedKeys()).toContain("reload.restart_needed assets.base_sepolia:eth.htlc")
    write((text) => text.replace("84532", "84533"))
    expect(await refusedKeys()).toEqual(["reload.restart_needed chains.base_sepolia.chain_id"])
    write()
    writeFileSync(join(folder, "evm.key"), OTHER_KEY)
    expect(await refusedKeys()).toEqual([
      "reload.restart_needed chains.base_sepolia.key",
      "reload.restart_needed chains.arbitrum_sepolia.key",
    ])
  })

  const toServices = (names: readonly string[]) => (text: string) =>
    text.replace(
      /^service: (.*)$/m,
      (_line, keys) => `services: { ${names.map((name) => `${name}: ${keys}`).join(", ")} }`,
    )

  test("removes a service only without orders in flight with it, and renames none", async () => {
    openOrder("main")
    write(toServices(["other"]))
    expect(await refusedKeys()).toEqual(["reload.restart_needed services.main"])
    expect([...context.services.keys()]).toEqual(["main"])
    write(toServices(["main", "other"]))
    expect(await reloader.reload()).toMatchObject({ ok: true })
    expect([...context.services.keys()]).toEqual(["main", "other"])
    write(toServices(["main"]))
    expect(await reloader.reload()).toMatchObject({ ok: true })
  })

  test("removes a chain and replaces a key without orders in flight, and never shows a key", async () => {
    const account = context.chains.values().next().value?.account
    writeFileSync(join(folder, "evm.key"), OTHER_KEY)
    const result = await reloader.reload()
    expect(result).toMatchObject({ ok: true })
    expect(result.ok && result.differences.map(({ key }) => key)).toEqual([
      "chains.base_sepolia.key",
      "chains.arbitrum_sepolia.key",
    ])
    expect(JSON.stringify(result)).not.toContain(OTHER_KEY.slice(2, 12))
    expect(context.chains.values().next().value?.account).not.toBe(account)
    write((text) => text.replace(/ {2}arbitrum_sepolia.*\n/g, "").replace(/rules:\n.*\n/, ""))
    expect((await reloader.reload()).ok).toBe(true)
    expect([...context.chains.keys()]).toEqual(["base_sepolia"])
    expect(readFileSync(file, "utf8")).not.toContain("arbitrum")
  })
})
