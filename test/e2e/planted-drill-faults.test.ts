import {
  DRILL_NODE_FAULTS,
  DRILL_PRICE_FAULTS,
  DRILL_RECEIVER_FAULTS,
  DRILL_SERVICE_FAULTS,
} from "../support/drill-faults.ts"
import { startDrillStub } from "../support/drill-stub.ts"
import { testPlantedWorld } from "../support/planted-world.ts"

testPlantedWorld({
  name: "drill",
  nodes: DRILL_NODE_FAULTS,
  services: DRILL_SERVICE_FAULTS,
  prices: DRILL_PRICE_FAULTS,
  receivers: DRILL_RECEIVER_FAULTS,
  start: startDrillStub,
  assets: {},
  sources: (stub) => [
    {
      asset: "null_chain:eth",
      kind: "coinbase",
      product: "ETH-USD",
      url: stub.urlOf("price-old"),
    },
  ],
  receiversOf: (stub) => ({
    closed_desk: { kind: "webhook", url: `http://127.0.0.1:${stub.closedPort}/` },
    nay_desk: {
      kind: "telegram",
      token: "env:BOT_TOKEN",
      chat: "-100123",
      api: stub.urlOf("nay_desk"),
    },
  }),
  env: () => ({ BOT_TOKEN: "123456:a-token-of-the-bot" }),
  stubNames: { "null_chain:eth": "price-old" },
})
