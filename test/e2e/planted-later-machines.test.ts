import { chownSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { runBallast } from "../support/e2e-cli.ts"
import { freePort } from "../support/free-port.ts"
import { LATER_MACHINE_FAULTS } from "../support/later-faults.ts"
import { type DaemonProcess, startDaemonProcess, TOKEN, until } from "../support/sandbox-process.ts"
import { shiftClock } from "../support/shift-clock.ts"
import { temporaryFolder } from "../support/temporary-folder.ts"
import { startUnlistedStub, type UnlistedStub } from "../support/unlisted-stub.ts"

const PROMISED_MS = 60_000
const SETTLED_MS = 5_000
const THREE_MINUTES_MS = 180_000
const NOBODY = 65_534
const ENV: Record<string, string> = { BALLAST_OPS_TOKEN: TOKEN }

describe("a later fault of the machine", () => {
  const dir = temporaryFolder("ballast-e2e-later-machines")
  let stub: UnlistedStub

  beforeAll(async () => {
    stub = await startUnlistedStub()
  })
  afterAll(() => stub?.stop())

  test.each(LATER_MACHINE_FAULTS)(
    "$at: $name: `status` names it",
    async ({ at, says, todo }) => {
      const port = await freePort()
      const file = join(dir, `${at}.yaml`)
      const key = join(dir, `${at}.key`)
      writeFileSync(key, `0x${"4c".repeat(32)}`, { mode: 0o600 })
      const config = configOf({ at, stub, port, key, dir })
      writeFileSync(file, JSON.stringify(config), { mode: 0o600 })
      const env = { ...ENV, ...(at === "drift" ? shiftClock(THREE_MINUTES_MS) : {}) }
      const daemon = startDaemonProcess({ file, port }, env)
      let text = ""
      try {
        await daemon.serves()
        await new Promise((resolve) => setTimeout(resolve, SETTLED_MS))
        plant(at, { daemon, key, data: join(dir, at) })
        const isNamed = async (): Promise<boolean> => {
          const status = await runBallast(["status", "--config", file], { env: ENV })
          text = (status.stdout + status.stderr).replaceAll(dir, "").replace(/\s+/g, " ")
          return says.test(text) && todo.test(text)
        }
        await until("it is named", isNamed, PROMISED_MS).catch(() => undefined)
        const folder = process.env["STRANGE_DUMP"]
        if (folder !== undefined)
          writeFileSync(join(folder, `later-${at}.txt`), `${text}\n\n${daemon.output()}`)
        expect(text).toMatch(says)
        expect(text).toMatch(todo)
        if (at === "signer_stopped") {
          const [before] = signersOf(daemon)
          const isAnother = async (): Promise<boolean> => {
            const [now] = signersOf(daemon)
            return now !== undefined && now !== before
          }
          await until("the daemon starts another signer", isAnother, PROMISED_MS)
        }
      } finally {
        await daemon.stop()
      }
    },
    150_000,
  )
})

type Place = {
  readonly daemon: DaemonProcess
  readonly key: string
  readonly data: string
}

function plant(at: string, { daemon, key, data }: Place): void {
  const made: Readonly<Record<string, () => void>> = {
    signer_loop: () => {
      // Longer than the test: it ends with the daemon.
      const timer = setInterval(() => signal(daemon, "SIGKILL"), 1_000)
      daemon.child.once("exit", () => clearInterval(timer))
    },
    signer_stopped: () => signal(daemon, "SIGSTOP"),
    key_swapped: () => writeFileSync(key, `0x${"5d".repeat(32)}`, { mode: 0o600 }),
    dir_owner: () => chownSync(data, NOBODY, NOBODY),
  }
  made[at]?.()
}

/** A chain of the same network needs another wallet. */
function keyOf(dir: string, name: string): string {
  const path = join(dir, `${name}.key`)
  writeFileSync(path, `0x${(name === "two" ? "2a" : "3a").repeat(32)}`, { mode: 0o600 })
  return path
}

/** To the daemon's own signer. */
function signal(daemon: DaemonProcess, name: NodeJS.Signals): void {
  for (const one of signersOf(daemon)) process.kill(one, name)
}

function signersOf({ child }: DaemonProcess): readonly number[] {
  const numbers = readdirSync("/proc").filter((one) => /^\d+$/.test(one))
  return numbers.filter((one) => isSignerOf(child.pid, one)).map(Number)
}

function isSignerOf(daemon: number | undefined, pid: string): boolean {
  try {
    const parent = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ")[1]
    const command = readFileSync(`/proc/${pid}/cmdline`, "utf8")
    return Number(parent) === daemon && command.includes("signer")
  } catch {
    // It ended meanwhile.
    return false
  }
}

type Plan = {
  readonly at: string
  readonly stub: UnlistedStub
  readonly port: number
  readonly key: string
  readonly dir: string
}

function configOf({ at, stub, port, key, dir }: Plan) {
  const chain = {
    family: "evm",
    chain_id: 84_532,
    rpc: [stub.urlOf("good_chain")],
    key: `file:${key}`,
  }
  const of = (name: string): object => ({ ...chain, key: `file:${keyOf(dir, name)}` })
  return {
    services: { main: { url: stub.urlOf("good_chain") } },
    data_dir: join(dir, at),
    ops: { listen: `127.0.0.1:${port}`, token: "env:BALLAST_OPS_TOKEN" },
    chains: { one_chain: chain, two_chain: of("two"), three_chain: of("three") },
    assets: Object.fromEntries(
      ["one_chain", "two_chain", "three_chain"].map((one) => [`${one}:eth`, { decimals: 18 }]),
    ),
    signer: { run: at.startsWith("signer") ? "child" : "inside" },
    prices: { trust_service: true },
    health: { check_every: "1s", alarm_after: "5s" },
  }
}
