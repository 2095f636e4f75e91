import { execFileSync } from "node:child_process"
import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { runBallast } from "../support/e2e-cli.ts"
import { freePort } from "../support/free-port.ts"
import { startDaemonProcess, TOKEN } from "../support/sandbox-process.ts"
import { temporaryFolder } from "../support/temporary-folder.ts"
import { UNLISTED_START_FAULTS } from "../support/unlisted-faults.ts"
import { startUnlistedStub, type UnlistedStub } from "../support/unlisted-stub.ts"

const KEY = `0x${"4c".repeat(32)}`
const PASSWORD = "a-password-of-the-desk"
const ENV: Record<string, string> = { BALLAST_OPS_TOKEN: TOKEN }
/** Longer than any start that refuses. */
const PATIENCE_MS = 15_000

describe("an unlisted start", () => {
  const dir = temporaryFolder("ballast-e2e-unlisted-starts")
  const said = new Map<string, Said>()
  let stub: UnlistedStub

  beforeAll(async () => {
    stub = await startUnlistedStub()
    const keystore = join(dir, "keystore.json")
    await runBallast(["wallet", "new", keystore], {
      env: { ...ENV, BALLAST_KEYSTORE_PASSWORD: PASSWORD },
      cwd: dir,
    })
    for (const { at } of UNLISTED_START_FAULTS) {
      const home = join(dir, at)
      mkdirSync(home, { mode: 0o700 })
      const file = join(home, "ballast.yaml")
      const port = await freePort()
      plant({ at, home, file, node: stub.urlOf("good_chain"), port, keystore })
      const env = at === "half-keystore" ? { BALLAST_KEYSTORE_PASSWORD: PASSWORD } : {}
      const daemon = startDaemonProcess({ file, port }, { ...ENV, ...env })
      const rest = new Promise<null>((resolve) => setTimeout(() => resolve(null), PATIENCE_MS))
      const ended = await Promise.race([daemon.exited, rest])
      const status = await runBallast(["status", "--config", file], {
        env: ENV,
        cwd: home,
        timeoutMs: 20_000,
      })
      said.set(at, {
        code: ended === null ? null : ended.code,
        run: plain(daemon.output(), dir),
        status: plain(status.stdout + status.stderr, dir),
      })
      daemon.child.kill("SIGKILL")
      await daemon.exited
    }
    const folder = process.env["STRANGE_DUMP"]
    if (folder !== undefined)
      writeFileSync(join(folder, "unlisted-starts.json"), JSON.stringify([...said], null, 1))
  }, 900_000)
  afterAll(() => stub?.stop())

  test.each(UNLISTED_START_FAULTS)("$at: $name: `run` or `status` names it", (fault) => {
    const { code, run, status } = said.get(fault.at) ?? { code: null, run: "", status: "" }
    if (code !== null) {
      expect(run).toMatch(fault.says)
      expect(run).toMatch(fault.todo)
      expect([75, 78]).toContain(code)
    }
    expect(status).toMatch(fault.says)
    expect(status).toMatch(fault.todo)
  })
})

/** `code` is null of a daemon that runs on. */
type Said = { readonly code: number | null; readonly run: string; readonly status: string }

type Place = {
  readonly at: string
  readonly home: string
  readonly file: string
  readonly node: string
  readonly port: number
  readonly keystore: string
}

function plant({ at, home, file, node, port, keystore }: Place): void {
  const key = join(home, "key")
  const data = join(home, "data")
  const chain = { family: "evm", chain_id: 84_532, rpc: [node], key: `file:${key}` }
  const ops = { listen: `127.0.0.1:${port}`, token: "env:BALLAST_OPS_TOKEN" }
  const whole = {
    services: { main: { url: node } },
    data_dir: data,
    ops,
    chains: { some_chain: chain },
    assets: { "some_chain:eth": { decimals: 18 } },
    prices: { trust_service: true },
    // The record is the signer's own.
    signer: { run: at.startsWith("signer") ? "child" : "inside" },
  }
  const write = (more: object): void =>
    writeFileSync(file, JSON.stringify({ ...whole, ...more }), { mode: 0o600 })
  const keyed = (said: string): void => writeFileSync(key, said, { mode: 0o600 })
  const record = join(data, "signer", "signatures.db")
  const recorded = (): void => {
    mkdirSync(dirname(record), { mode: 0o700, recursive: true })
    chmodSync(data, 0o700)
  }
  keyed(KEY)
  write({})
  const made: Readonly<Record<string, () => void>> = {
    "empty-key": () => keyed(""),
    "key-pipe": () => {
      rmSync(key)
      execFileSync("mkfifo", ["-m", "600", key])
    },
    "link-journal": () => {
      mkdirSync(data, { mode: 0o700 })
      symlinkSync(join(home, "no-such-disk", "journal.db"), join(data, "journal.db"))
    },
    "proc-data": () => write({ data_dir: "/proc/ballast" }),
    "signer-text": () => {
      recorded()
      writeFileSync(record, "no database\n".repeat(500), { mode: 0o600 })
    },
    "signer-foreign": () => {
      recorded()
      const shop = new DatabaseSync(record)
      shop.exec("CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT)")
      shop.close()
      chmodSync(record, 0o600)
    },
    "config-folder": () => {
      rmSync(file)
      mkdirSync(file, { mode: 0o700 })
    },
    "config-zeros": () => writeFileSync(file, Buffer.alloc(2_000), { mode: 0o600 }),
    misspelt: () => write({ guard: { max_in_flight: 3 } }),
    "zero-key": () => keyed(`0x${"00".repeat(32)}`),
    "half-keystore": () => {
      const text = readFileSync(keystore, "utf8")
      const half = join(home, "half.json")
      writeFileSync(half, text.slice(0, text.length / 2), { mode: 0o600 })
      write({ chains: { some_chain: { ...chain, key: `keystore:${half}` } } })
    },
    "other-tls": () => {
      const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
      const make = (name: string): void => {
        const files = ["-keyout", join(home, `${name}.key`), "-out", join(home, `${name}.pem`)]
        const names = ["-subj", "/CN=desk", "-addext", "subjectAltName=IP:127.0.0.1"]
        const args = ["req", "-x509", ...curve, ...files, "-days", "90", ...names]
        execFileSync("openssl", args, { stdio: "ignore" })
      }
      make("one")
      make("two")
      const cert = `file:${join(home, "one.pem")}`
      write({ ops: { ...ops, tls: { cert, key: `file:${join(home, "two.key")}` } } })
    },
  }
  made[at]?.()
}

/** Without the folders of the test, whose names would fit the words of a fault. */
function plain(text: string, dir: string): string {
  const names = new RegExp(`${dir}[\\w./-]*?(?=(/(data|key)\\b|/ballast\\.yaml|[^\\w./-]|$))`, "g")
  return text.replace(names, "").replace(/\s+/g, " ")
}
