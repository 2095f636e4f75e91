import type { Network } from "bitcoinjs-lib"
import type { Asset, AssetId, ChainId } from "#domain/asset.ts"
import { findCoinFaults } from "#domain/native-coin.ts"
import { type RedeemStake, redeemFeeCap } from "#domain/redeem-fee-cap.ts"
import { AppError } from "#lib/app-error.ts"
import { assert } from "#lib/assert.ts"
import type { Clock } from "#lib/clock.ts"
import type { Secret } from "#lib/secret.ts"
import type { Address } from "#nodes/address.ts"
import { createPaces, type Paces } from "#nodes/paces.ts"
import { neededAnswers } from "#nodes/quorum/agree-on.ts"
import type { Capabilities } from "#ports/chain/capabilities.ts"
import type { KeyUser } from "#ports/chain/transactions.ts"
import type { ChainPort } from "#ports/chain.ts"
import { contextOf, type KeyHolder } from "#ports/key-holder.ts"
import { type NetworkName, networkOf, sameAddress, scriptOf } from "./address.ts"
import { checkDestination, decodeDeposit } from "./decode.ts"
import { createEsplora, type Esplora } from "./esplora.ts"
import {
  createDepositRates,
  type DepositRates,
  depositVsize,
  type FeeNeed,
  LEAST_PAYOUT_RATE,
  REDEEM_VSIZE,
  REFUND_VSIZE,
  readFeeNeed,
  readPayoutFee,
} from "./fees.ts"
import { depthsOf, type FinalityConfig } from "./finality.ts"
import { readAgreedCoins } from "./keys/read-coins.ts"
import { createRecentCoins, type RecentCoins } from "./keys/recent-coins.ts"
import { listSpentCoins } from "./legs/list-spent-coins.ts"
import { createTouchedLegs } from "./legs/list-touched-legs.ts"
import { observeTransaction } from "./legs/observe-transaction.ts"
import type { InclusionCheck, Observing } from "./legs/observing.ts"
import type { Outpoints } from "./legs/outpoints.ts"
import { proveUnfunded } from "./legs/prove-unfunded.ts"
import { readBitcoinUse } from "./legs/read-use.ts"
import { GENESIS } from "./nodes/genesis.ts"
import { fetchAgreedHeight, fetchAgreement, type SettledBlocks } from "./nodes/reference.ts"
import { observeLeg } from "./observe-leg.ts"
import { createInclusionCheck } from "./proof/create-inclusion-check.ts"
import { createSigner, deriveWallet, holdKey } from "./signer.ts"
import { broadcastTransaction } from "./spend/broadcast.ts"
import { sumUnits } from "./spend/build.ts"
import {
  type Planning,
  planBump,
  planRedemptions,
  planTransaction,
} from "./spend/plan-transactions.ts"
import { bitcoinTraits } from "./traits.ts"
import { type AddressType, outpointOf, UNKNOWN_KEY, type Wallet } from "./wallet.ts"

/**
 * Bitcoin by Esplora servers, one key, one address. No IO here.
 *
 * Throws `config.key` (fatal) for a text that is not a WIF of this network, `config.fee_rate`
 * (fatal) for a cap below 1 sat/vB.
 */
export function createBitcoinChain(options: BitcoinOptions): ChainPort {
  const { chain, maxFeeRate } = options
  checkOptions(options)
  const network = networkOf(options.network)
  const asset =
    options.assets.find((candidate) => candidate.chain === chain && candidate.token === null)?.id ??
    null
  const { wallet, holder } = openKey(options, network, asset)
  const esplora = createEsplora({
    paces: options.paces ?? createPaces(options.clock),
    endpoints: options.esplora,
    needed: neededAnswers(options.agree ?? null, options.esplora.length),
    genesis: GENESIS[options.network],
    timeoutMs: options.timeoutMs,
    clock: options.clock,
    headsForMs: options.headsForMs ?? 0,
  })
  const { confirmations, finality = null } = options
  const planning = createPlanning(wallet, esplora, options)
  const { outpoints, coins, deposits } = planning
  const observing = {
    wallet,
    esplora,
    outpoints,
    inclusion:
      options.inclusion ??
      createInclusionCheck(esplora, { ...options, dataDir: options.dataDir ?? null }),
    depthsOf: (units: bigint) => depthsOf(options.network, { confirmations, finality }, units),
  }

  return {
    chain,
    family: "bitcoin",
    traits: bitcoinTraits,
    account: wallet.address,
    publicKey: holder.publicKey,
    sourceExtras: { delegate: Buffer.from(wallet.xOnlyKey).toString("hex") },
    destinationExtras: { delegate: Buffer.from(wallet.xOnlyKey).toString("hex") },
    revealWait: (units) => ({ units: BigInt(observing.depthsOf(units).reveal - 1) }),
    estimateRedeemFee: async (wanted) => {
      assertNative(wanted, asset)
      return cautiousOf(await readFeeNeed(esplora, maxFeeRate), maxFeeRate) * REDEEM_VSIZE
    },
    isAddress: (text) => scriptOf(text, network) !== null,
    sameAddress: (a, b) => sameAddress(a, b, network),
    fetchHeight: () => fetchAgreedHeight(esplora),
    fetchBalance: async (wanted, reserved) => {
      assertNative(wanted, asset)
      return readBalance(coins, reserved)
    },
    estimateFees: async (wanted) => {
      assertNative(wanted, asset)
      return estimateFees(deposits, options)
    },
    decodeDeposit: (request, order, wanted) => decodeDeposit(wallet, request, order, wanted),
    findMissingApproval: async () => null,
    rebuildRequests: ({ source }) => [
      { family: "bitcoin", to: source.swapId, units: source.units },
    ],
    ...planWith(planning),
    ...signWith(holder),
    broadcastTransaction: (transaction) => {
      coins.forget()
      return broadcastTransaction(esplora, transaction)
    },
    ...observeWith(observing, planning),
    ...capabilitiesOf(planning, options),
  }
}

