import { testPlantedOrders } from "../support/planted-orders.ts"
import { SUNDRY_CALL_FAULTS, SUNDRY_METHOD_FAULTS } from "../support/sundry-faults.ts"

const BASE = "base_sepolia"
const ETHEREUM = "ethereum_sepolia"

testPlantedOrders({
  name: "sundry",
  calls: SUNDRY_CALL_FAULTS,
  methods: SUNDRY_METHOD_FAULTS,
  pairs: {
    quote_login: [`${BASE}:wbtc`, `${ETHEREUM}:wbtc`],
    create_busy: [`${BASE}:cbbtc`, `${ETHEREUM}:cbbtc`],
    order_list: [`${BASE}:wbtc`, `${ETHEREUM}:cbbtc`],
  },
  ways: { [ETHEREUM]: [`${ETHEREUM}:wbtc`, "bitcoin_testnet:btc"] },
})
