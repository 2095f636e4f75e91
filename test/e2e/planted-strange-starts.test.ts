import { execFileSync } from "node:child_process"
import { chmodSync, chownSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type CliResult, runBallast } from "../support/e2e-cli.ts"
import { freePort } from "../support/free-port.ts"
import { TOKEN } from "../support/sandbox-process.ts"
import { canMountDisks, mountSmallDisk, type SmallDisk } from "../support/small-disk.ts"
import { STRANGE_START_FAULTS } from "../support/strange-faults.ts"
import { STRANGER_START_FAULTS } from "../support/stranger-faults.ts"
import { temporaryFolder } from "../support/temporary-folder.ts"

const ENV = { BALLAST_OPS_TOKEN: TOKEN, SHORT_TOKEN: "abc" }
const KEY = `0x${"4c".repeat(32)}`
const WORDS = "test test test test test test test test test test test junk"
const NOBODY = 65_534
const hasDisk = canMountDisks()
const STARTS = [...STRANGE_START_FAULTS, ...STRANGER_START_FAULTS]
const PLANTED = STARTS.filter(({ at }) => hasDisk || at !== "inodes")

describe("a strange start", () => {
  const dir = temporaryFolder("ballast-e2e-strange-starts")
  const said = new Map<string, { run: CliResult; status: CliResult }>()
  const disks: SmallDisk[] = []

  beforeAll(async () => {
    const nowhere = `http://127.0.0.1:${await freePort()}`
    for (const { at } of PLANTED) {
      const home = join(dir, at)
      mkdirSync(home, { mode: 0o700 })
      const file = join(home, "ballast.yaml")
      writeFileSync(file, plant(at, home, nowhere, disks), { mode: 0o600 })
      const options = { env: ENV, cwd: home, timeoutMs: 20_000 }
      const run = await runBallast(["run", "--config", file], options)
      said.set(at, { run, status: await runBallast(["status", "--config", file], options) })
    }
    const folder = process.env["STRANGE_DUMP"]
    if (folder !== undefined)
      writeFileSync(join(folder, "starts.json"), JSON.stringify([...said], null, 1))
  }, 500_000)
  afterAll(() => {
    for (const disk of disks) disk.unmount()
  })

  test.each(PLANTED)("$at: $name: `run` names it, and `status` afterwards", (fault) => {
    const { run, status } = said.get(fault.at) ?? {}
    const text = flat(`${run?.stdout}${run?.stderr}`)
    expect(text).toMatch(fault.says)
    expect(text).toMatch(fault.todo)
    expect([75, 78]).toContain(run?.code)
    const after = flat(`${status?.stdout}${status?.stderr}`)
    expect(after).toMatch(fault.says)
    expect(after).toMatch(fault.todo)
  })
})

function plant(at: string, home: string, nowhere: string, disks: SmallDisk[]): string {
  const key = join(home, "key")
  const data = join(home, "data")
  const chain = { family: "evm", chain_id: 84_532, rpc: [nowhere], key: `file:${key}` }
  const assets = { "some_chain:eth": { decimals: 18 } }
  const token = { decimals: 8, token: `0x${"12".repeat(20)}` }
  const base = {
    services: { main: { url: nowhere } },
    data_dir: data,
    chains: { some_chain: chain },
    assets,
    prices: { trust_service: true },
    signer: { run: "inside" },
  }
  const rule = {
    id: "some",
    kind: "recurring",
    schedule: "0 9 * * MON",
    from: "some_chain:eth",
    to: "some_chain:wbtc",
    amount: "1",
  }
  const two = { ...assets, "some_chain:wbtc": token }
  const text = (more: object): string => JSON.stringify({ ...base, ...more })
  if (at !== "folder") writeFileSync(key, at === "words" ? WORDS : KEY, { mode: 0o600 })
  switch (at) {
    case "folder":
      mkdirSync(key, { mode: 0o700 })
      return text({})
    case "zone":
      return text({ assets: two, rules: [{ ...rule, timezone: "Europe/Berlim" }] })
    case "unlisted":
      return text({ assets: two, rules: [{ ...rule, to: "some_chain:usdc" }] })
    case "tab":
      return `data_dir: ${data}\nservices:\n\tmain:\n\t\turl: ${nowhere}\n`
    case "open":
      return text({ ops: { listen: "0.0.0.0:7070", token: "env:BALLAST_OPS_TOKEN" } })
    case "short":
      return text({ ops: { listen: "127.0.0.1:0", token: "env:SHORT_TOKEN" } })
    case "twice":
      return text({ chains: { some_chain: { ...chain, rpc: [nowhere, nowhere] } } })
    case "tilde":
      return text({ data_dir: "~/ballast-data" })
    case "comma":
      return text({ assets: two, rules: [{ ...rule, amount: "1,5" }] })
    case "unitless":
      return text({ health: { check_every: 5 } })
    case "double":
      return `${text({}).slice(0, -1)}, "chains": {}}`
    case "owner":
      mkdirSync(data, { mode: 0o700 })
      chownSync(data, NOBODY, NOBODY)
      chmodSync(data, 0o700)
      return text({})
    case "inodes": {
      const disk = mountSmallDisk("20m,nr_inodes=2")
      disks.push(disk)
      writeFileSync(join(disk.dir, "last"), "")
      return text({ data_dir: join(disk.dir) })
    }
    default:
      return plantMore(at, home, text)
  }
}

/** Of the second list. */
function plantMore(at: string, home: string, text: (more: object) => string): string {
  const key = join(home, "key")
  const chain = { family: "evm", chain_id: 84_532, rpc: ["http://127.0.0.1:9"], key: `file:${key}` }
  const rule = { id: "some", kind: "recurring", schedule: "0 9 * * MON", amount: "1" }
  switch (at) {
    case "no-keystore":
      return text({ chains: { some_chain: { ...chain, key: `keystore:${key}` } } })
    case "no-share":
      return text({ guards: { max_cost: 60 } })
    case "family":
      return text({ chains: { some_chain: { ...chain, family: "evn" } } })
    case "chain-name":
      return text({ chains: { some_chain: { ...chain, chain_id: "base" } } })
    case "circle":
      return text({ rules: [{ ...rule, from: "some_chain:eth", to: "some_chain:eth" }] })
    case "below-file":
      return text({ data_dir: join(key, "data") })
    case "empty-file":
      return ""
    case "tls-pair": {
      const cert = join(home, "cert.pem")
      for (const name of ["cert", "other"]) {
        const file = join(home, `${name}.pem`)
        const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
        const files = ["-keyout", join(home, `${name}.key`), "-out", file, "-subj", "/CN=x"]
        execFileSync("openssl", ["req", "-x509", ...curve, ...files], { stdio: "ignore" })
      }
      const tls = { cert: `file:${cert}`, key: `file:${join(home, "other.key")}` }
      return text({ ops: { listen: "127.0.0.1:0", token: "env:BALLAST_OPS_TOKEN", tls } })
    }
    default:
      return text({})
  }
}

function flat(text: string): string {
  return text.replace(/\s+/g, " ")
}
