import type { ChainId } from "#domain/asset.ts"
import { AppError } from "#lib/app-error.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { InspectingKeyHolder } from "#ports/key-holder.ts"
import { toyTraits } from "./traits.ts"

/** A key that signs nothing. */
export function openToyKey(chain: ChainId): InspectingKeyHolder {
  const refuse = (): never => {
    throw new AppError({
      code: "signer.toy",
      disposition: "refused",
      message: `The toy chain ${chain} signs nothing`,
    })
  }
  const account = "toywallet"
  const signs = { signTransaction: async () => refuse(), signTypedData: async () => refuse() }
  return {
    publicKey: account,
    account,
    isRandomised: false,
    ...signs,
    readTransaction: refuse,
    readTypedData: refuse,
  }
}

/** A chain in memory: it reads as empty, and refuses to sign or send. */
export function createToyChain(chain: ChainId): ChainPort {
  const refuse = async (): Promise<never> => {
    throw new AppError({
      code: "signer.toy",
      disposition: "refused",
      message: "A toy chain signs nothing",
    })
  }
  return {
    chain,
    family: "toy",
    traits: toyTraits,
    account: "toywallet",
    sourceExtras: {},
    destinationExtras: {},
    revealWait: () => null,
    estimateRedeemFee: async () => null,
    capRedeemFee: () => null,
    rebuildRequests: () => [],
    isAddress: (text) => text.startsWith("toy"),
    sameAddress: (a, b) => a === b,
    fetchHeight: async () => 1n,
    fetchBalance: async () => ({ units: 0n, spendableUnits: 0n }),
    estimateFees: async () => ({ depositUnits: 1n, refundUnits: 1n }),
    decodeDeposit: (request, order, asset) => ({
      chain,
      family: "toy",
      htlc: String(request["to"]),
      htlcKind: "contract",
      isRefundableByUs: true,
      hasTypedData: false,
      asset,
      units: order.source.units,
      redeemer: order.source.redeemer,
      refundTo: "toywallet",
      secretHash: order.source.secretHash,
      timelock: order.source.timelock,
      extras: {},
      findings: [],
    }),
    findMissingApproval: async () => null,
    planTransaction: refuse,
    planBump: async () => null,
    signTransaction: refuse,
    broadcastTransaction: refuse,
    observeTransaction: async () => ({ status: "unseen" }),
    proveUnfunded: async () => ({ status: "unsure", reasons: [] }),
    fetchAgreement: async () => ({ endpoints: 1, needed: 1, agreeing: 1, reasons: [] }),
    signTypedData: refuse,
    observeLeg: async () => ({
      height: 1n,
      agreed: true,
      initiated: null,
      redeemed: null,
      refunded: null,
      refundableAt: null,
    }),
  }
}
