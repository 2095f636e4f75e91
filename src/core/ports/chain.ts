import type { Balances } from "./chain/balances.ts"
import type { Capabilities } from "./chain/capabilities.ts"
import type { HotWallet } from "./chain/hot-wallet.ts"
import type { HtlcReader } from "./chain/htlc-reader.ts"
import type { KeyUser, Transactions } from "./chain/transactions.ts"

/**
 * One chain with its hot wallet, as the engine sees it. Implemented by each family;
 * `test/chains/contract` runs one suite over all.
 *
 * Reads throw AppError `transient` (try again) or `hold` (node answers nonsense).
 */
export type ChainPort = HotWallet & Balances & HtlcReader & Transactions & KeyUser & Capabilities
