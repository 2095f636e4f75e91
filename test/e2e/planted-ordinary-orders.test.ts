import { ORDINARY_CALL_FAULTS, ORDINARY_METHOD_FAULTS } from "../support/ordinary-faults.ts"
import { testPlantedOrders } from "../support/planted-orders.ts"

const BASE = "base_sepolia"
const ETHEREUM = "ethereum_sepolia"

testPlantedOrders({
  name: "ordinary",
  calls: ORDINARY_CALL_FAULTS,
  methods: ORDINARY_METHOD_FAULTS,
  pairs: {
    quote_unlisted: [`${BASE}:wbtc`, `${ETHEREUM}:wbtc`],
    quote_late: [`${BASE}:cbbtc`, `${ETHEREUM}:cbbtc`],
    create_amount: [`${BASE}:wbtc`, `${ETHEREUM}:cbbtc`],
    create_expired: [`${BASE}:cbbtc`, `${ETHEREUM}:wbtc`],
    create_unready: ["starknet_sepolia:wbtc", `${ETHEREUM}:wbtc`],
  },
  ways: {
    [BASE]: [`${BASE}:wbtc`, "solana_testnet:usdc"],
    bitcoin_testnet: ["bitcoin_testnet:btc", `${BASE}:wbtc`],
    starknet_sepolia: ["starknet_sepolia:wbtc", `${BASE}:wbtc`],
  },
})
