import {
  ORDINARY_NODE_FAULTS,
  ORDINARY_PRICE_FAULTS,
  ORDINARY_RECEIVER_FAULTS,
  ORDINARY_SERVICE_FAULTS,
} from "../support/ordinary-faults.ts"
import { startOrdinaryStub } from "../support/ordinary-stub.ts"
import { testPlantedWorld } from "../support/planted-world.ts"
import { UNLISTED_TOKEN } from "../support/unlisted-stub.ts"

testPlantedWorld({
  name: "ordinary",
  nodes: ORDINARY_NODE_FAULTS,
  services: ORDINARY_SERVICE_FAULTS,
  prices: ORDINARY_PRICE_FAULTS,
  receivers: ORDINARY_RECEIVER_FAULTS,
  start: startOrdinaryStub,
  assets: { "gutted_chain:usdc": { decimals: 8, token: UNLISTED_TOKEN } },
  sources: (stub) => [
    { asset: "cloudy_chain:eth", url: stub.urlOf("price-object"), path: "price" },
    {
      asset: "delegated_chain:eth",
      kind: "chainlink",
      chain: "delegated_chain",
      address: UNLISTED_TOKEN,
    },
    {
      asset: "hollow_chain:eth",
      kind: "kraken",
      product: "ETHUSD",
      url: stub.urlOf("price-kraken"),
    },
  ],
  receiversOf: (stub) => ({
    spent_desk: { kind: "ntfy", topic: "env:NTFY_TOPIC", api: stub.urlOf("spent_desk") },
    lost_desk: {
      kind: "matrix",
      token: "env:MATRIX_TOKEN",
      room: "!room:example.com",
      api: stub.urlOf("lost_desk"),
    },
    plain_desk: {
      kind: "email",
      host: "127.0.0.1",
      port: stub.mailPort,
      tls: "tls",
      from: "ballast@example.com",
      to: ["desk@example.com"],
    },
  }),
  env: () => ({ NTFY_TOPIC: "a-topic-of-the-desk", MATRIX_TOKEN: "syt_a_token_of_the_bot" }),
  stubNames: {
    "cloudy_chain:eth": "price-object",
    "hollow_chain:eth": "price-kraken",
    "delegated_chain:eth": "delegated_chain",
  },
})
