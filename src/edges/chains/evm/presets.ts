import { type ChainPreset, type DatedInterval, explorerAt } from "#chains/chain-preset.ts"

/** One chain; `toPreset` adds the values that most chains share. */
type Row = {
  readonly name: string
  readonly network: "main" | "test"
  readonly chainId: number
  readonly coin: string
  readonly blockTime: DatedInterval
  readonly explorer: string
  /**
   * `max_fee_per_gas` where the default of 500 gwei is far from the chain's prices; always the cap
   * of the tip, which the chain takes whole.
   */
  readonly defaults: Readonly<Record<string, string | number>> & {
    readonly max_priority_fee_per_gas: string
  }
}

/** The field notes date the timelocks that were seen; they are a day of blocks. */
const seenLive = (ms: number): DatedInterval => ({
  ms,
  asOf: "2026-09",
  source: "timelocks of live orders (field notes)",
})
const chainList = (ms: number): DatedInterval => ({
  ms,
  asOf: "2026-09",
  source: "viem 2.57.1, chain list",
})
const documented = (ms: number, asOf: string, source: string): DatedInterval => ({
  ms,
  asOf,
  source,
})

/**
 * The chain takes a tip whole, so its cap bounds the cost of a false estimate: at most about three
 * dollars per deposit of 150 000 gas at the coins' prices of 2026-09. On the roll-ups of the
 * Arbitrum stack no tip is needed (Arbitrum docs, gas and fees).
 *
 * A transaction costs a fraction of a cent at these prices; the cap stops one that costs some
 * dollars.
 */
const ROLL_UP = { max_fee_per_gas: "5 gwei", max_priority_fee_per_gas: "0.5 gwei" } as const
/** The coin is bitcoin, so a gwei is worth some thirty times as much as one of ether. */
const BITCOIN_GAS = { max_fee_per_gas: "2 gwei", max_priority_fee_per_gas: "0.1 gwei" } as const
/**
 * Coins of test networks are worthless, but a faucet gives few, and the cap sets the coin
 * that is kept for each redemption: 0.0032 here.
 */
const TEST_GAS = { max_fee_per_gas: "20 gwei", max_priority_fee_per_gas: "10 gwei" } as const
/** Its least price is tens of gwei, on the test network too. */
const MONAD_GAS = { max_fee_per_gas: "1000 gwei", max_priority_fee_per_gas: "50 gwei" } as const

