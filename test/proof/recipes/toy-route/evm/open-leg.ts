import { proveEvmUnfunded } from "#chains/evm/legs/prove-unfunded.ts"
import { NO_NEEDS, planDrafts } from "#chains/evm/spend/build.ts"
import { requireAddress, type Wallet } from "#chains/evm/wallet.ts"
import { chainOf } from "#domain/asset.ts"
import type { LegObservation } from "#ports/chain/htlc-reader.ts"
import type { RouteRules } from "#ports/key-holder.ts"
import type { RouteLeg } from "#ports/route.ts"
import { encodeVault } from "./vault.ts"

export function openToyLeg(wallet: Wallet, rules: RouteRules): RouteLeg | null {
  const { chain, account } = wallet
  const vault = rules.contracts?.get(chain)?.["vault"]
  if (vault === undefined || rules.assets.every((id) => chainOf(id) !== chain)) return null
  const to = requireAddress(vault)
  const nothing: LegObservation = {
    height: 0n,
    agreed: false,
    initiated: null,
    redeemed: null,
    refunded: null,
    refundableAt: null,
  }
  return {
    kind: "toy",
    decodeDeposit: (request, asset) => ({
      kind: "toy",
      chain,
      family: "evm",
      htlc: to,
      htlcKind: "contract",
      isRefundableByUs: false,
      hasTypedData: false,
      asset,
      units: BigInt(String(request["units"])),
      redeemer: account,
      refundTo: "",
      secretHash: String(request["dealKey"]),
      timelock: 0n,
      extras: {},
      findings: [],
    }),
    checkDeposit: async () => [],
    checkPayout: async () => [],
    checkVoucher: async () => [],
    observeLeg: async () => nothing,
    proveUnfunded: (query) => proveEvmUnfunded(wallet, query),
    estimateRedeemFee: async () => 100_000n * wallet.maxFeePerGasUnits,
    planDeposit: (intent, reserved, options) => {
      const { asset, deposit } = intent
      const data = encodeVault("deposit", account, deposit.units)
      const spends = [{ asset, units: deposit.units }]
      const drafts = [{ ...NO_NEEDS, to, value: 0n, data, spends }]
      return planDrafts(wallet, { intent, drafts, reserved }, options)
    },
    planRedemption: (_payout, voucher, reserved, options) => {
      const data = encodeVault("payout", account, BigInt(voucher.nonce))
      const drafts = [{ ...NO_NEEDS, to, value: 0n, data }]
      return planDrafts(wallet, { intent: { action: "redeem" }, drafts, reserved }, options)
    },
  }
}