function createPlanning(wallet: Wallet, esplora: Esplora, { maxFeeRate, clock }: BitcoinOptions) {
  const outpoints: Outpoints = new Map()
  const coins = createRecentCoins(esplora, wallet.address, clock)
  const deposits = createDepositRates(esplora, maxFeeRate, clock)
  return { wallet, esplora, maxFeeRate, outpoints, coins, deposits }
}

function capabilitiesOf(planning: Planning, options: BitcoinOptions): Capabilities {
  const { wallet, esplora } = planning
  const { maxFeeRate } = options
  const leastPayoutRate = LEAST_PAYOUT_RATE[options.network === "mainnet" ? "main" : "test"]
  return {
    native: {
      fetchNativeBalance: async () => sumUnits(await readAgreedCoins(esplora, wallet.address)),
      fetchLeastBalance: async () => 0n,
    },
    uses: {
      fetchUses: (mark) => listSpentCoins(esplora, wallet.address, mark),
      readUse: (txid) => readBitcoinUse({ esplora, wallet, maxFeeRate }, txid),
    },
    outputs: {
      checkDestination: (leg) => checkDestination(wallet, leg),
      estimatePayoutFee: () => readPayoutFee(esplora, maxFeeRate, leastPayoutRate),
      planRedemptions: (intent) => planRedemptions(planning, intent),
    },
    // The coin's decimals need no question to a server.
    assetChecks: {
      checkAsset: async (wanted) =>
        options.assets
          .filter(({ id }) => id === wanted)
          .flatMap((each) => findCoinFaults(each, bitcoinTraits.nativeCoin)),
    },
    touched: { listTouchedLegs: createTouchedLegs(esplora, wallet, options.clock) },
  }
}

function signWith(holder: KeyHolder): KeyUser {
  return {
    signTransaction: (plan, context) =>
      holder.signTransaction(plan, context ?? contextOf(plan.digest)),
    signTypedData: (deposit, context) =>
      holder.signTypedData(deposit, context ?? contextOf(deposit.secretHash)),
  }
}

/** The key of this process, or the holder of it in another one. */
function openKey(
  options: BitcoinOptions,
  network: ReturnType<typeof networkOf>,
  asset: AssetId | null,
) {
  const { keyHolder } = options
  if (keyHolder !== undefined)
    return { wallet: walletOf(keyHolder, { ...options, network, asset }), holder: keyHolder }
  const local = createSigner({ ...options, network, asset })
  return { wallet: local.wallet, holder: holdKey(local) }
}

/** Planning with the fee cap of a redemption. */
function withStake(planning: Planning, stake: RedeemStake | null = null): Planning {
  if (stake === null) return planning
  const usualUnits = BigInt(Math.floor(planning.maxFeeRate)) * REDEEM_VSIZE
  const maxFeeRate = Number(redeemFeeCap(usualUnits, stake) / REDEEM_VSIZE)
  return { ...planning, maxFeeRate, usualRate: planning.maxFeeRate, stake }
}

function observeWith(
  observing: Observing,
  { esplora, maxFeeRate }: Pick<Planning, "esplora" | "maxFeeRate">,
): Pick<ChainPort, "observeTransaction" | "proveUnfunded" | "observeLeg" | "fetchAgreement"> {
  const compared: SettledBlocks = new Map()
  return {
    observeTransaction: (ours) => observeTransaction(observing, ours),
    proveUnfunded: (query) => proveUnfunded(observing, query),
    observeLeg: (query) => observeLeg(observing, query),
    fetchAgreement: async () => {
      const report = await esplora.fees.beside(fetchAgreement(esplora, compared), () =>
        readFeeNeed(esplora, maxFeeRate),
      )
      // The daemon asks regularly, so the headers follow the chain even while no order waits for
      // them.
      for (const tip of report.tips ?? [])
        if (tip !== null) void observing.inclusion?.follow?.(tip.height)
      return report
    },
  }
}