const ROWS: readonly Row[] = [
  {
    name: "ethereum",
    network: "main",
    chainId: 1,
    coin: "ETH",
    blockTime: seenLive(12_000),
    explorer: "https://etherscan.io",
    defaults: { max_fee_per_gas: "200 gwei", max_priority_fee_per_gas: "5 gwei" },
  },
  {
    name: "base",
    network: "main",
    chainId: 8453,
    coin: "ETH",
    blockTime: seenLive(2_000),
    explorer: "https://basescan.org",
    defaults: ROLL_UP,
  },
  {
    // The HTLC counts blocks of Arbitrum, not of Ethereum (field notes).
    name: "arbitrum",
    network: "main",
    chainId: 42161,
    coin: "ETH",
    blockTime: chainList(250),
    explorer: "https://arbiscan.io",
    defaults: ROLL_UP,
  },
  {
    name: "optimism",
    network: "main",
    chainId: 10,
    coin: "ETH",
    blockTime: chainList(2_000),
    explorer: "https://optimistic.etherscan.io",
    defaults: ROLL_UP,
  },
  {
    name: "unichain",
    network: "main",
    chainId: 130,
    coin: "ETH",
    blockTime: chainList(1_000),
    explorer: "https://uniscan.xyz",
    defaults: ROLL_UP,
  },
  {
    // The chain aims at 100 ms, and makes five blocks a second (field notes).
    name: "robinhood",
    network: "main",
    chainId: 4663,
    coin: "ETH",
    blockTime: seenLive(200),
    explorer: "https://robinhoodchain.blockscout.com",
    defaults: ROLL_UP,
  },
  {
    name: "megaeth",
    network: "main",
    chainId: 4326,
    coin: "ETH",
    blockTime: chainList(1_000),
    explorer: "https://mega.etherscan.io",
    defaults: ROLL_UP,
  },
  {
    name: "bnbchain",
    network: "main",
    chainId: 56,
    coin: "BNB",
    blockTime: documented(450, "2026-01", "BEP-619 (Fermi)"),
    explorer: "https://bscscan.com",
    defaults: { max_fee_per_gas: "10 gwei", max_priority_fee_per_gas: "3 gwei" },
  },
  {
    name: "polygon",
    network: "main",
    chainId: 137,
    coin: "POL",
    blockTime: chainList(2_000),
    explorer: "https://polygonscan.com",
    defaults: { max_fee_per_gas: "2000 gwei", max_priority_fee_per_gas: "500 gwei" },
  },
  {
    name: "monad",
    network: "main",
    chainId: 143,
    coin: "MON",
    blockTime: chainList(400),
    explorer: "https://monadscan.com",
    defaults: MONAD_GAS,
  },
  {
    name: "bera",
    network: "main",
    chainId: 80094,
    coin: "BERA",
    blockTime: chainList(2_000),
    explorer: "https://berascan.com",
    defaults: { max_fee_per_gas: "100 gwei", max_priority_fee_per_gas: "10 gwei" },
  },
  {
    name: "hyperevm",
    network: "main",
    chainId: 999,
    coin: "HYPE",
    blockTime: documented(1_000, "2026-09", "Hyperliquid docs (small blocks)"),
    explorer: "https://hyperevmscan.io",
    defaults: { max_fee_per_gas: "100 gwei", max_priority_fee_per_gas: "5 gwei" },
  },
  {
    name: "core",
    network: "main",
    chainId: 1116,
    coin: "CORE",
    blockTime: documented(3_000, "2025-01", "Core docs (200 blocks in about ten minutes)"),
    explorer: "https://scan.coredao.org",
    defaults: { max_priority_fee_per_gas: "50 gwei" },
  },
  {
    name: "citrea",
    network: "main",
    chainId: 4114,
    coin: "cBTC",
    blockTime: documented(2_000, "2026-09", "Citrea docs (sequencer)"),
    explorer: "https://explorer.mainnet.citrea.xyz",
    defaults: BITCOIN_GAS,
  },
  {
    // A chain of the Arbitrum stack: it makes blocks for transactions only, so `ballast doctor` may
    // measure a much longer time.
    name: "corn",
    network: "main",
    chainId: 21000000,
    coin: "BTCN",
    blockTime: documented(250, "2025-01", "Arbitrum stack; not measured on this chain"),
    explorer: "https://cornscan.io",
    defaults: BITCOIN_GAS,
  },
  {
    name: "botanix",
    network: "main",
    chainId: 3637,
    coin: "BTC",
    blockTime: documented(5_000, "2025-07", "about; not measured on this chain"),
    explorer: "https://botanixscan.io",
    defaults: BITCOIN_GAS,
  },
  {
    name: "ethereum_sepolia",
    network: "test",
    chainId: 11155111,
    coin: "ETH",
    blockTime: seenLive(12_000),
    explorer: "https://sepolia.etherscan.io",
    defaults: TEST_GAS,
  },
  {
    name: "base_sepolia",
    network: "test",
    chainId: 84532,
    coin: "ETH",
    blockTime: chainList(2_000),
    explorer: "https://sepolia.basescan.org",
    defaults: TEST_GAS,
  },
  {
    name: "arbitrum_sepolia",
    network: "test",
    chainId: 421614,
    coin: "ETH",
    blockTime: chainList(250),
    explorer: "https://sepolia.arbiscan.io",
    defaults: TEST_GAS,
  },
  {
    name: "bnbchain_testnet",
    network: "test",
    chainId: 97,
    coin: "tBNB",
    blockTime: documented(450, "2026-01", "BEP-619 (Fermi)"),
    explorer: "https://testnet.bscscan.com",
    defaults: TEST_GAS,
  },
  {
    name: "monad_testnet",
    network: "test",
    chainId: 10143,
    coin: "MON",
    blockTime: chainList(400),
    explorer: "https://testnet.monadexplorer.com",
    defaults: MONAD_GAS,
  },
  {
    name: "bera_testnet",
    network: "test",
    chainId: 80084,
    coin: "BERA",
    blockTime: chainList(2_000),
    explorer: "https://bartio.beratrail.io",
    defaults: TEST_GAS,
  },
  {
    name: "hyperliquid_testnet",
    network: "test",
    chainId: 998,
    coin: "HYPE",
    blockTime: documented(1_000, "2026-09", "Hyperliquid docs (small blocks)"),
    explorer: "https://testnet.purrsec.com",
    defaults: TEST_GAS,
  },
  {
    name: "citrea_testnet",
    network: "test",
    chainId: 5115,
    coin: "cBTC",
    blockTime: documented(2_000, "2026-09", "Citrea docs (sequencer)"),
    explorer: "https://explorer.testnet.citrea.xyz",
    defaults: TEST_GAS,
  },
  {
    name: "alpen_testnet",
    network: "test",
    chainId: 8150,
    coin: "sBTC",
    blockTime: documented(5_000, "2026-09", "Alpen docs (specifications)"),
    explorer: "https://explorer.testnet.alpenlabs.io",
    defaults: TEST_GAS,
  },
]

/** The service also calls HyperEVM by its old name. */
const OLD_NAMES: Readonly<Record<string, string>> = { hyperliquid: "hyperevm" }

/** The EVM chains of live deployments. */
export const evmPresets: readonly ChainPreset[] = [
  ...ROWS.map((row) => toPreset(row.name, row)),
  ...Object.entries(OLD_NAMES).flatMap(([name, now]) =>
    ROWS.filter((row) => row.name === now).map((row) => toPreset(name, row)),
  ),
]

/** The cap of the tip of a chain without `max_priority_fee_per_gas`, by its EIP-155 id. */
export function tipCapOf(chainId: number): string {
  return (
    ROWS.find((row) => row.chainId === chainId)?.defaults.max_priority_fee_per_gas ??
    UNKNOWN_TIP_CAP
  )
}

/** At 150 000 gas a false tip costs at most 0.0015 of the chain's coin. */
const UNKNOWN_TIP_CAP = "10 gwei"

function toPreset(
  name: string,
  { network, chainId, coin, blockTime, explorer, defaults }: Row,
): ChainPreset {
  return {
    name,
    network,
    identity: { chain_id: chainId },
    defaults,
    nativeCoin: { symbol: coin, decimals: 18, token: null },
    blockTime,
    explorer: explorerAt(explorer),
  }
}
