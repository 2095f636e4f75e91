import { hashSecret } from "#chains/opens-payout.ts"
import type { VerifiedDeposit } from "#domain/deposit.ts"
import type { TransactionPlan } from "#domain/transaction.ts"
import { mustExist } from "#lib/assert.ts"
import type { InspectingKeyHolder, KeyHolderWorld, SigningScope } from "#ports/key-holder.ts"
import type { SolanaChainConfig } from "../config.ts"
import {
  isComputeBudget,
  type ReadInstruction,
  readComputeBudget,
  readTransaction,
} from "../legs/read-transaction.ts"
import { presetNameOf } from "../presets.ts"
import { programOf } from "../program.ts"
import { readRouteCall } from "../routes/route-key.ts"
import { openRouteKeys } from "../routes/route-keys.ts"
import { createSigner, holdKey, requireGasless } from "../signer.ts"
import { digestOf, feeOf, swapAccountResource } from "../spend/assemble.ts"
import { checkPlan, findAsset } from "../spend/check-plan.ts"
import { INITIATE_AT } from "../spl-htlc.ts"
import { type Wallet, withUrgentCap } from "../wallet.ts"

/** Opens the key of one chain for the signer process. Throws `config.solana_key` (fatal). */
export function openSolanaKey(
  config: SolanaChainConfig,
  world: KeyHolderWorld,
): InspectingKeyHolder {
  const { chain, key, maxPriorityFee: maxPriorityFeeMicroLamports } = config
  const signer = createSigner(key)
  signer.unlock()
  const assets = world.assets.filter((asset) => asset.chain === chain)
  const place = { chain, preset: presetNameOf(config.genesisHash) }
  const routes = openRouteKeys(world.routes, place)
  const { account } = signer
  const wallet: Wallet = { chain, account, assets, maxPriorityFeeMicroLamports, routes }
  return {
    ...holdKey(signer, wallet),
    account: signer.account,
    isRandomised: signer.isRandomised,
    readTransaction: (plan, { worthUnits }) =>
      readScope(wallet, plan, checkPlan(plan, wallet, worthUnits)),
    readTypedData: (deposit) => readGaslessScope(wallet, deposit),
  }
}

/** The relay pays fee and rent: the amount alone leaves the wallet. */
function readGaslessScope(wallet: Wallet, deposit: VerifiedDeposit): SigningScope {
  const { message, instructions } = requireGasless(deposit, wallet)
  const call = mustExist(
    instructions.find((instruction) => !isComputeBudget(instruction)),
    "the checked call",
  )
  const { asset, units, secretHash, timelock } = deposit
  return {
    chain: wallet.chain,
    account: wallet.account,
    action: "gasless",
    digest: digestOf(message.serialize()),
    resources: [swapAccountResource(call.accounts[INITIATE_AT.swapData]?.address ?? "")],
    isExclusive: false,
    deposit: { secretHash, timelock },
    spends: asset === null ? [] : [{ asset, units }],
    allowance: null,
    feeUnits: 0n,
  }
}

/**
 * Reads the effect from the message that `checkPlan` has accepted.
 *
 * A swap account closes after its redemption or refund, and the same deposit can open it again. So
 * two deposits into one swap account can both take money, and each counts.
 */
function readScope(wallet: Wallet, plan: TransactionPlan, message: Uint8Array): SigningScope {
  const { instructions } = mustExist(readTransaction.fromMessage(message), "the checked message")
  const { unitLimit, unitPriceMicroLamports } = readComputeBudget(instructions)
  const call = mustExist(
    instructions.filter((instruction) => !isComputeBudget(instruction)).at(-1),
    "the checked call",
  )
  const base = {
    chain: wallet.chain,
    account: wallet.account,
    action: plan.action,
    digest: digestOf(message),
  }
  const feeUnits = feeOf(
    mustExist(unitLimit, "the unit limit"),
    mustExist(unitPriceMicroLamports, "the unit price"),
  )
  const nothing = {
    ...base,
    resources: [],
    isExclusive: false,
    deposit: null,
    spends: [],
    allowance: null,
  }
  const route = readRouteCall(wallet.routes, plan, call)
  if (route !== null && !("problem" in route)) {
    const { resources, deposit, spends, rentUnits } = route
    const isExclusive = resources.length > 0
    return { ...nothing, resources, isExclusive, deposit, spends, feeUnits: feeUnits + rentUnits }
  }
  if (plan.action === "redeem") {
    const isDear =
      (unitPriceMicroLamports ?? 0n) > withUrgentCap(wallet).maxPriorityFeeMicroLamports
    const redeemed = readRedeemedHash(wallet, plan, call)
    if (redeemed === null) return { ...nothing, feeUnits }
    return {
      ...nothing,
      feeUnits,
      redeemsHash: redeemed,
      ...(isDear ? { dearRedemptionOf: redeemed } : {}),
    }
  }
  if (plan.action !== "initiate") return { ...nothing, feeUnits: feeUnits + ACCOUNT_RENT_UNITS }
  const asset = findAsset(plan, call, wallet)
  const { decodeCall, swapAccountAt } = programOf(asset.token)
  const decoded = decodeCall(call.data)
  if (decoded?.kind !== "initiate") return { ...nothing, feeUnits }
  const { secretHash, slots, units } = decoded.terms
  return {
    ...nothing,
    resources: [swapAccountResource(call.accounts[swapAccountAt]?.address ?? "")],
    deposit: { secretHash: Buffer.from(secretHash).toString("hex"), timelock: slots },
    spends: [{ asset: asset.id, units }],
    feeUnits: feeUnits + DEPOSIT_RENT_UNITS,
  }
}

function readRedeemedHash(
  wallet: Wallet,
  plan: TransactionPlan,
  call: ReadInstruction,
): string | null {
  const decoded = programOf(findAsset(plan, call, wallet).token).decodeCall(call.data)
  return decoded?.kind === "redeem" ? hashSecret(decoded.secret) : null
}

/** The rent of a token account: 165 bytes, and 128 of overhead, at 6960 lamports a byte. */
const ACCOUNT_RENT_UNITS = 293n * 6_960n
/**
 * A first deposit of a token opens swap data, vault and identity: at most three accounts of that
 * size. The swap data's rent returns.
 */
const DEPOSIT_RENT_UNITS = 3n * ACCOUNT_RENT_UNITS
