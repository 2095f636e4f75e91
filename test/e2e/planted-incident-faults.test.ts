import {
  INCIDENT_NODE_FAULTS,
  INCIDENT_PRICE_FAULTS,
  INCIDENT_RECEIVER_FAULTS,
  INCIDENT_SERVICE_FAULTS,
  UNNAMED_INCIDENT,
} from "../support/incident-faults.ts"
import { INCIDENT_FEED, startIncidentStub } from "../support/incident-stub.ts"
import { testPlantedWorld } from "../support/planted-world.ts"
import { UNLISTED_TOKEN } from "../support/unlisted-stub.ts"

/** Of no account. */
const PYTH_ACCOUNT = "7UVimffxr9ow1uXYxsr4LHAcV58mLzhmwaeKvJ1pjLiE"
const MAIL = {
  kind: "email",
  host: "127.0.0.1",
  from: "ballast@example.com",
  to: ["desk@example.com"],
}

testPlantedWorld({
  name: "incident",
  nodes: INCIDENT_NODE_FAULTS.filter(({ at }) => UNNAMED_INCIDENT[at] === undefined),
  services: INCIDENT_SERVICE_FAULTS,
  prices: INCIDENT_PRICE_FAULTS,
  receivers: INCIDENT_RECEIVER_FAULTS,
  start: startIncidentStub,
  healthy: ["good_sol_chain", "redenominated_chain"],
  endpoints: { halted_chain: ["halted_chain", "halted_chain-two"] },
  assets: { "redenominated_chain:usdc": { decimals: 8, token: UNLISTED_TOKEN } },
  sources: (stub) => [
    { asset: "fenced_chain:eth", url: stub.urlOf("price-unit"), path: "price" },
    {
      asset: "cut_chain:eth",
      kind: "kraken",
      product: "ETHUSD",
      url: stub.urlOf("price-kraken"),
    },
    {
      asset: "late_sol_chain:sol",
      kind: "pyth",
      chain: "good_sol_chain",
      address: PYTH_ACCOUNT,
      feed: "ef".repeat(32),
    },
    {
      asset: "redenominated_chain:eth",
      kind: "chainlink",
      chain: "redenominated_chain",
      address: INCIDENT_FEED,
    },
  ],
  receiversOf: (stub) => ({
    ill_desk: { kind: "webhook", url: stub.urlOf("ill_desk") },
    team_desk: { kind: "slack", url: "env:SLACK_URL" },
    locked_desk: {
      kind: "ntfy",
      topic: "env:NTFY_TOPIC",
      token: "env:NTFY_TOKEN",
      api: stub.urlOf("locked_desk"),
    },
    hasty_desk: { ...MAIL, port: stub.hastyPort, tls: "none" },
    selfsigned_desk: { ...MAIL, port: stub.selfSignedPort, tls: "tls" },
  }),
  env: (stub) => ({
    SLACK_URL: stub.urlOf("team_desk"),
    NTFY_TOPIC: "a-topic-of-the-desk",
    NTFY_TOKEN: "tk_a_token_of_the_desk",
  }),
  stubNames: {
    "redenominated_chain:usdc": "redenominated_chain",
    "fenced_chain:eth": "price-unit",
    "cut_chain:eth": "price-kraken",
    "late_sol_chain:sol": "good_sol_chain",
    "redenominated_chain:eth": "redenominated_chain",
  },
})
