import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { runBallast } from "../support/e2e-cli.ts"
import { EVERYDAY_START_FAULTS, UNNAMED_EVERYDAY } from "../support/everyday-faults.ts"
import { type EverydayStub, startEverydayStub } from "../support/everyday-stub.ts"
import { freePort } from "../support/free-port.ts"
import { startRefusingPostgres } from "../support/refusing-postgres.ts"
import { startDaemonProcess, TOKEN } from "../support/sandbox-process.ts"
import { temporaryFolder } from "../support/temporary-folder.ts"
import { UNLISTED_TOKEN } from "../support/unlisted-stub.ts"

const KEY = `0x${"4c".repeat(32)}`
const PASSWORD = "a-password-of-the-desk"
const ENV: Record<string, string> = { BALLAST_OPS_TOKEN: TOKEN }
/** Longer than any start that refuses. */
const PATIENCE_MS = 15_000
/** A daemon that runs on has as long as is promised. */
const PATIENCES_MS: Readonly<Record<string, number>> = { "collector-404": 55_000 }
const FAULTS = EVERYDAY_START_FAULTS.filter(({ at }) => UNNAMED_EVERYDAY[at] === undefined)

describe("an everyday start", () => {
  const dir = temporaryFolder("ballast-e2e-everyday-starts")
  const said = new Map<string, Said>()
  let stub: EverydayStub
  let postgres: Awaited<ReturnType<typeof startRefusingPostgres>>

  beforeAll(async () => {
    stub = await startEverydayStub()
    const words = "canceling statement due to statement timeout"
    postgres = await startRefusingPostgres("57014", words)
    const keystore = join(dir, "keystore.json")
    writeFileSync(join(dir, "one.key"), KEY, { mode: 0o600 })
    await runBallast(["wallet", "encrypt", join(dir, "one.key"), keystore], {
      env: { ...ENV, BALLAST_KEYSTORE_PASSWORD: PASSWORD },
      cwd: dir,
    })
    for (const { at } of FAULTS) {
      const home = join(dir, at)
      mkdirSync(home, { mode: 0o700 })
      const file = join(home, "ballast.yaml")
      const port = await freePort()
      plant({ at, home, file, stub, postgres: postgres.port, port, keystore })
      const env = at === "far-account" ? { BALLAST_KEYSTORE_PASSWORD: PASSWORD } : {}
      const daemon = startDaemonProcess({ file, port }, { ...ENV, ...env })
      const rest = new Promise<null>((resolve) =>
        setTimeout(() => resolve(null), PATIENCES_MS[at] ?? PATIENCE_MS),
      )
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
      writeFileSync(join(folder, "everyday-starts.json"), JSON.stringify([...said], null, 1))
  }, 900_000)
  afterAll(async () => {
    await stub?.stop()
    await postgres?.stop()
  })

  test.each(FAULTS)("$at: $name: `run` or `status` names it", (fault) => {
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
  readonly stub: EverydayStub
  readonly postgres: number
  readonly port: number
  readonly keystore: string
}

function plant({ at, home, file, stub, postgres, port, keystore }: Place): void {
  const key = join(home, "key")
  const node = stub.urlOf("good_chain")
  const chain = { family: "evm", chain_id: 84_532, rpc: [node], key: `file:${key}` }
  const ops = { listen: `127.0.0.1:${port}`, token: "env:BALLAST_OPS_TOKEN" }
  const coin = "some_chain:eth"
  const token = "some_chain:usdc"
  const assets = { [coin]: { decimals: 18 }, [token]: { decimals: 8, token: UNLISTED_TOKEN } }
  const whole = {
    services: { main: { url: node } },
    data_dir: join(home, "data"),
    ops,
    chains: { some_chain: chain },
    assets,
    prices: { trust_service: true },
    signer: { run: "inside" },
  }
  const write = (more: object): void =>
    writeFileSync(file, JSON.stringify({ ...whole, ...more }), { mode: 0o600 })
  const of = (more: object): void => write({ chains: { some_chain: { ...chain, ...more } } })
  const weekly = {
    id: "weekly",
    kind: "recurring",
    schedule: "0 9 * * MON",
    from: token,
    to: coin,
    amount: "5",
  }
  const limited = (guards: object): void => write({ rules: [weekly], guards })
  const watched = { ...chain, key: `watch:0x${"21".repeat(20)}` }
  const band = { id: "stock", kind: "band", asset: coin, min: "1", target: "2", max: "3" }
  const postgresUrl = `postgres://ballast:secret@127.0.0.1:${postgres}/ballast`
  writeFileSync(key, KEY, { mode: 0o600 })
  write({})
  const made: Readonly<Record<string, () => void>> = {
    "literal-token": () => write({ ops: { ...ops, token: "a-token-of-24-characters" } }),
    "env-folder": () => {
      mkdirSync(join(home, ".env"))
      of({ key: "env:KEY_OF_THE_CHAIN" })
    },
    "far-account": () => of({ key: `keystore:${keystore}#3` }),
    "watch-seller": () => write({ chains: { some_chain: watched }, rules: [weekly] }),
    "no-destination": () => limited({ destinations: [] }),
    "solver-both": () => limited({ solvers: { allow: ["aa11"], deny: ["aa11"] } }),
    "idle-band": () => write({ rules: [band] }),
    "timelock-turned": () => of({ timelock: { min: 20_000, max: 2_000 } }),
    mysql: () => write({ journal: "mysql://ballast:secret@127.0.0.1:3306/ballast" }),
    "pg-57014": () => write({ journal: postgresUrl }),
    "short-approval": () => limited({ approve_above: "1 usd", approval_ttl: "1s" }),
    "collector-404": () => write({ telemetry: { otlp: stub.urlOf("collector") } }),
  }
  made[at]?.()
}

/** Without the folders of the test, whose names would fit the words of a fault. */
function plain(text: string, dir: string): string {
  const names = new RegExp(`${dir}[\\w./-]*?(?=(/(data|key)\\b|/ballast\\.yaml|[^\\w./-]|$))`, "g")
  return text.replace(names, "").replace(/\s+/g, " ")
}
