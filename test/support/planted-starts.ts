import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { runBallast } from "./e2e-cli.ts"
import { freePort } from "./free-port.ts"
import type { PlantedFault } from "./ordinary-faults.ts"
import { dumpSeen } from "./planted-world.ts"
import { startDaemonProcess, TOKEN } from "./sandbox-process.ts"
import { temporaryFolder } from "./temporary-folder.ts"
import { startUnlistedStub, UNLISTED_TOKEN, type UnlistedStub } from "./unlisted-stub.ts"

/** Starts of `ballast run`, each with a configuration and a folder of its own. */
export type PlantedStarts = {
  readonly name: string
  readonly faults: readonly PlantedFault[]
  /** What the start differs in. May write into `home`. */
  readonly plants: Readonly<Record<string, (place: StartPlace) => StartChange>>
  /** A server of the rows beside the good node. */
  readonly open?: () => Promise<{ readonly port: number; readonly stop: () => Promise<void> }>
  readonly env?: Readonly<Record<string, Readonly<Record<string, string>>>>
}

export type StartPlace = {
  readonly home: string
  /** The URL of a good node. */
  readonly node: string
  readonly chain: object
  readonly ops: object
  /** The port of the server beside it. */
  readonly port: number
}

export type StartChange = {
  /** Keys of the configuration. */
  readonly config?: object
  /** The fact by which the fault is planted; read before the start. */
  readonly isPlanted: () => boolean
}

const ENV: Record<string, string> = { BALLAST_OPS_TOKEN: TOKEN }
const KEY = `0x${"4c".repeat(32)}`
/** Longer than any start that refuses, and as long as a daemon needs for its first alarms. */
const PATIENCE_MS = 20_000
export const START_COIN = "some_chain:eth"
export const START_TOKEN = "some_chain:usdc"

export function testPlantedStarts({ name, faults, plants, open, env }: PlantedStarts): void {
  describe(`a start of the ${name} list`, () => {
    const dir = temporaryFolder(`ballast-e2e-${name}-starts`)
    const said = new Map<string, Said>()
    let stub: UnlistedStub
    let server: { readonly port: number; readonly stop: () => Promise<void> } | undefined

    const start = async ({ at }: PlantedFault): Promise<void> => {
      const home = join(dir, at)
      mkdirSync(home, { mode: 0o700 })
      const file = join(home, "ballast.yaml")
      const port = await freePort()
      writeFileSync(join(home, "key"), KEY, { mode: 0o600 })
      const whole = configOf(home, stub, port)
      const chain = whole.chains.some_chain
      const node = stub.urlOf("good_chain")
      const change = plants[at]?.({ home, node, chain, ops: whole.ops, port: server?.port ?? 0 })
      if (change === undefined) throw new Error(`no planting of ${at}`)
      writeFileSync(file, JSON.stringify({ ...whole, ...change.config }), { mode: 0o600 })
      const isPlanted = change.isPlanted()
      const daemon = startDaemonProcess({ file, port }, { ...ENV, ...env?.[at] })
      const rest = new Promise<null>((resolve) => setTimeout(() => resolve(null), PATIENCE_MS))
      const ended = await Promise.race([daemon.exited, rest])
      const asked = { env: { ...ENV, ...env?.[at] }, cwd: home, timeoutMs: 20_000 }
      const status = await runBallast(["status", "--config", file], asked)
      said.set(at, {
        isPlanted,
        code: ended === null ? null : ended.code,
        run: plain(daemon.output(), dir),
        status: plain(status.stdout + status.stderr, dir),
      })
      daemon.child.kill("SIGKILL")
      await daemon.exited
    }

    beforeAll(async () => {
      stub = await startUnlistedStub()
      server = await open?.()
      for (const fault of faults) await start(fault)
      dumpSeen(`${name}-starts.json`, JSON.stringify([...said], null, 1))
    }, 900_000)
    afterAll(async () => {
      stub?.stop()
      await server?.stop()
    })

    test.each(faults)("$at: $name: `run` and `status` name it", ({ at, says, todo, shows }) => {
      const { isPlanted, code, run, status } = said.get(at) ?? NOTHING
      expect(isPlanted, shows).toBe(true)
      if (code !== null) {
        expect(run).toMatch(says)
        expect(run).toMatch(todo)
        expect([75, 78]).toContain(code)
      }
      expect(status).toMatch(says)
      expect(status).toMatch(todo)
    })
  })
}

/** `code` is null of a daemon that runs on. */
type Said = {
  readonly isPlanted: boolean
  readonly code: number | null
  readonly run: string
  readonly status: string
}

const NOTHING: Said = { isPlanted: false, code: null, run: "", status: "" }

function configOf(home: string, stub: UnlistedStub, port: number) {
  const rpc = [stub.urlOf("good_chain")]
  return {
    services: { main: { url: stub.urlOf("good_chain") } },
    data_dir: join(home, "data"),
    ops: { listen: `127.0.0.1:${port}`, token: "env:BALLAST_OPS_TOKEN" },
    chains: {
      some_chain: { family: "evm", chain_id: 84_532, rpc, key: `file:${join(home, "key")}` },
    },
    assets: {
      [START_COIN]: { decimals: 18 },
      [START_TOKEN]: { decimals: 8, token: UNLISTED_TOKEN },
    },
    prices: { trust_service: true },
    signer: { run: "inside" },
    health: { check_every: "1s", alarm_after: "5s" },
  }
}

/** Without the folders of the test, whose names would fit the words of a fault. */
function plain(text: string, dir: string): string {
  const end = "(?=(/(data|key)\\b|/ballast\\.yaml|[^\\w./-]|$))"
  return text.replace(new RegExp(`${dir}[\\w./-]*?${end}`, "g"), "").replace(/\s+/g, " ")
}
