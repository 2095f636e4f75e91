import { createPrivateKey, createPublicKey } from "node:crypto"
import { chmodSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { runBallast } from "../support/e2e-cli.ts"
import { freePort } from "../support/free-port.ts"
import { startRefusingPostgres } from "../support/refusing-postgres.ts"
import { startDaemonProcess, TOKEN } from "../support/sandbox-process.ts"
import { temporaryFolder } from "../support/temporary-folder.ts"
import { UNFORESEEN_START_FAULTS } from "../support/unforeseen-faults.ts"
import { UNNAMED_UNSEEN, UNSEEN_START_FAULTS } from "../support/unseen-faults.ts"
import { startUnseenStub, TOKEN_ADDRESS } from "../support/unseen-stub.ts"

const MINT = "4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU"
const KEY = `0x${"4c".repeat(32)}`
const ACCOUNT = "0x7777777777777777777777777777777777777777"
const ENV: Record<string, string> = {
  BALLAST_OPS_TOKEN: TOKEN,
  OTHER_TOKEN: "another-token-of-30-letters-xy",
  QUOTED_KEY: `"${KEY}"`,
}
/** Longer than any start that refuses. */
const PATIENCE_MS = 12_000
const POSTGRES: Readonly<Record<string, string>> = {
  "pg-28P01": 'password authentication failed for user "ballast"',
  "pg-3D000": 'database "ballast" does not exist',
  "pg-53300": "sorry, too many clients already",
  "pg-28000": 'no pg_hba.conf entry for host "10.0.0.2", user "ballast", no encryption',
  "pg-57P03": "the database system is starting up",
  "pg-25006": "cannot execute CREATE TABLE in a read-only transaction",
  "pg-53100": 'could not extend file "base/5/16384": No space left on device',
  "pg-57P03b": "the database system is shutting down",
}

const STARTS = [...UNSEEN_START_FAULTS, ...UNFORESEEN_START_FAULTS].filter(
  ({ at }) => UNNAMED_UNSEEN[at] === undefined,
)

describe("an unseen start", () => {
  const dir = temporaryFolder("ballast-e2e-unseen-starts")
  const said = new Map<string, Said>()
  const stops: (() => Promise<void>)[] = []

  beforeAll(async () => {
    const stub = await startUnseenStub(dir)
    stops.push(async () => stub.stop())
    const node = stub.urlOf("good_chain")
    const solana = stub.urlOf("sol_chain")
    for (const { at } of STARTS) {
      const home = join(dir, at)
      mkdirSync(home, { mode: 0o700 })
      const file = join(home, "ballast.yaml")
      const [, code = ""] = /^pg-(\w{5})/.exec(at) ?? []
      const base = code === "" ? null : await startRefusingPostgres(code, POSTGRES[at] ?? "")
      if (base !== null) stops.push(base.stop)
      const port = await freePort()
      const text = plant({ at, home, node, solana, port, base: base?.port ?? 0 })
      writeFileSync(file, Buffer.from(text, at === "utf16" ? "utf16le" : "utf8"), { mode: 0o600 })
      const daemon = startDaemonProcess({ file, port }, ENV)
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
      writeFileSync(join(folder, "unseen-starts.json"), JSON.stringify([...said], null, 1))
  }, 900_000)
  afterAll(async () => {
    for (const stop of stops) await stop()
  })

  test.each(STARTS)("$at: $name: `run` or `status` names it", (fault) => {
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
  readonly solana: string
  readonly port: number
  readonly base: number
}

/** PKCS #8 of an Ed25519 key (RFC 8410). */
function solanaKey(): string {
  const seed = Buffer.alloc(32, 1)
  const head = Buffer.from("302e020100300506032b657004220420", "hex")
  const der = Buffer.concat([head, seed])
  const key = createPublicKey(createPrivateKey({ key: der, format: "der", type: "pkcs8" }))
  const account = key.export({ format: "der", type: "spki" }).subarray(-32)
  return JSON.stringify([...seed, ...account])
}

function plant({ at, home, node, solana, port, base }: Place): string {
  const key = join(home, "key")
  const data = join(home, "data")
  const chain = { family: "evm", chain_id: 84_532, rpc: [node], key: `file:${key}` }
  const assets = { "some_chain:eth": { decimals: 18 } }
  const token = { decimals: 8, token: TOKEN_ADDRESS }
  const rule = {
    id: "some",
    kind: "recurring",
    schedule: "0 9 * * MON",
    from: "some_chain:eth",
    to: "some_chain:wbtc",
    amount: "1",
  }
  const { from, to } = rule
  const sweep = { id: "some", kind: "sweep", from, to, keep: "1" }
  const whole = {
    services: { main: { url: node } },
    data_dir: data,
    ops: { listen: `127.0.0.1:${port}`, token: "env:BALLAST_OPS_TOKEN" },
    chains: { some_chain: chain },
    assets: { ...assets, "some_chain:wbtc": token },
    prices: { trust_service: true },
    signer: { run: "inside" },
    rules: [rule],
  }
  const text = (more: object): string => JSON.stringify({ ...whole, ...more })
  const keyed = (text: string): void => writeFileSync(key, text, { mode: 0o600 })
  const withChain = (more: object): string =>
    text({ chains: { some_chain: { ...chain, ...more } } })
  keyed(at === "mintless_sol_chain" ? solanaKey() : KEY)
  const ops = { listen: `127.0.0.1:${port}`, token: "env:BALLAST_OPS_TOKEN" }
  const tokenOf = (name: string): object => ({
    name,
    token: "env:OTHER_TOKEN",
    scopes: ["read", "approve"],
  })
  const journalAt = join(data, "journal.db")
  const made: Readonly<Record<string, () => string>> = {
    utf16: () => `\ufeff${text({})}`,
    conflict: () =>
      `data_dir: ${data}\n<<<<<<< HEAD\nmode: live\n=======\nmode: observe\n>>>>>>> x\n`,
    documents: () => `${text({})}\n---\n${text({})}\n`,
    unquoted: () => text({}).replace(`"${TOKEN_ADDRESS}"`, TOKEN_ADDRESS),
    "bare-amount": () => text({ rules: [{ ...rule, amount: 0.1 }] }),
    curly: () => `services: { main: { url: “${node}” } }\ndata_dir: ${data}\n`,
    "same-chain": () => text({ chains: { some_chain: chain, other_chain: chain } }),
    checksum: () =>
      text({
        assets: {
          ...assets,
          "some_chain:wbtc": { decimals: 6, token: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02912" },
        },
      }),
    "quoted-key": () => withChain({ key: "env:QUOTED_KEY" }),
    "address-key": () => {
      keyed(ACCOUNT)
      return text({})
    },
    "public-key": () => {
      keyed("0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80")
      return text({
        chains: { base: { preset: "base", rpc: [node], key: `file:${key}` } },
        assets: { "base:eth": { decimals: 18 } },
        prices: {},
        rules: [],
        mode: "observe",
      })
    },
    "no-credentials": () => withChain({ key: "credential:evm-key" }),
    ...moreStarts({ key, node, rule, text, keyed, withChain }),
    codeless_chain: () =>
      text({ assets: { ...assets, "some_chain:wbtc": { decimals: 8, token: ACCOUNT } } }),
    mintless_sol_chain: () =>
      text({
        chains: { some_sol: { preset: "solana_testnet", rpc: [solana], key: `file:${key}` } },
        assets: { "some_sol:sol": { decimals: 9 }, "some_sol:usdc": { decimals: 6, token: MINT } },
        rules: [],
      }),
    "no-module": () => {
      writeFileSync(join(home, "pin"), "1234", { mode: 0o600 })
      const module = "module-path=/usr/lib/no-such-module.so&pin-source=file:pin"
      return text({
        chains: { some_chain: { ...chain, key: `pkcs11:token=Ballast;object=evm?${module}` } },
        signer: {},
      })
    },
    "no-kms": () => {
      const name = "arn:aws:kms:eu-central-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab"
      const kms = `aws-kms:${name}?address=${ACCOUNT}&credentials=file:aws`
      return text({ chains: { some_chain: { ...chain, key: kms } }, signer: {} })
    },
    "same-token": () => text({ ops: { ...ops, tokens: [tokenOf("alice"), tokenOf("ben")] } }),
    "same-rule": () => text({ rules: [rule, rule] }),
    "token-payee": () =>
      text({
        rules: [{ ...sweep, destination: TOKEN_ADDRESS }],
        guards: { destinations: [TOKEN_ADDRESS] },
      }),
    "always-quiet": () => text({ guards: { quiet_hours: [{ from: "00:00", to: "00:00" }] } }),
    "small-window": () =>
      text({
        guards: { windows: [{ per: "24h", max: "0.5" }] },
        rules: [{ ...rule, amount: "1" }],
      }),
    finality: () => withChain({ finality: { seen: 10, reveal: 2, ending: 3 } }),
    "too-few-people": () =>
      text({
        ops: { ...ops, tokens: [tokenOf("alice")] },
        guards: { approve_above: [{ over: "0.1", people: 2 }] },
      }),
    "stranger-payee": () => text({ rules: [{ ...sweep, destination: ACCOUNT }] }),
    "version-twice": () => text({ services: { main: { url: `${node}/v2` } } }),
    header: () => withChain({ rpc: [{ url: node, headers: { "x-api-key": "schlüssel-€" } }] }),
    "env-open": () => {
      writeFileSync(join(home, ".env"), "SOME=1\n")
      chmodSync(join(home, ".env"), 0o666)
      return text({})
    },
    "journal-folder": () => {
      mkdirSync(journalAt, { recursive: true, mode: 0o700 })
      chmodSync(data, 0o700)
      return text({})
    },
    "journal-empty": () => {
      mkdirSync(data, { mode: 0o700 })
      writeFileSync(journalAt, "", { mode: 0o600 })
      return text({})
    },
    "socket-folder": () => {
      mkdirSync(join(data, "ballast.sock"), { recursive: true, mode: 0o700 })
      chmodSync(data, 0o700)
      return text({})
    },
  }
  const journal = `postgres://ballast:wrong@127.0.0.1:${base}/ballast`
  return made[at]?.() ?? text({ journal })
}

type Parts = {
  readonly key: string
  readonly node: string
  readonly rule: object
  readonly text: (more: object) => string
  readonly keyed: (text: string) => void
  readonly withChain: (more: object) => string
}

/** Of the fourth list. */
function moreStarts({ key, node, rule, text, keyed, withChain }: Parts) {
  const bitcoin = { family: "bitcoin", network: "testnet4", esplora: [node], key: `file:${key}` }
  const onlyCoin = (chain: object, coin: string, decimals: number): string =>
    text({ chains: { other: chain }, assets: { [`other:${coin}`]: { decimals } }, rules: [] })
  return {
    "json-key": () => {
      keyed('{"version":3,"id":"x","crypto":{"cipher":"aes-128-ctr","ciphertext":"00"}}')
      return text({})
    },
    "main-wif": () => {
      keyed("L4rK1yDtCWekvXuE6oXD9jCYfFNV2cWRpVuPLBcCU2z8TrisoyY1")
      return onlyCoin(bitcoin, "btc", 8)
    },
    "half-key": () => {
      keyed(JSON.stringify(Array.from({ length: 32 }, (_, index) => index)))
      return onlyCoin({ preset: "solana_testnet", rpc: [node], key: `file:${key}` }, "sol", 9)
    },
    "shell-variable": () => withChain({ key: ["$", "{EVM_KEY}"].join("") }),
    schemeless: () => withChain({ rpc: ["localhost:8545"] }),
    "bare-port": () => text({ ops: { listen: "7070", token: "env:BALLAST_OPS_TOKEN" } }),
    daily: () => text({ rules: [{ ...rule, schedule: "@daily" }] }),
    ninety: () => {
      const weights = { "some_chain:eth": "50%", "some_chain:wbtc": "40%" }
      return text({
        rules: [{ id: "mix", kind: "weights", weights, tolerance: "5%", every: "1h" }],
      })
    },
    capitals: () => text({ rules: [{ ...rule, to: "some_chain:WBTC" }] }),
    negative: () => text({ rules: [{ ...rule, amount: "-1" }] }),
    currency: () => text({ guards: { max_order: "500 eur" } }),
  }
}

/** Without the folders of the test, whose names would fit the words of a fault. */
function plain(text: string, dir: string): string {
  const names = new RegExp(
    `${dir}[\\w./-]*?(?=(/(data|key|aws|\\.env)\\b|/ballast\\.yaml|[^\\w./-]|$))`,
    "g",
  )
  return text.replace(names, "").replace(/\s+/g, " ")
}
