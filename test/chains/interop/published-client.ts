import { createRequire } from "node:module"
import type { AnchorProvider } from "@coral-xyz/anchor"
import type { WalletClient } from "viem"

/**
 * The published client of live deployments: npm packages `@gardenfi/core`, `@gardenfi/orderbook`
 * and `@gardenfi/utils`, unmodified.
 *
 * Their type declarations name files without an extension, so this compiler cannot read them. The
 * types below repeat the members that the tests use.
 */
// CAST: the declarations of @gardenfi/core 3.1, dist/src.
export const core = (await import("@gardenfi/core")) as unknown as {
  readonly Garden: {
    new (config: GardenConfig): Garden
    fromWallets(config: {
      readonly environment: Environment
      readonly apiKey: string
      readonly wallets: { readonly bitcoin: BitcoinWallet }
    }): { readonly htlcs: { readonly bitcoin: BitcoinHtlc } }
  }
  /** Derives secrets from a key of 32 bytes in hex and the nonce of an order. */
  readonly SecretManager: { fromDigestKey(key: string): SecretManager }
  readonly EvmRelay: new (url: string, wallet: WalletClient, auth: Auth) => Htlc
  readonly StarknetRelay: new (
    url: string,
    account: StarknetAccount,
    network: string,
    auth: Auth,
    node: string,
  ) => Htlc
  readonly SolanaRelay: new (
    provider: AnchorProvider,
    url: URL,
    network: string,
    auth: Auth,
    overrides: { readonly programAddress: { readonly native?: string; readonly spl?: string } },
  ) => Htlc
  readonly BitcoinProvider: new (network: string, url: string) => BitcoinProvider
  readonly BitcoinWallet: {
    fromWIF(wif: string, provider: BitcoinProvider): BitcoinWallet
    createRandom(provider: BitcoinProvider): BitcoinWallet
  }
}

