import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { runBallast } from "../support/e2e-cli.ts"
import { EVERYDAY_MACHINE_FAULTS, UNNAMED_EVERYDAY } from "../support/everyday-faults.ts"
import { freePort } from "../support/free-port.ts"
import { type DaemonProcess, startDaemonProcess, TOKEN, until } from "../support/sandbox-process.ts"
import { temporaryFolder } from "../support/temporary-folder.ts"
import { startUnlistedStub, type UnlistedStub } from "../support/unlisted-stub.ts"

const PROMISED_MS = 60_000
const SETTLED_MS = 5_000
const ENV: Record<string, string> = { BALLAST_OPS_TOKEN: TOKEN }

describe("an everyday fault of the machine", () => {
  const dir = temporaryFolder("ballast-e2e-everyday-machines")
  let stub: UnlistedStub

  beforeAll(async () => {
    stub = await startUnlistedStub()
  })
  afterAll(() => stub?.stop())

  test.each(EVERYDAY_MACHINE_FAULTS.filter(({ at }) => UNNAMED_EVERYDAY[at] === undefined))(
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
        plant(at, { daemon, data: join(dir, at) })
        const isNamed = async (): Promise<boolean> => {
          const status = await runBallast(["status", "--config", file], { env: ENV })
          text = (status.stdout + status.stderr).replaceAll(dir, "").replace(/\s+/g, " ")
          return says.test(text) && todo.test(text)
        }
        await until("it is named", isNamed, PROMISED_MS).catch(() => undefined)
        const folder = process.env["STRANGE_DUMP"]
        if (folder !== undefined)
          writeFileSync(join(folder, `everyday-${at}.txt`), `${text}\n\n${daemon.output()}`)
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
  readonly data: string
}

const ROUND_MS = 1_000
const RUNNING_MS = 100

/** The fault lasts as long as the daemon. */
function plant(at: string, { daemon, data }: Place): void {
  const made: Readonly<Record<string, () => void>> = {
    journal_locked: () => {
      const other = new DatabaseSync(join(data, "journal.db"))
      other.exec("BEGIN IMMEDIATE")
      daemon.child.once("exit", () => other.close())
    },
    wal_gone: () => rmSync(join(data, "journal.db-wal")),
    reader_gone: () => {
      daemon.child.stdout?.destroy()
      daemon.child.stderr?.destroy()
      // A pause is a line that the reader would have.
      void daemon.call("POST", "/api/v1/pause", {})
    },
    starved: () => {
      const timer = setInterval(() => {
        daemon.child.kill("SIGCONT")
        setTimeout(() => daemon.child.kill("SIGSTOP"), RUNNING_MS)
      }, ROUND_MS)
      daemon.child.once("exit", () => clearInterval(timer))
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
    signer: { run: "inside" },
    prices: { trust_service: true },
    health: { check_every: "1s", alarm_after: "5s" },
  }
}
