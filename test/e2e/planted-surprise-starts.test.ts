import {
  START_COIN,
  START_TOKEN,
  type StartChange,
  type StartPlace,
  testPlantedStarts,
} from "../support/planted-starts.ts"
import { startRefusingPostgres } from "../support/refusing-postgres.ts"
import { SURPRISE_START_FAULTS } from "../support/surprise-faults.ts"

const isPlanted = (): boolean => true

const PLANTS: Readonly<Record<string, (place: StartPlace) => StartChange>> = {
  "hour-25": () => ({ config: { alerts: { daily: { at: "25:00" } } }, isPlanted }),
  "agent-limitless": ({ ops }) => {
    const pairs = [{ from: START_TOKEN, to: START_COIN }]
    const helper = { name: "helper", socket: true, tools: ["read", "swap"], pairs }
    return { config: { ops: { ...ops, agents: [helper] } }, isPlanted }
  },
  "scope-slip": ({ ops }) => {
    const carol = { name: "carol", token: "env:CAROL_TOKEN", scopes: ["aprove"] }
    return { config: { ops: { ...ops, tokens: [carol] } }, isPlanted }
  },
  "pg-57P01": ({ port }) => ({
    config: { journal: `postgres://ballast:secret@127.0.0.1:${port}/ballast` },
    isPlanted: () => port > 0,
  }),
  "proxy-port": () => ({ isPlanted }),
}

testPlantedStarts({
  name: "surprise",
  faults: SURPRISE_START_FAULTS,
  plants: PLANTS,
  open: () => startRefusingPostgres("57P01", "terminating connection due to administrator command"),
  env: {
    "scope-slip": { CAROL_TOKEN: "a-token-of-carol-with-letters" },
    "proxy-port": { HTTPS_PROXY: "http://127.0.0.1:99999" },
  },
})
