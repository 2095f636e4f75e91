import { INCIDENT_CALL_FAULTS, INCIDENT_METHOD_FAULTS } from "../support/incident-faults.ts"
import { testPlantedOrders } from "../support/planted-orders.ts"

const BASE = "base_sepolia"
const ETHEREUM = "ethereum_sepolia"

testPlantedOrders({
  name: "incident",
  calls: INCIDENT_CALL_FAULTS,
  methods: INCIDENT_METHOD_FAULTS,
  pairs: {
    quote_more: [`${BASE}:wbtc`, `${ETHEREUM}:wbtc`],
    quote_fraction: [`${BASE}:cbbtc`, `${ETHEREUM}:cbbtc`],
    create_token: [`${BASE}:wbtc`, `${ETHEREUM}:cbbtc`],
    create_dry: [`${BASE}:cbbtc`, `${ETHEREUM}:wbtc`],
    order_other: ["starknet_sepolia:wbtc", `${ETHEREUM}:wbtc`],
  },
  ways: {
    [BASE]: [`${BASE}:wbtc`, `${ETHEREUM}:cbbtc`],
    [ETHEREUM]: [`${ETHEREUM}:wbtc`, `${BASE}:cbbtc`],
    bitcoin_testnet: ["bitcoin_testnet:btc", `${BASE}:cbbtc`],
    solana_testnet: ["solana_testnet:usdc", `${BASE}:cbbtc`],
    starknet_sepolia: ["starknet_sepolia:wbtc", `${ETHEREUM}:cbbtc`],
  },
})
