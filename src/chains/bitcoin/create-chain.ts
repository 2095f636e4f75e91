import type { Asset, AssetId, ChainId } from "#domain/asset.ts"
import { AppError } from "#lib/app-error.ts"
import { assert } from "#lib/assert.ts"
import type { Clock } from "#lib/clock.ts"
import type { Secret } from "#lib/secret.ts"
import type { ChainPort } from "../port.ts"
import { type NetworkName, networkOf, sameAddress, scriptOf } from "./address.ts"
import { broadcastTransaction } from "./broadcast.ts"
import { sumUnits } from "./build.ts"
import { checkDestination, decodeDeposit } from "./decode.ts"
import { createEsplora, type Esplora } from "./esplora.ts"
import { depositVsize, REFUND_VSIZE, readFeeNeed } from "./fees.ts"
import { observeLeg, observeTransaction } from "./observe.ts"
import { planBump, planTransaction } from "./plan-transactions.ts"
import { createSigner } from "./signer.ts"
import { bitcoinTraits } from "./traits.ts"
import { type AddressType, outpointOf } from "./wallet.ts"

/**
 * Bitcoin by Esplora servers, one key, one address. No IO here.
 *
 * Throws `config.key` (fatal) for a text that is not a WIF of this network, `config.fee_rate` (fatal) for a cap below 1 sat/vB.
 */
export function createBitcoinChain(options: BitcoinOptions): ChainPort {
  const { chain, maxFeeRate, confirmations } = options
  checkOptions(options)
  const network = networkOf(options.network)
  const asset = options.assets.find((candidate) => candidate.chain === chain && candidate.token === null)?.id ?? null
  const signer = createSigner({ ...options, network, asset })
  const esplora = createEsplora({ endpoints: options.esplora, timeoutMs: options.timeoutMs, clock: options.clock })
  const { wallet } = signer
  const planning = { wallet, esplora, maxFeeRate }
  const observing = { wallet, esplora, confirmations }

  return {
    chain,
    family: "bitcoin",
    traits: bitcoinTraits,
    account: wallet.address,
    sourceExtras: { delegate: Buffer.from(wallet.xOnlyKey).toString("hex") },
    isAddress: (text) => scriptOf(text, network) !== null,
    sameAddress: (a, b) => sameAddress(a, b, network),
    fetchHeight: () => esplora.fetchHeight(),
    fetchBalance: async (wanted, reserved) => {
      assertNative(wanted, asset)
      return readBalance(esplora, wallet.address, reserved)
    },
    fetchNativeBalance: async () => sumUnits(await esplora.listUtxos(wallet.address)),
    estimateFees: async (wanted) => {
      assertNative(wanted, asset)
      return estimateFees(esplora, options)
    },
    decodeDeposit: (request, order, wanted) => decodeDeposit(wallet, request, order, wanted),
    checkDestination: (leg) => checkDestination(wallet, leg),
    findMissingApproval: async () => null,
    planTransaction: (intent, reserved) => planTransaction(planning, intent, reserved),
    planBump: (plan) => planBump(planning, plan),
    signTransaction: async (plan) => signer.signTransaction(plan),
    broadcastTransaction: (transaction) => broadcastTransaction(esplora, transaction),
    observeTransaction: (ours) => observeTransaction(observing, ours),
    proveUnfunded: async () => ({ status: "unsure", reasons: [] }),
    fetchAgreement: async () => ({ endpoints: options.esplora.length, needed: 1, agreeing: 1, reasons: [] }),
    signTypedData: async () => {
      throw gaslessUnsupported(chain)
    },
    observeLeg: (query) => observeLeg(observing, query),
  }
}

export type BitcoinOptions = {
  readonly chain: ChainId
  readonly network: NetworkName
  /** Base URLs; reads use the first that answers, broadcasts go to all. */
  readonly esplora: readonly string[]
  /** A compressed private key in wallet import format. */
  readonly key: Secret
  readonly addressType: AddressType
  /** The number of confirmations from which a transaction counts as final. */
  readonly confirmations: number
  /** Satoshi per virtual byte that no transaction of ours exceeds; at least 1. */
  readonly maxFeeRate: number
  readonly timeoutMs: number
  readonly assets: readonly Asset[]
  readonly clock: Clock
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

async function readBalance(esplora: Esplora, address: string, reserved: ReadonlySet<string>) {
  const utxos = await esplora.listUtxos(address)
  const spendable = utxos.filter((utxo) => utxo.height !== null && !reserved.has(outpointOf(utxo)))
  return { units: sumUnits(utxos), spendableUnits: sumUnits(spendable) }
}

/** Two inputs at twice the present rate, which leaves room for a bump, within the fee cap. */
async function estimateFees(esplora: Esplora, { maxFeeRate, addressType }: BitcoinOptions) {
  const { rate } = await readFeeNeed(esplora, maxFeeRate)
  const cap = BigInt(Math.floor(maxFeeRate))
  const cautiousRate = rate * 2n < cap ? rate * 2n : cap
  return { depositUnits: cautiousRate * depositVsize(2n, addressType), refundUnits: cautiousRate * REFUND_VSIZE }
}

function assertNative(wanted: AssetId, asset: AssetId | null): void {
  assert(wanted === asset, "a Bitcoin chain has no asset beside its own coin", { wanted, asset })
}

function gaslessUnsupported(chain: ChainId): AppError {
  return new AppError({
    code: "signer.gasless_unsupported",
    disposition: "refused",
    message: "Bitcoin has no gasless initiation; pay the deposit address instead",
    details: { chain },
  })
}
