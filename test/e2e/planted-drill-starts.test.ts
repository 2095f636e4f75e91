import { execFileSync } from "node:child_process"
import { chmodSync } from "node:fs"
import { join } from "node:path"
import { DRILL_START_FAULTS, UNNAMED_DRILL } from "../support/drill-faults.ts"
import {
  START_COIN,
  START_TOKEN,
  type StartChange,
  type StartPlace,
  testPlantedStarts,
} from "../support/planted-starts.ts"
import { UNLISTED_TOKEN } from "../support/unlisted-stub.ts"

const isPlanted = (): boolean => true

const PLANTS: Readonly<Record<string, (place: StartPlace) => StartChange>> = {
  "listen-away": ({ home, ops }) => {
    const cert = join(home, "cert.pem")
    const key = join(home, "tls.key")
    const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    const files = ["-keyout", key, "-out", cert, "-days", "90", "-subj", "/CN=desk"]
    execFileSync("openssl", ["req", "-x509", ...curve, ...files], { stdio: "ignore" })
    chmodSync(key, 0o600)
    const tls = { cert: `file:${cert}`, key: `file:${key}` }
    return { config: { ops: { ...ops, tls, listen: "203.0.113.7:8790" } }, isPlanted }
  },
  "token-twice": () => ({
    config: {
      assets: {
        [START_COIN]: { decimals: 18 },
        [START_TOKEN]: { decimals: 8, token: UNLISTED_TOKEN },
        "some_chain:usdc2": { decimals: 8, token: UNLISTED_TOKEN },
      },
    },
    isPlanted,
  }),
  "band-narrow": () => ({
    config: {
      rules: [
        {
          id: "stock",
          kind: "band",
          asset: START_TOKEN,
          min: "1",
          target: "1.5",
          max: "2",
          least: "500",
          sources: [START_COIN],
        },
      ],
    },
    isPlanted,
  }),
  "dollar-sign": () => ({ config: { guards: { max_order: "$500" } }, isPlanted }),
}

testPlantedStarts({
  name: "drill",
  faults: DRILL_START_FAULTS.filter(({ at }) => UNNAMED_DRILL[at] === undefined),
  plants: PLANTS,
})
