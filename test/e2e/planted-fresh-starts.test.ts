import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { createServer, type Server, type Socket } from "node:net"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { runBallast } from "../support/e2e-cli.ts"
import { freePort } from "../support/free-port.ts"
import { FRESH_START_FAULTS } from "../support/fresh-faults.ts"
import { startFreshStub, TOKEN_ADDRESS } from "../support/fresh-stub.ts"
import { listen } from "../support/listen.ts"
import { startRefusingPostgres } from "../support/refusing-postgres.ts"
import { startDaemonProcess, TOKEN } from "../support/sandbox-process.ts"
import { temporaryFolder } from "../support/temporary-folder.ts"

const KEY = `0x${"4c".repeat(32)}`
const PASSWORD = "a-password-of-the-desk"
const ENV: Record<string, string> = { BALLAST_OPS_TOKEN: TOKEN }
/** Longer than any start that refuses; PostgreSQL has its own patience. */
const PATIENCE_MS = 15_000
const POSTGRES: Readonly<Record<string, string>> = {
  "pg-42501": "permission denied for schema public",
  "pg-28000-login": 'role "ballast" is not permitted to log in',
}

describe("a fresh start", () => {
  const dir = temporaryFolder("ballast-e2e-fresh-starts")
  const said = new Map<string, Said>()
  const stops: (() => Promise<void> | void)[] = []

  const startServer = async (greet: (socket: Socket) => void): Promise<number> => {
    const open = new Set<Socket>()
    const server: Server = createServer((socket) => {
      open.add(socket)
      socket.on("error", () => undefined)
      greet(socket)
    })
    stops.push(() => {
      for (const socket of open) socket.destroy()
      server.close()
    })
    return (await listen(server)).port
  }
  const portOf = async (at: string): Promise<number> => {
    const [, code = ""] = /^pg-(\d\w{4})/.exec(at) ?? []
    if (at === "pg-mute") return startServer(() => undefined)
    if (at === "pg-http")
      return startServer((socket) =>
        socket.on("data", () => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n")),
      )
    if (code === "") return 0
    const base = await startRefusingPostgres(code, POSTGRES[at] ?? "")
    stops.push(base.stop)
    return base.port
  }

  beforeAll(async () => {
    const stub = await startFreshStub()
    stops.push(stub.stop)
    const keystore = join(dir, "keystore.json")
    await runBallast(["wallet", "new", keystore], {
      env: { ...ENV, BALLAST_KEYSTORE_PASSWORD: PASSWORD },
      cwd: dir,
    })
    for (const { at } of FRESH_START_FAULTS) {
      const home = join(dir, at)
      mkdirSync(home, { mode: 0o700 })
      const file = join(home, "ballast.yaml")
      const port = await freePort()
      const node = stub.urlOf("good_chain")
      const text = plant({ at, home, node, port, base: await portOf(at), keystore })
      writeFileSync(file, text, { mode: 0o600 })
      const env = at === "wrong-password" ? { BALLAST_KEYSTORE_PASSWORD: "another-password" } : {}
      const daemon = startDaemonProcess({ file, port }, { ...ENV, ...env })
      const rest = new Promise<null>((resolve) => setTimeout(() => resolve(null), PATIENCE_MS))
      const ended = await Promise.race([daemon.exited, rest])
      const status = await runBallast(["status", "--config", file], { env: ENV, cwd: home })
      said.set(at, {
        code: ended === null ? null : ended.code,
        run: plain(daemon.output(), dir),
        status: plain(status.stdout + status.stderr, dir),
      })
      await daemon.stop()
    }
    const folder = process.env["STRANGE_DUMP"]
    if (folder !== undefined)
      writeFileSync(join(folder, "fresh-starts.json"), JSON.stringify([...said], null, 1))
  }, 900_000)
  afterAll(async () => {
    for (const stop of stops) await stop()
  })

  test.each(FRESH_START_FAULTS)("$at: $name: `run` or `status` names it", (fault) => {
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
  readonly node: string
  readonly port: number
  readonly base: number
  readonly keystore: string
}

function plant({ at, home, node, port, base, keystore }: Place): string {
  const key = join(home, "key")
  const data = join(home, "data")
  const chain = { family: "evm", chain_id: 84_532, rpc: [node], key: `file:${key}` }
  const rule = {
    id: "some",
    kind: "recurring",
    schedule: "0 9 * * *",
    from: "some_chain:eth",
    to: "some_chain:wbtc",
    amount: "1",
  }
  const { from, to } = rule
  const whole = {
    services: { main: { url: node } },
    data_dir: data,
    ops: { listen: `127.0.0.1:${port}`, token: "env:BALLAST_OPS_TOKEN" },
    chains: { some_chain: chain },
    assets: {
      "some_chain:eth": { decimals: 18 },
      "some_chain:wbtc": { decimals: 8, token: TOKEN_ADDRESS },
    },
    prices: { trust_service: true },
    signer: { run: "inside" },
    rules: [rule],
  }
  const text = (more: object): string => JSON.stringify({ ...whole, ...more })
  const keyed = (said: string): void => writeFileSync(key, said, { mode: 0o600 })
  const withChain = (more: object): string =>
    text({ chains: { some_chain: { ...chain, ...more } } })
  const onlyCoin = (other: object, coin: string, decimals: number): string =>
    text({ chains: { other }, assets: { [`other:${coin}`]: { decimals } }, rules: [] })
  const inside = (): void => mkdirSync(data, { mode: 0o700 })
  const bitcoin = { family: "bitcoin", network: "regtest", esplora: [node], key: `file:${key}` }
  keyed(KEY)
  const made: Readonly<Record<string, () => string>> = {
    february: () => text({ rules: [{ ...rule, schedule: "0 9 30 2 *" }] }),
    costless: () => text({ rules: [{ ...rule, max_cost: "0bps" }] }),
    "quiet-run": () => text({ guards: { quiet_hours: [{ from: "08:00", to: "10:00" }] } }),
    "least-above": () =>
      text({
        guards: { max_order: "1" },
        rules: [{ id: "some", kind: "sweep", from, to, keep: "1", least: "5" }],
      }),
    "upside-down": () =>
      text({
        rules: [
          { id: "some", kind: "band", asset: from, min: "5", target: "2", max: "9", sources: [to] },
        ],
      }),
    agree: () => withChain({ agree: 3 }),
    "two-keys": () => {
      keyed(`${KEY}\n0x${"4d".repeat(32)}\n`)
      return text({})
    },
    xprv: () => {
      const master = "xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNK"
      keyed(`${master}mPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi`)
      return onlyCoin(bitcoin, "btc", 8)
    },
    "sol-address": () => {
      keyed("4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU")
      return onlyCoin({ preset: "solana_testnet", rpc: [node], key: `file:${key}` }, "sol", 9)
    },
    "no-password": () => withChain({ key: `keystore:${keystore}` }),
    "wrong-password": () => withChain({ key: `keystore:${keystore}` }),
    "own-secret": () => text({ services: { main: { url: node, secret: "own" } } }),
    "foreign-journal": () => {
      inside()
      const shop = new DatabaseSync(join(data, "journal.db"))
      shop.exec("CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT)")
      shop.exec("INSERT INTO customers (name) VALUES ('Ada')")
      shop.close()
      chmodSync(join(data, "journal.db"), 0o600)
      return text({})
    },
    "lock-folder": () => {
      inside()
      mkdirSync(join(data, "instance.lock"))
      return text({})
    },
    "pause-folder": () => {
      inside()
      mkdirSync(join(data, "PAUSE"))
      return text({})
    },
    dangling: () => {
      symlinkSync(join(home, "no-such-folder"), data)
      return text({})
    },
  }
  const journal = `postgres://ballast:wrong@127.0.0.1:${base}/ballast`
  return made[at]?.() ?? text({ journal })
}

/** Without the folders of the test, whose names would fit the words of a fault. */
function plain(text: string, dir: string): string {
  const names = new RegExp(`${dir}[\\w./-]*?(?=(/(data|key)\\b|/ballast\\.yaml|[^\\w./-]|$))`, "g")
  return text.replace(names, "").replace(/\s+/g, " ")
}
