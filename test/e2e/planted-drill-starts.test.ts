import { DRILL_START_FAULTS } from "../support/drill-faults.ts"
import {
  START_COIN,
  START_TOKEN,
  type StartChange,
  type StartPlace,
  testPlantedStarts,
} from "../support/planted-starts.ts"
import { UNLISTED_TOKEN } from "../support/unlisted-stub.ts"

const CRLF_KEY = `0x${"4c".repeat(32)}\r`
const hourly = (id: string, from: string, to: string, amount: string): object => ({
  id,
  kind: "recurring",
  schedule: "0 * * * *",
  from,
  to,
  amount,
})
const isPlanted = (): boolean => true

const PLANTS: Readonly<Record<string, (place: StartPlace) => StartChange>> = {
  "listen-away": ({ ops }) => ({
    config: { ops: { ...ops, listen: "203.0.113.7:8790" } },
    isPlanted,
  }),
  against: () => ({
    config: {
      rules: [
        hourly("out", START_TOKEN, START_COIN, "50"),
        hourly("back", START_COIN, START_TOKEN, "0.02"),
      ],
    },
    isPlanted,
  }),
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
  "crlf-key": ({ chain }) => ({
    config: { chains: { some_chain: { ...chain, key: "env:WALLET_KEY" } } },
    isPlanted: () => CRLF_KEY.endsWith("\r"),
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
  faults: DRILL_START_FAULTS,
  plants: PLANTS,
  env: { "crlf-key": { WALLET_KEY: CRLF_KEY } },
})
