import { execFileSync } from "node:child_process"
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { runBallast } from "../support/e2e-cli.ts"
import { freePort } from "../support/free-port.ts"
import { FRESH_MACHINE_FAULTS } from "../support/fresh-faults.ts"
import { type FreshStub, startFreshStub } from "../support/fresh-stub.ts"
import { type DaemonProcess, startDaemonProcess, TOKEN, until } from "../support/sandbox-process.ts"
import { shiftClock } from "../support/shift-clock.ts"
import { temporaryFolder } from "../support/temporary-folder.ts"

const PROMISED_MS = 60_000
const SETTLED_MS = 5_000
const ENV: Record<string, string> = { BALLAST_OPS_TOKEN: TOKEN }

describe("a fresh fault of the machine", () => {
  const dir = temporaryFolder("ballast-e2e-fresh-machines")
  let stub: FreshStub

  beforeAll(async () => {
    stub = await startFreshStub()
  })
  afterAll(() => stub?.stop())

  test.each(FRESH_MACHINE_FAULTS)(
    "$at: $name: `status` names it",
    async ({ at, says, todo }) => {
      const port = await freePort()
      const file = join(dir, `${at}.yaml`)
      const key = join(dir, `${at}.key`)
      writeFileSync(key, `0x${"4c".repeat(32)}`, { mode: 0o600 })
      const config = configOf({ at, stub, port, key, dir })
      writeFileSync(file, JSON.stringify(config), { mode: 0o600 })
      const env = { ...ENV, ...(at === "epoch" ? shiftClock(1_000_000_000 - Date.now()) : {}) }
      const daemon = startDaemonProcess({ file, port }, env)
      let text = ""
      try {
        // By TLS, this client cannot ask.
        if (at !== "ops_ends") await daemon.serves()
        else await new Promise((resolve) => setTimeout(resolve, SETTLED_MS))
        if (at === "fsize") limitFiles(daemon)
        await new Promise((resolve) => setTimeout(resolve, SETTLED_MS))
        if (at === "key_gone") rmSync(key)
        const isNamed = async (): Promise<boolean> => {
          const status = await runBallast(["status", "--config", file], { env: ENV })
          text = (status.stdout + status.stderr).replaceAll(dir, "").replace(/\s+/g, " ")
          return says.test(text) && todo.test(text)
        }
        await until("it is named", isNamed, PROMISED_MS).catch(() => undefined)
        const folder = process.env["STRANGE_DUMP"]
        if (folder !== undefined)
          writeFileSync(join(folder, `fresh-${at}.txt`), `${text}\n\n${daemon.output()}`)
        expect(text).toMatch(says)
        expect(text).toMatch(todo)
      } finally {
        await daemon.stop()
      }
    },
    150_000,
  )
})

/** The journal and its log can grow no more. */
function limitFiles({ child }: DaemonProcess): void {
  const pid = String(child.pid)
  const children = readdirSync("/proc").filter((one) => {
    if (!/^\d+$/.test(one)) return false
    try {
      return readFileSync(`/proc/${one}/stat`, "utf8").split(") ")[1]?.split(" ")[1] === pid
    } catch {
      return false
    }
  })
  for (const one of [pid, ...children]) execFileSync("prlimit", ["--pid", one, "--fsize=4096"])
}

type Plan = {
  readonly at: string
  readonly stub: FreshStub
  readonly port: number
  readonly key: string
  readonly dir: string
}

function configOf({ at, stub, port, key, dir }: Plan) {
  const chain = {
    family: "evm",
    chain_id: 84_532,
    rpc: [stub.urlOf("good_chain").replace("127.0.0.1", "0.0.0.0")],
    key: `file:${key}`,
  }
  const isEnding = at === "ops_ends"
  if (isEnding) {
    const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    const files = ["-keyout", join(dir, "ends.key"), "-out", join(dir, "ends.pem"), "-days", "1"]
    const names = ["-subj", "/CN=desk", "-addext", "subjectAltName=IP:127.0.0.1"]
    execFileSync("openssl", ["req", "-x509", ...curve, ...files, ...names], { stdio: "ignore" })
  }
  const tls = { cert: `file:${join(dir, "ends.pem")}`, key: `file:${join(dir, "ends.key")}` }
  return {
    services: { main: { url: stub.urlOf("good_chain") } },
    data_dir: join(dir, at),
    ops: {
      listen: `127.0.0.1:${port}`,
      token: "env:BALLAST_OPS_TOKEN",
      ...(isEnding ? { tls } : {}),
    },
    chains: { one_chain: chain },
    assets: { "one_chain:eth": { decimals: 18 } },
    signer: { run: "inside" },
    prices: { trust_service: true },
    health: { check_every: "1s", alarm_after: "5s" },
  }
}