function planWith(
  planning: Planning,
): Pick<ChainPort, "planTransaction" | "planBump" | "capRedeemFee"> {
  const usualUnits = BigInt(Math.floor(planning.maxFeeRate)) * REDEEM_VSIZE
  return {
    capRedeemFee: (_asset, stake) => redeemFeeCap(usualUnits, stake),
    planTransaction: (intent, reserved) =>
      planTransaction(
        intent.action === "redeem" ? withStake(planning, intent.stake ?? intent.pace) : planning,
        intent,
        reserved,
      ),
    planBump: (plan, stake, pace) => planBump(withStake(planning, stake ?? pace), plan),
  }
}

export type BitcoinOptions = {
  readonly chain: ChainId
  readonly network: NetworkName
  /** Base URLs; facts that move money need `agree` of them, broadcasts go to all. */
  readonly esplora: readonly Address[]
  readonly paces?: Paces
  readonly headsForMs?: number
  /** A compressed private key in wallet import format. */
  readonly key: Secret
  readonly addressType: AddressType
  /** How many endpoints must agree; absent or `null` for the default (`neededAnswers`). */
  readonly agree?: number | null
  /**
   * The confirmations from which a transaction counts as seen and as final; `null` for the
   * network's own depths.
   */
  readonly confirmations: number | null
  readonly finality?: FinalityConfig["finality"]
  /**
   * Checks that a block contains a transaction, beyond the endpoints' word. Absent: by work, on the
   * main network.
   */
  readonly inclusion?: InclusionCheck
  /** The directory for the headers of the main network; absent or `null` keeps them in memory. */
  readonly dataDir?: string | null
  /** Satoshi per virtual byte that no transaction of ours exceeds; at least 1. */
  readonly maxFeeRate: number
  readonly timeoutMs: number
  readonly assets: readonly Asset[]
  readonly clock: Clock
  /** The holder of the key, where that is another process. */
  readonly keyHolder?: KeyHolder
}

function walletOf(
  { publicKey }: KeyHolder,
  options: Omit<BitcoinOptions, "network"> & { network: Network; asset: AssetId | null },
): Wallet {
  const isKey = /^0[23][0-9a-f]{64}$/.test(publicKey)
  const bytes = Uint8Array.from(Buffer.from(isKey ? publicKey : UNKNOWN_KEY, "hex"))
  const wallet = deriveWallet(options, bytes)
  if (isKey) return wallet
  // A watched wallet has its address alone. It never pays, so nothing needs its key.
  const script = scriptOf(publicKey, options.network) ?? new Uint8Array()
  return { ...wallet, address: publicKey, script }
}

function checkOptions({ maxFeeRate, esplora }: BitcoinOptions): void {
  assert(esplora.length > 0, "a Bitcoin chain has at least one Esplora endpoint")
  if (maxFeeRate >= 1 && Number.isFinite(maxFeeRate)) return
  throw new AppError({
    code: "config.fee_rate",
    disposition: "fatal",
    message: `the fee cap of ${maxFeeRate} sat/vB is below what nodes relay; set it to 1 or more`,
    details: { maxFeeRate },
  })
}

async function readBalance(coins: RecentCoins, reserved: ReadonlySet<string>) {
  const utxos = await coins.read()
  const spendable = utxos.filter((utxo) => utxo.height !== null && !reserved.has(outpointOf(utxo)))
  return { units: sumUnits(utxos), spendableUnits: sumUnits(spendable) }
}

/** Two inputs for a deposit. */
async function estimateFees(deposits: DepositRates, { maxFeeRate, addressType }: BitcoinOptions) {
  const cautiousRate = cautiousOf(await deposits(), maxFeeRate)
  return {
    depositUnits: cautiousRate * depositVsize(2n, addressType),
    refundUnits: cautiousRate * REFUND_VSIZE,
  }
}

/** Twice the present rate, which leaves room for a bump, within the fee cap. */
function cautiousOf({ rate }: FeeNeed, maxFeeRate: number): bigint {
  const cap = BigInt(Math.floor(maxFeeRate))
  return rate * 2n < cap ? rate * 2n : cap
}

function assertNative(wanted: AssetId, asset: AssetId | null): void {
  assert(wanted === asset, "a Bitcoin chain has no asset beside its own coin", { wanted, asset })
}
