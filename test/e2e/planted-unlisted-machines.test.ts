import { execFileSync } from "node:child_process"
import {
  chmodSync,
  closeSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { runBallast } from "../support/e2e-cli.ts"
import { freePort } from "../support/free-port.ts"
import { type DaemonProcess, startDaemonProcess, TOKEN, until } from "../support/sandbox-process.ts"
import { temporaryFolder } from "../support/temporary-folder.ts"
import { UNLISTED_MACHINE_FAULTS, UNNAMED_UNLISTED } from "../support/unlisted-faults.ts"
import { startUnlistedStub, type UnlistedStub } from "../support/unlisted-stub.ts"

const PROMISED_MS = 60_000
const SETTLED_MS = 5_000
const ENV: Record<string, string> = { BALLAST_OPS_TOKEN: TOKEN }

describe("an unlisted fault of the machine", () => {
  const dir = temporaryFolder("ballast-e2e-unlisted-machines")
  let stub: UnlistedStub

  beforeAll(async () => {
    stub = await startUnlistedStub()
  })
  afterAll(() => stub?.stop())

  test.each(UNLISTED_MACHINE_FAULTS.filter(({ at }) => UNNAMED_UNLISTED[at] === undefined))(
    "$at: $name: `status` names it",
    async ({ at, says, todo }) => {
      const port = await freePort()
      const file = join(dir, `${at}.yaml`)
      const key = join(dir, `${at}.key`)
      writeFileSync(key, `0x${"4c".repeat(32)}`, { mode: 0o600 })
      const config = configOf({ at, stub, port, key, dir })
      writeFileSync(file, JSON.stringify(config), { mode: 0o600 })
      const daemon = startDaemonProcess({ file, port }, ENV)
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
          writeFileSync(join(folder, `unlisted-${at}.txt`), `${text}\n\n${daemon.output()}`)
        expect(text).toMatch(says)
        expect(text).toMatch(todo)
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
    // All numbers below it are in use.
    nofile: () => {
      execFileSync("prlimit", ["--pid", String(daemon.child.pid), "--nofile=10"])
    },
    key_open: () => chmodSync(key, 0o644),
    data_away: () => renameSync(data, `${data}.old`),
    journal_zeros: () => {
      const file = openSync(join(data, "journal.db"), "r+")
      writeSync(file, Buffer.alloc(4 * 4_096), 0, 4 * 4_096, 0)
      closeSync(file)
    },
    record_gone: () => {
      const folder = join(data, "signer")
      for (const one of readdirSync(folder))
        if (one.includes("signatures")) rmSync(join(folder, one))
    },
  }
  made[at]?.()
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
  return {
    services: { main: { url: stub.urlOf("good_chain") } },
    data_dir: join(dir, at),
    ops: { listen: `127.0.0.1:${port}`, token: "env:BALLAST_OPS_TOKEN" },
    chains: { one_chain: chain },
    assets: { "one_chain:eth": { decimals: 18 } },
    signer: { run: at === "record_gone" ? "child" : "inside" },
    prices: { trust_service: true },
    health: { check_every: "1s", alarm_after: "5s" },
  }
}
