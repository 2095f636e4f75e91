import { testPlantedOrders } from "../support/planted-orders.ts"
import { SURPRISE_CALL_FAULTS, SURPRISE_METHOD_FAULTS } from "../support/surprise-faults.ts"

const BASE = "base_sepolia"
const ETHEREUM = "ethereum_sepolia"

testPlantedOrders({
  name: "surprise",
  calls: SURPRISE_CALL_FAULTS,
  methods: SURPRISE_METHOD_FAULTS,
  pairs: {
    create_redirect: [`${BASE}:wbtc`, `${ETHEREUM}:wbtc`],
    quote_resultless: [`${BASE}:cbbtc`, `${ETHEREUM}:cbbtc`],
  },
  ways: { [ETHEREUM]: [`${ETHEREUM}:wbtc`, "bitcoin_testnet:btc"] },
})
