import { hashSecret } from "#chains/opens-payout.ts"
import type { AssetId } from "#domain/asset.ts"
import { nativeAssetId } from "#domain/native-coin.ts"
import type { TransactionPlan } from "#domain/transaction.ts"
import { AppError } from "#lib/app-error.ts"
import type {
  InspectingKeyHolder,
  KeyHolderWorld,
  SigningContext,
  SigningScope,
} from "#ports/key-holder.ts"
import { networkOf, sameAddress } from "../address.ts"
import type { BitcoinChainConfig } from "../config.ts"
import { bitcoinExtras } from "../extras.ts"
import { deriveHtlc, type HtlcTerms } from "../htlc.ts"
import { createSigner, holdKey, type Signer } from "../signer.ts"
import { coinsOf, digestOf, feeOf } from "../spend/build.ts"
import { usualFeeLimit } from "../spend/inspect-plan.ts"
import type { Unsigned } from "../spend/unsigned.ts"
import { bitcoinTraits } from "../traits.ts"
import { outpointOf, type Wallet } from "../wallet.ts"

/** Opens the key of one chain for the signer process. Throws `config.key` (fatal). */
export function openBitcoinKey(
  config: BitcoinChainConfig,
  world: KeyHolderWorld,
): InspectingKeyHolder {
  const { chain, key, maxFeeRate, address: addressType } = config
  const assets = world.assets.filter((asset) => asset.chain === chain)
  const asset = assets.find(({ token }) => token === null)?.id ?? null
  const network = networkOf(config.network)
  const signer = createSigner({ chain, asset, network, addressType, key, maxFeeRate })
  const coin = nativeAssetId(chain, assets, bitcoinTraits.nativeCoin)
  return {
    ...holdKey(signer),
    account: signer.wallet.address,
    isRandomised: false,
    readTransaction: (plan, context) =>
      readScope(signer, plan, { context, coin, mayBeForeign: world.foreignRefundKeys, maxFeeRate }),
    readTypedData: () => {
      throw refusal("gasless_unsupported", "Bitcoin has no gasless initiation", {})
    },
  }
}

type Reading = { context: SigningContext; coin: AssetId; mayBeForeign: boolean; maxFeeRate: number }

function readScope(
  signer: Signer,
  plan: TransactionPlan,
  { context, coin, mayBeForeign, maxFeeRate }: Reading,
): SigningScope {
  const { wallet } = signer
  const unsigned = signer.inspect(plan, context)
  const isDear = feeOf(unsigned.psbt) > usualFeeLimit(plan, unsigned, wallet, maxFeeRate)
  const terms =
    unsigned.deposit === null ? null : proveHtlc(unsigned, context, wallet, mayBeForeign)
  return {
    chain: wallet.chain,
    account: wallet.address,
    action: plan.action,
    digest: digestOf(unsigned, wallet),
    resources: coinsOf(unsigned.psbt).map(outpointOf),
    isExclusive: true,
    allowance: null,
    feeUnits: feeOf(unsigned.psbt),
    deposit:
      terms === null ? null : { secretHash: terms.secretHash, timelock: BigInt(terms.timelock) },
    spends: unsigned.deposit === null ? [] : [{ asset: coin, units: unsigned.deposit.units }],
    ...readRedemption(unsigned, isDear),
  }
}

function readRedemption(
  { secret }: Unsigned,
  isDear: boolean,
): Pick<SigningScope, "redeemsHash" | "dearRedemptionOf"> {
  if (secret === undefined) return {}
  const redeemsHash = hashSecret(secret)
  return isDear ? { redeemsHash, dearRedemptionOf: redeemsHash } : { redeemsHash }
}

/**
 * The paid address must be the HTLC of the terms that came with the plan, with our own key in its
 * refund leaf unless the configuration lets a service keep that key (`signer.refund_key: any`).
 */
function proveHtlc(
  { deposit }: Unsigned,
  context: SigningContext,
  wallet: Wallet,
  mayBeForeign: boolean,
): HtlcTerms {
  const terms = bitcoinExtras.safeParse(context.deposit?.extras).data?.htlc ?? null
  if (terms === null)
    throw refusal("htlc_unproven", "the deposit comes without the terms of its HTLC", {})
  const { address } = deriveHtlc(terms, wallet.network)
  const isHtlc = deposit !== null && sameAddress(address, deposit.address, wallet.network)
  const isOurs = mayBeForeign || terms.refundKey === Buffer.from(wallet.xOnlyKey).toString("hex")
  if (isHtlc && isOurs) return terms
  const problem = isHtlc
    ? "another key can refund the deposit"
    : "the deposit address is not the HTLC of its terms"
  throw refusal("htlc_unproven", problem, { paid: deposit?.address ?? "", derived: address })
}

function refusal(
  code: string,
  problem: string,
  details: Readonly<Record<string, string>>,
): AppError {
  const message = `Not signed: ${problem}. Inspect the order and its journal`
  return new AppError({ code: `signer.${code}`, disposition: "refused", message, details })
}
