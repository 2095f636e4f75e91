import { startOrdinaryStub } from "../support/ordinary-stub.ts"
import { testPlantedWorld } from "../support/planted-world.ts"
import {
  SUNDRY_NODE_FAULTS,
  SUNDRY_PRICE_FAULTS,
  SUNDRY_RECEIVER_FAULTS,
  SUNDRY_SERVICE_FAULTS,
} from "../support/sundry-faults.ts"

testPlantedWorld({
  name: "sundry",
  nodes: SUNDRY_NODE_FAULTS,
  services: SUNDRY_SERVICE_FAULTS,
  prices: SUNDRY_PRICE_FAULTS,
  receivers: SUNDRY_RECEIVER_FAULTS,
  start: startOrdinaryStub,
  assets: {},
  sources: (stub) => [{ asset: "paid_chain:eth", url: stub.urlOf("price-true"), path: "price" }],
  receiversOf: () => ({ form_desk: { kind: "discord", url: "env:DISCORD_URL" } }),
  env: (stub) => ({ DISCORD_URL: stub.urlOf("form_desk") }),
  stubNames: { "paid_chain:eth": "price-true" },
})
