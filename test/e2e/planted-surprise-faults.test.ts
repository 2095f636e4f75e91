import { startIncidentStub } from "../support/incident-stub.ts"
import { testPlantedWorld } from "../support/planted-world.ts"
import {
  SURPRISE_NODE_FAULTS,
  SURPRISE_PRICE_FAULTS,
  SURPRISE_RECEIVER_FAULTS,
  SURPRISE_SERVICE_FAULTS,
  UNNAMED_SURPRISE,
} from "../support/surprise-faults.ts"

testPlantedWorld({
  name: "surprise",
  nodes: SURPRISE_NODE_FAULTS.filter(({ at }) => UNNAMED_SURPRISE[at] === undefined),
  services: SURPRISE_SERVICE_FAULTS,
  prices: SURPRISE_PRICE_FAULTS,
  receivers: SURPRISE_RECEIVER_FAULTS,
  start: startIncidentStub,
  assets: {},
  sources: (stub) => [
    { asset: "trial_chain:eth", url: stub.urlOf("price-hex"), path: "price" },
    {
      asset: "text_sol_chain:sol",
      kind: "kraken",
      product: "SOLUSD",
      url: stub.urlOf("price-marketless"),
    },
  ],
  receiversOf: (stub) => ({
    flooded_desk: {
      kind: "telegram",
      token: "env:BOT_TOKEN",
      chat: "-100123",
      api: stub.urlOf("flooded_desk"),
    },
    pathless_desk: { kind: "webhook", url: stub.urlOf("pathless_desk") },
  }),
  env: () => ({ BOT_TOKEN: "123456:a-token-of-the-bot" }),
  stubNames: { "trial_chain:eth": "price-hex", "text_sol_chain:sol": "price-marketless" },
})
