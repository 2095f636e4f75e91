import { existsSync, mkdirSync, mkdtempSync, statfsSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { ORDINARY_START_FAULTS } from "../support/ordinary-faults.ts"
import {
  START_COIN,
  START_TOKEN,
  type StartChange,
  type StartPlace,
  testPlantedStarts,
} from "../support/planted-starts.ts"
import { startRefusingPostgres } from "../support/refusing-postgres.ts"

/** The type of tmpfs, as statfs tells it. */
const TMPFS = 0x0102_1994
const SOCKS = "socks5://127.0.0.1:1080"
const WEEKLY = {
  id: "weekly",
  kind: "recurring",
  schedule: "0 9 * * MON",
  from: START_TOKEN,
  to: START_COIN,
  amount: "5",
}
const always = (): boolean => true

function desk({ node }: StartPlace, least: string): object {
  return { desk: { kind: "webhook", url: node, least } }
}

function inData(home: string, make: (data: string) => void): void {
  const data = join(home, "data")
  mkdirSync(data, { mode: 0o700 })
  make(data)
}

const PLANTS: Readonly<Record<string, (place: StartPlace) => StartChange>> = {
  "no-htlc": () => ({ config: { rules: [WEEKLY] }, isPlanted: always }),
  "mute-receiver": (place) => ({
    config: { alerts: { receivers: desk(place, "escalation") } },
    isPlanted: always,
  }),
  "no-escalation": (place) => ({
    config: { alerts: { receivers: desk(place, "attention"), escalate_after: "30m" } },
    isPlanted: always,
  }),
  "lone-weight": () => ({
    config: { rules: [{ id: "shares", kind: "weights", weights: { [START_COIN]: "100%" } }] },
    isPlanted: always,
  }),
  "pg-ca": ({ home }) => {
    const file = join(home, "missing.pem")
    const query = `sslmode=verify-full&sslrootcert=${file}`
    return {
      config: { journal: `postgres://ballast:secret@127.0.0.1:5432/ballast?${query}` },
      isPlanted: () => !existsSync(file),
    }
  },
  "pg-08P01": ({ port }) => ({
    config: { journal: `postgres://ballast:secret@127.0.0.1:${port}/ballast` },
    isPlanted: () => port > 0,
  }),
  "runtime-folder": ({ home }) => {
    inData(home, (data) => mkdirSync(join(data, "runtime.json")))
    return { isPlanted: () => statSync(join(home, "data", "runtime.json")).isDirectory() }
  },
  "signer-file": ({ home }) => {
    inData(home, (data) => writeFileSync(join(data, "signer"), "", { mode: 0o600 }))
    return {
      config: { signer: { run: "child" } },
      isPlanted: () => statSync(join(home, "data", "signer")).isFile(),
    }
  },
  "proxy-socks": () => ({ isPlanted: always }),
  "ram-disk": () => {
    const data = mkdtempSync("/dev/shm/ballast-e2e-")
    return {
      config: { data_dir: data },
      isPlanted: () => statfsSync(data).type === TMPFS,
    }
  },
}

testPlantedStarts({
  name: "ordinary",
  faults: ORDINARY_START_FAULTS,
  plants: PLANTS,
  open: () => startRefusingPostgres("08P01", "unsupported startup parameter: extra_float_digits"),
  env: { "proxy-socks": { HTTPS_PROXY: SOCKS } },
})
