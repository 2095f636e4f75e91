import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { runBallast } from "../support/e2e-cli.ts"
import { freePort } from "../support/free-port.ts"
import { LATER_START_FAULTS } from "../support/later-faults.ts"
import { startDaemonProcess, TOKEN } from "../support/sandbox-process.ts"
import { temporaryFolder } from "../support/temporary-folder.ts"
import { startUnlistedStub, UNLISTED_TOKEN, type UnlistedStub } from "../support/unlisted-stub.ts"

const KEY = `0x${"4c".repeat(32)}`
const ENV: Record<string, string> = { BALLAST_OPS_TOKEN: TOKEN }
/** Longer than any start that refuses. */
const PATIENCE_MS = 15_000

describe("a later start", () => {
  const dir = temporaryFolder("ballast-e2e-later-starts")
  const said = new Map<string, Said>()
  let stub: UnlistedStub

  beforeAll(async () => {
    stub = await startUnlistedStub()
    for (const { at } of LATER_START_FAULTS) {
      const home = join(dir, at)
      mkdirSync(home, { mode: 0o700 })
      const file = join(home, "ballast.yaml")
      const port = await freePort()
      plant({ at, home, file, node: stub.urlOf("good_chain"), port })
      const env = { KEY_OF_THE_CHAIN: "" }
      const daemon = startDaemonProcess({ file, port }, { ...ENV, ...env })
      const rest = new Promise<null>((resolve) => setTimeout(() => resolve(null), PATIENCE_MS))
      const ended = await Promise.race([daemon.exited, rest])
      const status = await runBallast(["status", "--config", file], {
        env: { ...ENV, ...env },
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
      writeFileSync(join(folder, "later-starts.json"), JSON.stringify([...said], null, 1))
  }, 900_000)
  afterAll(() => stub?.stop())

  test.each(LATER_START_FAULTS)("$at: $name: `run` or `status` names it", (fault) => {
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
}

function plant({ at, home, file, node, port }: Place): void {
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
    signer: { run: "inside" },
  }
  const write = (more: object): void =>
    writeFileSync(file, JSON.stringify({ ...whole, ...more }), { mode: 0o600 })
  const keyed = (said: string): void => writeFileSync(key, said, { mode: 0o600 })
  const coin = "some_chain:eth"
  const token = "some_chain:usdc"
  const assets = { [coin]: { decimals: 18 }, [token]: { decimals: 8, token: UNLISTED_TOKEN } }
  const ruled = (rule: object): void => write({ assets, rules: [{ id: "stock", ...rule }] })
  const weekly = { id: "weekly", kind: "recurring", schedule: "0 9 * * MON" }
  const rules = [{ ...weekly, from: token, to: coin, amount: "5" }]
  const of = (more: object): void => write({ chains: { some_chain: { ...chain, ...more } } })
  const band = { min: "1", target: "2", max: "3" }
  keyed(KEY)
  write({})
  const made: Readonly<Record<string, () => void>> = {
    htlcless: () => write({ assets: { [coin]: { decimals: 18, htlc: [`0x${"66".repeat(20)}`] } } }),
    "zero-window": () =>
      write({ assets, rules, guards: { windows: [{ per: "24h", max: "0 usd" }] } }),
    "no-solver": () => write({ assets, rules, guards: { solvers: { allow: [] } } }),
    "self-source": () => ruled({ kind: "band", asset: coin, ...band, sources: [coin] }),
    "gas-token": () => ruled({ kind: "gas", asset: token, sources: [coin] }),
    "short-key": () => keyed(`0x${"4c".repeat(31)}4`),
    "sol-base64": () => {
      keyed(Buffer.alloc(64, 7).toString("base64"))
      const sol = { preset: "solana_testnet", rpc: [node], key: `file:${key}` }
      write({ chains: { solana_testnet: sol }, assets: { "solana_testnet:sol": { decimals: 9 } } })
    },
    "stark-large": () => {
      keyed(`0x${"fc".repeat(32)}`)
      const account = `0x${"12".repeat(31)}`
      const stark = { preset: "starknet_sepolia", rpc: [node], key: `file:${key}`, account }
      const strk = { "starknet_sepolia:strk": { decimals: 18 } }
      write({ chains: { starknet_sepolia: stark }, assets: strk })
    },
    "empty-env": () => of({ key: "env:KEY_OF_THE_CHAIN" }),
    "no-signer": () => write({ signer: { socket: join(home, "signer.sock") } }),
    "pg-host": () => write({ journal: "postgres://ballast:secret@journal.invalid:5432/ballast" }),
  }
  made[at]?.()
}

/** Without the folders of the test, whose names would fit the words of a fault. */
function plain(text: string, dir: string): string {
  const names = new RegExp(`${dir}[\\w./-]*?(?=(/(data|key)\\b|/ballast\\.yaml|[^\\w./-]|$))`, "g")
  return text.replace(names, "").replace(/\s+/g, " ")
}
