import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { runBallast } from "./e2e-cli.ts"
import { freePort } from "./free-port.ts"
import type { PlantedFault } from "./ordinary-faults.ts"
import { dumpSeen } from "./planted-world.ts"
import { type DaemonProcess, startDaemonProcess, TOKEN, until } from "./sandbox-process.ts"
import { temporaryFolder } from "./temporary-folder.ts"
import { startUnlistedStub, type UnlistedStub } from "./unlisted-stub.ts"

/** Faults of the machine of a daemon that runs, each with a daemon of its own. */
export type PlantedMachines = {
  readonly name: string
  readonly faults: readonly PlantedFault[]
  /** Resolves with whether the fact shows that the fault is planted. */
  readonly plants: Readonly<Record<string, (place: MachinePlace) => Promise<boolean>>>
  /** Of the daemon. */
  readonly env?: Readonly<Record<string, Readonly<Record<string, string>>>>
}

export type MachinePlace = {
  readonly daemon: DaemonProcess
  readonly data: string
  readonly port: number
  readonly file: string
  readonly env: Readonly<Record<string, string>>
  /** Called before the test ends. */
  readonly atEnd: (stop: () => Promise<void>) => void
}

const PROMISED_MS = 60_000
const SETTLED_MS = 5_000
const ENV: Record<string, string> = { BALLAST_OPS_TOKEN: TOKEN }

export function testPlantedMachines({ name, faults, plants, env }: PlantedMachines): void {
  describe(`a fault of the ${name} list on the machine`, () => {
    const dir = temporaryFolder(`ballast-e2e-${name}-machines`)
    let stub: UnlistedStub

    beforeAll(async () => {
      stub = await startUnlistedStub()
    })
    afterAll(() => stub?.stop())

    test.each(faults)(
      "$at: $name: `status` names it",
      async ({ at, says, todo, shows }) => {
        const port = await freePort()
        const file = join(dir, `${at}.yaml`)
        const key = join(dir, `${at}.key`)
        writeFileSync(key, `0x${"4c".repeat(32)}`, { mode: 0o600 })
        const data = join(dir, at)
        const config = configOf({ stub, port, key, data })
        writeFileSync(file, JSON.stringify(config), { mode: 0o600 })
        const asked = { ...ENV, ...env?.[at] }
        const daemon = startDaemonProcess({ file, port }, asked)
        const stops: (() => Promise<void>)[] = []
        const atEnd = (stop: () => Promise<void>): void => void stops.push(stop)
        let text = ""
        try {
          await daemon.serves()
          await new Promise((resolve) => setTimeout(resolve, SETTLED_MS))
          const place = { daemon, data, port, file, env: asked, atEnd }
          expect(await plants[at]?.(place), shows).toBe(true)
          const isNamed = async (): Promise<boolean> => {
            const status = await runBallast(["status", "--config", file], { env: ENV })
            text = (status.stdout + status.stderr)
              .replaceAll(data, "")
              .replaceAll(dir, "")
              .replace(/\s+/g, " ")
            return says.test(text) && todo.test(text)
          }
          await until("it is named", isNamed, PROMISED_MS).catch(() => undefined)
          dumpSeen(`${name}-${at}.txt`, `${text}\n\n${daemon.output()}`)
          expect(text).toMatch(says)
          expect(text).toMatch(todo)
        } finally {
          for (const stop of stops) await stop()
          await daemon.stop()
        }
      },
      150_000,
    )
  })
}

type Plan = {
  readonly stub: UnlistedStub
  readonly port: number
  readonly key: string
  readonly data: string
}

function configOf({ stub, port, key, data }: Plan): object {
  const rpc = [stub.urlOf("good_chain")]
  return {
    services: { main: { url: stub.urlOf("good_chain") } },
    data_dir: data,
    ops: { listen: `127.0.0.1:${port}`, token: "env:BALLAST_OPS_TOKEN" },
    chains: { one_chain: { family: "evm", chain_id: 84_532, rpc, key: `file:${key}` } },
    assets: { "one_chain:eth": { decimals: 18 } },
    signer: { run: "inside" },
    prices: { trust_service: true },
    health: { check_every: "1s", alarm_after: "5s" },
  }
}
