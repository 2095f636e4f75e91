import { renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { Overview } from "../../src/core/health/describe-overview.ts"
import { runBallast } from "../support/e2e-cli.ts"
import { freePort } from "../support/free-port.ts"
import { type DaemonProcess, startDaemonProcess, TOKEN, until } from "../support/sandbox-process.ts"
import { shiftClock } from "../support/shift-clock.ts"
import { STRANGE_MACHINE_FAULTS } from "../support/strange-faults.ts"
import { type StrangeStub, startStrangeStub } from "../support/strange-stub.ts"
import { temporaryFolder } from "../support/temporary-folder.ts"

const PROMISED_MS = 60_000
const THREE_DAYS_MS = 3 * 86_400_000
const CHAINS = ["one_chain", "two_chain", "three_chain"]
const KEYS = Object.fromEntries(
  CHAINS.map((at, index) => [`KEY_OF_${at}`, `0x${(index + 16).toString(16).repeat(32)}`]),
)
const ENV: Record<string, string> = { ...KEYS, BALLAST_OPS_TOKEN: TOKEN }

describe("a strange fault of the machine", () => {
  const dir = temporaryFolder("ballast-e2e-strange-machines")
  let stub: StrangeStub

  beforeAll(async () => {
    stub = await startStrangeStub(dir)
  }, 60_000)
  afterAll(() => stub?.stop())

  const prepare = async (at: string, more: object = {}) => {
    const port = await freePort()
    const file = join(dir, `${at}.yaml`)
    const dataDir = join(dir, at)
    const config = { ...configOf(at, stub, port, dataDir), ...more }
    writeFileSync(file, JSON.stringify(config), { mode: 0o600 })
    return { port, file, dataDir, config }
  }

  // Root cannot make a disk read-only on which a file is open for writing.
  test.each(STRANGE_MACHINE_FAULTS.filter(({ at }) => at !== "readonly"))(
    "$at: $name: `status` names it first",
    async ({ at, says, todo }) => {
      const nowhere = await freePort()
      const base = { journal: `postgres://ballast@127.0.0.1:${nowhere}/ballast` }
      const { port, file, dataDir, config } = await prepare(at, at === "nobase" ? base : {})
      const env = { ...ENV, ...(at === "clock" ? shiftClock(THREE_DAYS_MS) : {}) }
      const daemon = startDaemonProcess({ file, port }, env)
      let text = ""
      try {
        if (at === "nobase") {
          const { code } = await daemon.exited
          text = flat(daemon.output())
          expect(code).toBe(75)
        } else await daemon.serves()
        await new Promise((resolve) => setTimeout(resolve, 3_000))
        if (at === "lock") {
          rmSync(join(dataDir, "instance.lock"))
          const other = join(dir, "second.yaml")
          const ops = { ...config.ops, listen: `127.0.0.1:${await freePort()}` }
          writeFileSync(other, JSON.stringify({ ...config, ops }), { mode: 0o600 })
          const run = await runBallast(["run", "--config", other], { env, timeoutMs: 20_000 })
          text = flat(run.stdout + run.stderr)
        } else if (at !== "nobase") {
          if (at === "socket") rmSync(join(dataDir, "ballast.sock"))
          if (at === "moved") renameSync(dataDir, `${dataDir}.old`)
          const isNamed = async (): Promise<boolean> => {
            const status = await runBallast(["status", "--config", file], { env })
            text = flat(status.stdout + status.stderr)
            return says.test(text) && todo.test(text)
          }
          await until("it is named", isNamed, PROMISED_MS).catch(() => undefined)
        }
        await dump(at, text, daemon)
        expect(text).toMatch(says)
        expect(text).toMatch(todo)
        if (text.includes(" ! ")) expect(text.split(/ [!-] /)[1]).toMatch(says)
      } finally {
        await daemon.stop()
      }
    },
    150_000,
  )
})

async function dump(at: string, text: string, daemon: DaemonProcess): Promise<void> {
  const folder = process.env["STRANGE_DUMP"]
  if (folder === undefined) return
  const answer = await daemon.call("GET", "/api/v1/overview").catch((error: unknown) => ({
    body: { problems: String(error) },
  }))
  // CAST: the daemon's own answer.
  const { problems } = answer.body as Overview
  writeFileSync(join(folder, `machine-${at}.json`), JSON.stringify({ text, problems }, null, 1))
}

function configOf(at: string, stub: StrangeStub, port: number, dataDir: string) {
  // A name that is not loopback: a local chain does not tell the time.
  const urlOf = (name: string): string =>
    at === "dns"
      ? `http://${name.replace("_", "-")}.invalid/`
      : stub.urlOf(name).replace("127.0.0.1", "0.0.0.0")
  const chainOf = (name: string): object => ({
    family: "evm",
    chain_id: 84_532,
    rpc: [urlOf(name)],
    key: `env:KEY_OF_${name}`,
  })
  return {
    services: { main: { url: urlOf("main") } },
    data_dir: dataDir,
    ops: { listen: `127.0.0.1:${port}`, token: "env:BALLAST_OPS_TOKEN" },
    chains: Object.fromEntries(CHAINS.map((name) => [name, chainOf(name)])),
    assets: Object.fromEntries(CHAINS.map((name) => [`${name}:eth`, { decimals: 18 }])),
    signer: { run: "inside" },
    prices: { trust_service: true },
    health: { check_every: "1s", alarm_after: "5s" },
  }
}

function flat(text: string): string {
  return text.replace(/\s+/g, " ")
}
