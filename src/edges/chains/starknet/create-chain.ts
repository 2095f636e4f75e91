import { z } from "zod"
import { listUsedNonces } from "#chains/account-uses.ts"
import type { Asset, ChainId } from "#domain/asset.ts"
import type { ContractIdentity } from "#domain/contract-identity.ts"
import { toAppError } from "#lib/app-error.ts"
import type { Clock } from "#lib/clock.ts"
import type { Secret } from "#lib/secret.ts"
import type { Address } from "#nodes/address.ts"
import { type AskNode, NodeRefusal } from "#nodes/ask-node.ts"
import { createPaces, type Paces } from "#nodes/paces.ts"
import { neededAnswers } from "#nodes/quorum/agree-on.ts"
import { requireReached } from "#nodes/quorum/conclude.ts"
import type { Capabilities } from "#ports/chain/capabilities.ts"
import type { ChainPort } from "#ports/chain.ts"
import { contextOf, type KeyHolder } from "#ports/key-holder.ts"
import { findAssetFaults } from "./check-asset.ts"
import { findPayeeFaults, findPayoutFaults } from "./check-payout.ts"
import type { StarknetChainConfig } from "./config.ts"
import { decodeStarknetDeposit } from "./decode.ts"
import { readAddress } from "./felt.ts"
import { deriveStarknetFinality, waitForDepth } from "./finality.ts"
import { starknetContractReader } from "./identify-contract.ts"
import { listTouchedLegs } from "./legs/list-touched-legs.ts"
import { type OpenedAt, observeStarknetLeg } from "./legs/observe.ts"
import { observeStarknetTransaction } from "./legs/observe-transaction.ts"
import { proveStarknetUnfunded } from "./legs/prove-unfunded.ts"
import { readStarknetUse } from "./legs/read-use.ts"
import { rebuildStarknetRequests } from "./legs/rebuild-requests.ts"
import { fetchAgreement, readAgreed } from "./nodes/compare-views.ts"
import { fetchNonce, fetchTokenBalance } from "./nodes/read-chain.ts"
import { readHeads, type View } from "./nodes/reference-block.ts"
import { createRpc, isLasting, rpcCodeOf } from "./rpc.ts"
import { createStarknetSigner, holdKey } from "./signer.ts"
import { broadcastStarknetTransaction } from "./spend/broadcast.ts"
import {
  bindStarknetPlan,
  bumpStarknetTransaction,
  planStarknetTransaction,
  takeStarknetNonce,
} from "./spend/build.ts"
import { priceGas } from "./spend/estimate.ts"
import { DEPOSIT_GAS } from "./spend/gas-prices.ts"
import { findMissingStarknetApproval } from "./spend/missing-approval.ts"
import { REDEEM_GAS, REFUND_GAS } from "./spend/urgent-bounds.ts"
import { starknetTraits } from "./traits.ts"
import {
  htlcsOf,
  requireAddress,
  requireAsset,
  STRK_TOKEN,
  tokenOf,
  type Wallet,
  withStake,
} from "./wallet.ts"

export type StarknetChainOptions = {
  readonly chain: ChainId
  /** `SN_SEPOLIA` or `SN_MAIN`. */
  readonly chainId: string
  readonly rpc: readonly Address[]
  readonly paces?: Paces
  readonly headsForMs?: number
  /** The account contract's address; it must be deployed and have the key as its only signer. */
  readonly account: string
  readonly key: Secret
  /** Overrides all three depths of the finality. */
  readonly confirmations?: number | null
  /** Configured depths; without them those of the network. */
  readonly finality?: StarknetChainConfig["finality"]
  /** The number of endpoints that must agree; without it `neededAnswers`. */
  readonly agree?: number | null
  /** The most that one transaction may cost, in fri (STRK's smallest unit). */
  readonly maxFeeUnits: bigint
  readonly timeoutMs: number
  readonly assets: readonly Asset[]
  readonly clock: Clock
  /** The holder of the key, where that is another process. */
  readonly keyHolder?: KeyHolder
  /** Absent: the key's own account. */
  readonly onBehalfOf?: string
}

/**
 * One Starknet chain by JSON-RPC endpoints and one account. Throws `starknet.address` (fatal) for a
 * configured text that is not an address.
 */
