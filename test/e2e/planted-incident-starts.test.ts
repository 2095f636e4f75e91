import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { openDatabase } from "../../src/edges/journal/disk/open-database.ts"
import { INCIDENT_START_FAULTS } from "../support/incident-faults.ts"
import {
  START_COIN,
  START_TOKEN,
  type StartChange,
  type StartPlace,
  testPlantedStarts,
} from "../support/planted-starts.ts"
import { startRefusingPostgres } from "../support/refusing-postgres.ts"

const NEWER = 1_000
const WEEKLY = {
  id: "weekly",
  kind: "recurring",
  schedule: "0 9 * * MON",
  from: START_TOKEN,
  to: START_COIN,
  amount: "5",
}
const isPlanted = (): boolean => true

function makePair(home: string): { readonly cert: string; readonly key: string } {
  const cert = join(home, "cert.pem")
  const key = join(home, "tls.key")
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"]
  const names = ["-subj", "/CN=desk", "-addext", "subjectAltName=IP:127.0.0.1"]
  const files = ["-keyout", key, "-out", cert, "-days", "90", "-passout", "pass:of-the-desk"]
  execFileSync("openssl", ["req", "-x509", ...curve, ...files, ...names], { stdio: "ignore" })
  execFileSync("chmod", ["600", key])
  return { cert, key }
}

const PLANTS: Readonly<Record<string, (place: StartPlace) => StartChange>> = {
  "tls-missing": ({ home, ops }) => {
    const cert = join(home, "cert.pem")
    const tls = { cert: `file:${cert}`, key: `file:${join(home, "key")}` }
    return { config: { ops: { ...ops, tls } }, isPlanted: () => !existsSync(cert) }
  },
  "tls-passphrase": ({ home, ops }) => {
    const { cert, key } = makePair(home)
    return {
      config: { ops: { ...ops, tls: { cert: `file:${cert}`, key: `file:${key}` } } },
      isPlanted: () => readFileSync(key, "utf8").startsWith("-----BEGIN ENCRYPTED PRIVATE KEY"),
    }
  },
  "lone-peg": () => ({
    config: { prices: { trust_service: true, pegs: [{ assets: [START_TOKEN] }] } },
    isPlanted,
  }),
  "price-unlisted": ({ node }) => ({
    config: {
      prices: {
        trust_service: true,
        sources: [{ asset: "some_chain:wbtc", url: node, path: "p" }],
      },
    },
    isPlanted,
  }),
  "native-unlisted": () => ({
    config: { guards: { min_native: { som_chain: "0.1" } } },
    isPlanted,
  }),
  "limit-unlisted": () => ({
    config: { signer: { run: "child", limits: { "some_chain:usd": { per_day: "5" } } } },
    isPlanted,
  }),
  "approver-unknown": ({ node }) => ({
    config: {
      alerts: {
        receivers: {
          desk: {
            kind: "telegram",
            token: "env:BOT_TOKEN",
            chat: "-100123",
            api: node,
            approvers: { "4711": "carol" },
          },
        },
      },
    },
    isPlanted,
  }),
  "escalate-unknown": ({ node }) => ({
    config: {
      alerts: {
        receivers: { desk: { kind: "webhook", url: node } },
        escalate_after: "30m",
        escalate_to: ["night"],
      },
    },
    isPlanted,
  }),
  "fee-zero": ({ chain }) => ({
    config: { chains: { some_chain: { ...chain, max_fee_per_gas: "0 gwei" } } },
    isPlanted,
  }),
  "poll-turned": ({ node }) => ({
    config: { services: { main: { url: node, poll: { min: "30s", max: "5s" } } } },
    isPlanted,
  }),
  "nameless-secrets": ({ home }) => {
    const file = join(home, "secrets.key")
    writeFileSync(file, "5d".repeat(32), { mode: 0o600 })
    return { config: { secrets: { key: `file:${file}` } }, isPlanted }
  },
  // Without contracts of swaps: those of the stub would be of another token.
  "observe-left": () => ({ config: { mode: "observe", rules: [WEEKLY] }, isPlanted }),
  "webhook-key": ({ node }) => ({
    config: {
      alerts: { receivers: { desk: { kind: "webhook", url: node, key: "env:DESK_KEY" } } },
    },
    isPlanted,
  }),
  "pg-53200": ({ port }) => ({
    config: { journal: `postgres://ballast:secret@127.0.0.1:${port}/ballast` },
    isPlanted: () => port > 0,
  }),
  "pg-no-tls": ({ port }) => ({
    config: { journal: `postgres://ballast:secret@127.0.0.1:${port}/ballast?sslmode=verify-full` },
    isPlanted: () => port > 0,
  }),
  "newer-journal": ({ home }) => {
    const data = join(home, "data")
    mkdirSync(data, { mode: 0o700 })
    const versions: number[] = []
    const journal = openDatabase(join(data, "journal.db"))
    const read = (): void => {
      versions.push(Number(journal.prepare("pragma user_version").get()?.["user_version"]))
    }
    read()
    journal.exec(`pragma user_version = ${(versions[0] ?? 0) + NEWER}`)
    read()
    journal.close()
    return { isPlanted: () => (versions[1] ?? 0) - (versions[0] ?? 0) === NEWER }
  },
}

testPlantedStarts({
  name: "incident",
  faults: INCIDENT_START_FAULTS,
  plants: PLANTS,
  open: () => startRefusingPostgres("53200", "out of memory"),
  env: {
    "approver-unknown": { BOT_TOKEN: "123456:a-token-of-the-bot" },
    "webhook-key": { DESK_KEY: "no base64: !!" },
  },
})