// CAST: the declarations of @gardenfi/orderbook 3.1, dist/src.
export const orderbook = (await import("@gardenfi/orderbook")) as unknown as {
  readonly AssetManager: new (urls: { baseUrl: string }, auth: Auth) => AssetManager
  readonly OrderStatus: Readonly<Record<string, string>>
  readonly ParseOrderStatus: (order: PublishedOrder) => string
  readonly Config: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

// CAST: the declarations of @gardenfi/utils 3.1, dist/src.
export const utils = (await import("@gardenfi/utils")) as unknown as {
  readonly ApiKey: new (key: string) => Auth
  readonly Url: new (url: string) => URL
  readonly checkAllowanceAndApprove: (
    amount: number,
    token: string,
    spender: string,
    wallet: WalletClient,
  ) => Promise<Result<string>>
}

/**
 * The client has its own version 8 of starknet.js. An account of another version is not the account
 * that its users have.
 */
// CAST: the declarations of starknet 8.0, class Account.
export const { Account: StarknetAccount8 } = createRequire(import.meta.resolve("@gardenfi/core"))(
  "starknet",
) as {
  readonly Account: new (options: {
    provider: { nodeUrl: string }
    address: string
    signer: string
  }) => StarknetAccount
}

export type StarknetAccount = {
  readonly address: string
  readonly signMessage: (data: unknown) => Promise<unknown>
}

/** The client reports a failure as a value. */
export type Result<T> =
  | { readonly ok: true; readonly val: T }
  | { readonly ok: false; readonly error: string }

/** The value of a result; a failure of the client becomes an error of the test. */
export function unwrap<T>(result: Result<T>): T {
  if (result.ok) return result.val
  throw new Error(`the published client failed: ${result.error}`)
}

export type Auth = { getAuthHeaders(): Promise<Result<Record<string, string>>> }

export type Htlc = {
  readonly htlcActorAddress: string
  initiate(order: unknown): Promise<Result<string>>
}

type Environment = {
  readonly network: string
  readonly baseurl: string
  readonly auth: string
  readonly relayer: string
}

export type GardenConfig = {
  readonly environment: Environment
  readonly apiKey: string
  readonly digestKey: string
  readonly htlc: { readonly evm: Htlc; readonly starknet: Htlc; readonly solana: Htlc }
}

export type Garden = {
  readonly quote: {
    getQuote(
      from: string,
      to: string,
      amount: number,
      exactOut: boolean,
    ): Promise<Result<readonly PublishedQuote[]>>
  }
  readonly htlcs: GardenConfig["htlc"]
  readonly executor: { start(intervalMs: number): void; stop(): void } | undefined
  createSwap(params: SwapParams): Promise<Result<unknown>>
  createOrder(params: SwapParams | RawOrder): Promise<Result<{ readonly order_id: string }>>
  getOrder(id: string): Promise<Result<PublishedOrder>>
  getOrders(
    query: Readonly<Record<string, string | number | readonly string[]>>,
  ): Promise<Result<OrderPage>>
  on(event: string, listener: (...values: never[]) => void): unknown
}

export type SecretManager = {
  generateSecret(
    nonce: string,
  ): Promise<Result<{ readonly secret: string; readonly secretHash: string }>>
}

/** The body of an order request, which the client passes on as it is. */
export type RawOrder = {
  readonly source: RawLeg
  readonly destination: RawLeg
  readonly nonce: number
  readonly secret_hash: string
  readonly solver_id: string
  readonly slippage: number
}
type RawLeg = {
  readonly asset: string
  readonly owner: string
  readonly delegate: string | null
  readonly amount: string
}

export type SwapParams = {
  readonly fromAsset: string
  readonly toAsset: string
  readonly sendAmount: string
  readonly receiveAmount: string
  readonly solverId: string
  readonly sourceAddress: string
  readonly destinationAddress: string
}

type QuoteSide = { readonly asset: string; readonly amount: string }
export type PublishedQuote = {
  readonly source: QuoteSide
  readonly destination: QuoteSide
  readonly solver_id: string
}

export type PublishedSwap = {
  readonly chain: string
  readonly asset: string
  readonly initiate_tx_hash: string
  readonly redeem_tx_hash: string
  readonly refund_tx_hash: string
  readonly secret_hash: string
}

export type PublishedOrder = {
  readonly order_id: string
  readonly status: string
  readonly version: string
  readonly source_swap: PublishedSwap
  readonly destination_swap: PublishedSwap
}

export type OrderPage = {
  readonly data: readonly PublishedOrder[]
  readonly page: number
  readonly per_page: number
  readonly total_items: number
  readonly total_pages: number
}

export type AssetManager = {
  initialize(): Promise<void>
  readonly error: string | null
  readonly assets: Readonly<Record<string, PublishedAsset>> | null
  readonly routeMatrix: Readonly<Record<string, readonly unknown[]>> | null
  getAsset(id: string): PublishedAsset | undefined
}

export type PublishedAsset = {
  readonly symbol: string
  readonly decimals: number
  readonly htlc: { readonly address: string; readonly schema: string } | null
  readonly token: { readonly address: string; readonly schema: string } | null
}

/** The client's Taproot HTLC. Leaf 0 is the refund, 1 the redemption, 2 the instant refund. */
export type BitcoinHtlc = {
  address(order: BitcoinOrder, roles: "redeem" | "instantRefund"): string
  redeem(order: BitcoinOrder, secret: string): Promise<Result<string>>
  instantRefund(
    order: BitcoinOrder,
    signatures: readonly { utxo: string; sig: string }[],
    fee: number,
  ): Promise<string>
  refundLeaf(timelock: number, refundKey: string): Uint8Array
  redeemLeaf(secretHash: string, redeemKey: string): Uint8Array
  instantRefundLeaf(refundKey: string, redeemKey: string): Uint8Array
  generateControlBlockFor(leaf: 1 | 2, order: BitcoinOrder): Promise<Uint8Array>
}

/** The members of an order from which the client takes the terms of an HTLC. */
export type BitcoinOrder = {
  readonly source_swap: BitcoinSwap & { readonly chain: string }
  readonly destination_swap: BitcoinSwap
}
type BitcoinSwap = {
  readonly initiator: string
  readonly redeemer: string
  readonly delegate: string
  readonly secret_hash: string
  readonly timelock: number
}

export type BitcoinProvider = { setTimeoutForCache(milliseconds: number): void }
export type BitcoinWallet = {
  getAddress(): Promise<string>
  getPublicKey(): string
  send(to: string, satoshis: number): Promise<string>
}
