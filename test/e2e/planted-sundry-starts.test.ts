import { writeFileSync } from "node:fs"
import { join } from "node:path"
import {
  START_COIN,
  START_TOKEN,
  type StartChange,
  type StartPlace,
  testPlantedStarts,
} from "../support/planted-starts.ts"
import { startRefusingPostgres } from "../support/refusing-postgres.ts"
import { SUNDRY_START_FAULTS } from "../support/sundry-faults.ts"

const WEEKLY = {
  id: "weekly",
  kind: "recurring",
  schedule: "0 9 * * MON",
  from: START_TOKEN,
  to: START_COIN,
  amount: "5",
}
const isPlanted = (): boolean => true

const PLANTS: Readonly<Record<string, (place: StartPlace) => StartChange>> = {
  "heartbeat-name": () => ({
    config: { alerts: { heartbeat: { url: "http://heartbeat.invalid/ping", every: "5s" } } },
    isPlanted,
  }),
  "watch-half": ({ chain }) => ({
    config: { chains: { some_chain: { ...chain, key: `watch:0x${"21".repeat(10)}` } } },
    isPlanted,
  }),
  "gas-sources": () => ({
    config: { rules: [{ id: "fees", kind: "gas", asset: START_COIN, sources: [] }] },
    isPlanted,
  }),
  "signer-zero": () => ({
    config: {
      rules: [WEEKLY],
      signer: { run: "child", limits: { [START_TOKEN]: { per_day: "0" } } },
    },
    isPlanted,
  }),
  "pg-58030": ({ port }) => ({
    config: { journal: `postgres://ballast:secret@127.0.0.1:${port}/ballast` },
    isPlanted: () => port > 0,
  }),
  "keystore-old": ({ home, chain }) => {
    const file = join(home, "old.json")
    writeFileSync(file, '{"version":1,"crypto":{"cipher":"aes-128-ctr"}}', { mode: 0o600 })
    return {
      config: { chains: { some_chain: { ...chain, key: `keystore:${file}` } } },
      isPlanted,
    }
  },
}

testPlantedStarts({
  name: "sundry",
  faults: SUNDRY_START_FAULTS,
  plants: PLANTS,
  open: () => startRefusingPostgres("58030", "could not write to file: Input/output error"),
  env: { "keystore-old": { BALLAST_KEYSTORE_PASSWORD: "a-password-of-the-desk" } },
})
