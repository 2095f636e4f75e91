import { DRILL_CALL_FAULTS, DRILL_METHOD_FAULTS, UNNAMED_DRILL } from "../support/drill-faults.ts"
import { testPlantedOrders } from "../support/planted-orders.ts"

const BASE = "base_sepolia"
const ETHEREUM = "ethereum_sepolia"

testPlantedOrders({
  name: "drill",
  calls: DRILL_CALL_FAULTS,
  methods: DRILL_METHOD_FAULTS.filter(({ at }) => UNNAMED_DRILL[at] === undefined),
  pairs: {
    create_stale: [`${BASE}:wbtc`, `${ETHEREUM}:wbtc`],
    quote_less: [`${BASE}:cbbtc`, `${ETHEREUM}:cbbtc`],
  },
  ways: {
    [BASE]: [`${BASE}:wbtc`, `${ETHEREUM}:cbbtc`],
    bitcoin_testnet: ["bitcoin_testnet:btc", `${BASE}:cbbtc`],
    solana_testnet: ["solana_testnet:usdc", `${BASE}:cbbtc`],
    starknet_sepolia: ["starknet_sepolia:wbtc", `${BASE}:cbbtc`],
  },
})