export function createStarknetChain(options: StarknetChainOptions): ChainPort {
  const wallet = createWallet(options)
  const { chain, account, rpc } = wallet
  const holder = options.keyHolder ?? holdKey(createStarknetSigner(wallet, options.key))
  const opened: OpenedAt = new Map()
  return {
    chain,
    family: "starknet",
    traits: starknetTraits,
    account,
    sourceExtras: {},
    destinationExtras: {},
    revealWait: () => waitForDepth(wallet.finality.reveal),
    estimateRedeemFee: async (asset) =>
      htlcsOf(requireAsset(wallet, asset)).length === 0 ? null : priceGas(wallet, REDEEM_GAS),
    capRedeemFee: (_asset, stake) => withStake(wallet, stake).maxFeeUnits,
    isAddress: (text) => readAddress(text) !== null,
    sameAddress: (a, b) => readAddress(a) !== null && readAddress(a) === readAddress(b),
    fetchHeight: async () => requireReached(rpc, await readHeads(rpc)),
    fetchBalance: async (asset) => {
      const token = tokenOf(requireAsset(wallet, asset))
      const units = await readAgreed(rpc, (view) =>
        fetchTokenBalance(view, token, wallet.accountFelt),
      )
      // Reservations are nonces here: they hold no funds.
      return { units, spendableUnits: units }
    },
    estimateFees: async () => ({
      depositUnits: await priceGas(wallet, DEPOSIT_GAS),
      refundUnits: await priceGas(wallet, REFUND_GAS),
    }),
    decodeDeposit: (request) => decodeStarknetDeposit(wallet, request),
    findMissingApproval: (asset, spender, units) =>
      findMissingStarknetApproval(wallet, asset, spender, units),
    rebuildRequests: (order) => rebuildStarknetRequests(wallet, order),
    planTransaction: (intent, reserved) =>
      planStarknetTransaction(
        intent.action === "redeem" ? withStake(wallet, intent.stake ?? intent.pace) : wallet,
        intent,
        reserved,
      ),
    planBump: (plan, stake, pace) =>
      bumpStarknetTransaction(withStake(wallet, stake ?? pace), plan),
    signTransaction: (plan, context) =>
      holder.signTransaction(plan, context ?? contextOf(plan.digest)),
    broadcastTransaction: (transaction) => broadcastStarknetTransaction(rpc, transaction),
    observeTransaction: (ours, stakeFiat) => observeStarknetTransaction(wallet, ours, stakeFiat),
    proveUnfunded: (query) => proveStarknetUnfunded(wallet, query),
    fetchAgreement: () => rpc.fees.beside(fetchAgreement(rpc), () => priceGas(wallet, DEPOSIT_GAS)),
    signTypedData: (deposit, context) =>
      holder.signTypedData(deposit, context ?? contextOf(deposit.secretHash)),
    observeLeg: (query) => observeStarknetLeg(wallet, query, opened),
    ...capabilitiesOf(wallet),
  }
}

function capabilitiesOf(wallet: Wallet): Capabilities {
  const { rpc, accountFelt } = wallet
  return {
    native: {
      fetchNativeBalance: () =>
        readAgreed(rpc, (view) => fetchTokenBalance(view, STRK_TOKEN, accountFelt)),
      fetchLeastBalance: async () => 0n,
    },
    uses: {
      fetchUses: async (mark) => {
        const count = await readAgreed(rpc, (view) => fetchNonce(view, accountFelt))
        // The owner deploys the account, with the first nonce.
        return count === null ? { mark: null, used: [] } : listUsedNonces(mark, count)
      },
      readUse: (resource) => readStarknetUse(wallet, resource),
    },
    nonces: {
      bindPlan: (plan, reserved) => bindStarknetPlan(wallet, plan, reserved),
      takeNonce: async (plan, of) => takeStarknetNonce(wallet, plan, of),
    },
    contracts: {
      fetchContractIdentity: (htlc) => readAgreed(rpc, (view) => readIdentityAt(view, htlc)),
      checkPayout: (asset, owner, payout) =>
        payout === undefined
          ? findPayeeFaults(wallet, asset, owner)
          : findPayoutFaults(wallet, asset, owner),
      fetchFeedPrice: () => null,
    },
    assetChecks: {
      checkAsset: (id) => {
        const asset = requireAsset(wallet, id)
        return readAgreed(rpc, (view) => findAssetFaults(asset, view))
      },
    },
    touched: { listTouchedLegs: (since) => listTouchedLegs(wallet, since) },
  }
}

/** Throws AppError only, so that an endpoint's refusal counts as its failure. */
async function readIdentityAt(view: View, htlc: string): Promise<ContractIdentity> {
  try {
    return await starknetContractReader.readIdentity(askThrough(view), htlc)
  } catch (error) {
    throw toAppError(error, { code: "starknet.rpc", disposition: "transient" })
  }
}

/**
 * Asks about the view's block. An error of the specification becomes the node's refusal: the
 * address may have no contract.
 */
function askThrough(view: View): AskNode {
  return async (method, params) => {
    const given: readonly unknown[] = Array.isArray(params) ? params : []
    const dated = given.map((one) => (one === "latest" ? view.at : one))
    try {
      return await view.read(method, dated, z.unknown())
    } catch (error) {
      const code = rpcCodeOf(error)
      throw code === null || !isLasting(code) ? error : new NodeRefusal(code, String(error))
    }
  }
}

function createWallet(options: StarknetChainOptions): Wallet {
  const { chain, chainId, account, maxFeeUnits, assets, timeoutMs, clock } = options
  const own = assets.filter((asset) => asset.chain === chain)
  for (const { token, htlc } of own)
    for (const text of [token, ...htlc]) if (text !== null) requireAddress(text)
  const needed = neededAnswers(options.agree ?? null, options.rpc.length)
  const { rpc: urls, paces = createPaces(clock), headsForMs = 0 } = options
  const rpc = createRpc({ urls, chainId, timeoutMs, clock, needed, paces, headsForMs })
  const finality = deriveStarknetFinality(options)
  const payeeFelt = requireAddress(options.onBehalfOf ?? account)
  const accountFelt = requireAddress(account)
  return {
    chain,
    chainId,
    account,
    accountFelt,
    payeeFelt,
    finality,
    maxFeeUnits,
    assets: own,
    rpc,
    nonce: { likely: 0n },
  }
}
