import { type Address, type Hex, zeroAddress } from "viem"
import { listUsedNonces } from "#chains/account-uses.ts"
import type { BlockTime } from "#chains/block-time.ts"
import { withRouteLegs } from "#chains/with-route-legs.ts"
import type { Asset, AssetId, ChainId } from "#domain/asset.ts"
import type { NativeCoin } from "#domain/native-coin.ts"
import { redeemFeeCap } from "#domain/redeem-fee-cap.ts"
import type { RouteKind } from "#domain/route/route-kind.ts"
import { mustExist } from "#lib/assert.ts"
import type { Clock } from "#lib/clock.ts"
import { retryRead } from "#lib/retry.ts"
import type { Secret } from "#lib/secret.ts"
import type { Address as NodeAddress } from "#nodes/address.ts"
import { createPaces, type Paces } from "#nodes/paces.ts"
import { neededAnswers } from "#nodes/quorum/agree-on.ts"
import type { Capabilities } from "#ports/chain/capabilities.ts"
import type { ChainPort } from "#ports/chain.ts"
import { contextOf, type KeyHolder, type RouteRules } from "#ports/key-holder.ts"
import { findAssetFaults } from "./check-asset.ts"
import { findPayeeFaults, findPayoutFaults } from "./check-payout.ts"
import { decodeEvmDeposit } from "./decode.ts"
import { type FinalityProfile, waitForDepth } from "./finality.ts"
import { encodeApprove, readAddress, sameAddress, tokenAbi } from "./htlc.ts"
import { fetchContractIdentity } from "./identify-contract.ts"
import { bindEvmPlan, takeEvmNonce } from "./keys/nonces.ts"
import { createKnownIds } from "./legs/known-ids.ts"
import { listTouchedLegs } from "./legs/list-touched-legs.ts"
import { observeEvmTransaction } from "./legs/observe-transaction.ts"
import { proveEvmUnfunded } from "./legs/prove-unfunded.ts"
import { readEvmUse } from "./legs/read-use.ts"
import { rebuildEvmRequests } from "./legs/rebuild-requests.ts"
import { createSignedNotes } from "./legs/signed-notes.ts"
import { fetchAgreement, readAgreed, readAgreedHeight } from "./nodes/agree.ts"
import { isReverted } from "./nodes/dialect.ts"
import { readPriceFeed } from "./nodes/read-price-feed.ts"
import { observeEvmLeg } from "./observe-leg.ts"
import { openRouteKeys } from "./routes/route-keys.ts"
import { openRouteLegs } from "./routes/route-legs.ts"
import { createRpc } from "./rpc.ts"
import { createEvmSigner, holdKey } from "./signer.ts"
import { broadcastEvmTransaction } from "./spend/broadcast.ts"
import { bumpEvmTransaction, planEvmTransaction } from "./spend/build.ts"
import { estimateFee, readFeePerGas } from "./spend/estimate-fee.ts"
import { bindEvmPair, canPairEvm } from "./spend/pairs.ts"
import { evmTraits } from "./traits.ts"
import { requireAddress, requireAsset, tokenOf, type Wallet } from "./wallet.ts"

/**
 * One EVM chain by JSON-RPC endpoints and one key. No IO here.
 *
 * Throws `config.key` (fatal) for a text that is not a private key, `evm.address` (fatal) for a
 * text that is not an address.
 */
export function createEvmChain(options: EvmChainOptions): ChainPort {
  const local = options.keyHolder === undefined ? createEvmSigner(options.key) : null
  const wallet = createWallet(
    options,
    local?.account ?? requireAddress(options.keyHolder?.publicKey ?? ""),
  )
  const holder = options.keyHolder ?? holdKey(mustExist(local, "the key of this process"), wallet)
  const { chain, account, rpc } = wallet
  const port: ChainPort = {
    chain,
    family: "evm",
    traits: { ...evmTraits, nativeCoin: options.nativeCoin ?? evmTraits.nativeCoin },
    account,
    sourceExtras: {},
    destinationExtras: {},
    revealWait: () => waitForDepth(wallet.finality.reveal),
    estimateRedeemFee: async (asset) =>
      requireAsset(wallet, asset).htlc.length === 0 ? null : estimateRedeemFee(wallet),
    capRedeemFee: (_asset, stake) => redeemFeeCap(wallet.maxFeePerGasUnits * REDEEM_GAS, stake),
    isAddress: (text) => readAddress(text) !== null && !sameAddress(text, zeroAddress),
    sameAddress,
    fetchHeight: () => retryRead(() => readAgreedHeight(rpc), { clock: options.clock }),
    fetchBalance: async (asset) => {
      const units = await fetchUnits(wallet, asset)
      // Reservations are nonces here: they hold no funds.
      return { units, spendableUnits: units }
    },
    estimateFees: () => estimateFees(wallet),
    decodeDeposit: (request, _order, asset) => decodeEvmDeposit(wallet, request, asset),
    findMissingApproval: (asset, spender, units) =>
      findMissingApproval(wallet, asset, spender, units),
    rebuildRequests: (order) => rebuildEvmRequests(wallet, order),
    planTransaction: (intent, reserved, how) => planEvmTransaction(wallet, intent, reserved, how),
    planBump: (plan, stake = null, pace = null) => bumpEvmTransaction(wallet, plan, stake ?? pace),
    signTransaction: async (plan, context) => {
      const transaction = await holder.signTransaction(plan, context ?? contextOf(plan.digest))
      wallet.signed.note(transaction)
      return transaction
    },
    broadcastTransaction: (transaction) => broadcastEvmTransaction(wallet, transaction),
    observeTransaction: (ours) => observeEvmTransaction(wallet, ours),
    proveUnfunded: (query) => proveEvmUnfunded(wallet, query),
    fetchAgreement: () => rpc.fees.beside(fetchAgreement(rpc), () => readFeePerGas(wallet)),
    signTypedData: (deposit, context) =>
      holder.signTypedData(deposit, context ?? contextOf(deposit.secretHash)),
    observeLeg: (query) => observeEvmLeg(wallet, query),
    ...capabilitiesOf(wallet, options.nativeCoin ?? evmTraits.nativeCoin),
  }
  const legs = openRouteLegs(wallet, options.routes)
  return legs.length === 0 ? port : withRouteLegs(port, legs)
}

function capabilitiesOf(wallet: Wallet, coin: NativeCoin): Capabilities {
  const { rpc } = wallet
  return {
    native: { fetchNativeBalance: () => fetchNative(wallet), fetchLeastBalance: async () => 0n },
    uses: {
      fetchUses: async (mark) => listUsedNonces(mark, BigInt(await fetchCount(wallet))),
      readUse: (resource) => readEvmUse(wallet, resource),
    },
    nonces: {
      bindPlan: (plan, reserved) => bindEvmPlan(wallet, plan, reserved),
      takeNonce: async (plan, of) => takeEvmNonce(wallet, plan, of),
    },
    pairs: {
      canPair: (asset, spender) => canPairEvm(wallet, asset, spender),
      bindPair: (plans, reserved) => bindEvmPair(wallet, plans, reserved),
    },
    contracts: {
      fetchContractIdentity: (htlc) => fetchContractIdentity(wallet.rpc, htlc),
      checkPayout: (asset, owner, payout) =>
        payout === undefined
          ? findPayeeFaults(wallet, asset, owner)
          : findPayoutFaults(wallet, asset, { owner, ...payout }),
      fetchFeedPrice: (feed) =>
        feed.kind === "chainlink" ? readAgreed(rpc, (at) => readPriceFeed(feed, at)) : null,
    },
    assetChecks: {
      checkAsset: (id) => {
        const asset = requireAsset(wallet, id)
        return readAgreed(rpc, (at) => findAssetFaults(asset, coin, at))
      },
    },
    touched: { listTouchedLegs: (since) => listTouchedLegs(wallet, since) },
  }
}

export type EvmChainOptions = {
  readonly chain: ChainId
  /** EIP-155. */
  readonly chainId: number
  /** Reads ask all of them about one block, broadcasts go to all. */
  readonly rpc: readonly NodeAddress[]
  readonly paces?: Paces
  readonly headsForMs?: number
  /** 32 bytes in hex. */
  readonly key: Secret
  /** The number of endpoints that must agree; `null` for the default. */
  readonly agree?: number | null
  readonly finality: FinalityProfile
  /** Default: a tenth of a second, because the fastest known chains make ten blocks a second. */
  readonly blockTime?: Pick<BlockTime, "fastestMs">
  /** No transaction of ours offers more per gas, in wei. */
  readonly maxFeePerGasUnits: bigint
  /** No transaction of ours offers a higher tip per gas, in wei. */
  readonly maxTipPerGasUnits: bigint
  /** No transaction of ours may use more gas. Default 2 000 000. */
  readonly maxGasLimit?: bigint
  /** Default ether. */
  readonly nativeCoin?: NativeCoin
  readonly timeoutMs: number
  readonly assets: readonly Asset[]
  readonly clock: Clock
  /** The holder of the key, where that is another process. */
  readonly keyHolder?: KeyHolder
  /** Absent: the key's own account. */
  readonly onBehalfOf?: string
  /** The route kinds beside HTLCs that this wallet uses; absent: none. */
  readonly routes?: ReadonlyMap<RouteKind, RouteRules>
}

const DEFAULT_GAS_LIMIT = 2_000_000n
const FASTEST_BLOCK_MS = 100
/**
 * Cautious: an approval with an initiation, and a refund; each about half as much again as
 * measured.
 */
const DEPOSIT_GAS = 250_000n
const REFUND_GAS = 120_000n
/** An approval of about 180 bytes and an initiation of about 250, and a refund of about 150. */
const DEPOSIT_BYTES = 430
const REFUND_BYTES = 150
/** A redemption may be the first payment of a token to this wallet. */
const REDEEM_GAS = 160_000n
const REDEEM_BYTES = 260

function createWallet(options: EvmChainOptions, account: Wallet["account"]): Wallet {
  const { chain, chainId, finality, maxFeePerGasUnits, maxTipPerGasUnits, timeoutMs, clock } =
    options
  const assets = options.assets.filter((asset) => asset.chain === chain)
  for (const { token, htlc } of assets)
    for (const text of [token, ...htlc]) if (text !== null) requireAddress(text)
  const needed = neededAnswers(options.agree ?? null, options.rpc.length)
  const fastestBlockMs = options.blockTime?.fastestMs ?? FASTEST_BLOCK_MS
  const { rpc: urls, paces = createPaces(clock), headsForMs = 0 } = options
  const shared = { urls, needed, chainId, timeoutMs, fastestBlockMs, clock, paces, headsForMs }
  const rpc = createRpc(shared)
  const limits = {
    maxFeePerGasUnits,
    maxTipPerGasUnits,
    maxGasLimit: options.maxGasLimit ?? DEFAULT_GAS_LIMIT,
  }
  const payee = options.onBehalfOf === undefined ? account : requireAddress(options.onBehalfOf)
  return {
    chain,
    chainId,
    account,
    payee,
    finality,
    ...limits,
    assets,
    rpc,
    signed: createSignedNotes(),
    knownIds: createKnownIds(),
    pairings: new Map(),
    holders: new Set(),
    routes: openRouteKeys(options.routes, { chain, chainId }),
  }
}

async function fetchUnits(wallet: Wallet, id: AssetId): Promise<bigint> {
  const token = tokenOf(requireAsset(wallet, id))
  return token === null ? fetchNative(wallet) : fetchTokens(wallet, token)
}

function fetchNative({ account: address, rpc }: Wallet): Promise<bigint> {
  return readAgreed(rpc, ({ client, height: blockNumber }) =>
    client.getBalance({ address, blockNumber }),
  )
}

function fetchCount({ account: address, rpc }: Wallet): Promise<number> {
  return readAgreed(rpc, ({ client, height: blockNumber }) =>
    client.getTransactionCount({ address, blockNumber }),
  )
}

function fetchTokens({ account, rpc }: Wallet, address: Address): Promise<bigint> {
  const call = { address, abi: tokenAbi, functionName: "balanceOf", args: [account] } as const
  return readAgreed(rpc, ({ client, height: blockNumber }) =>
    client.readContract({ ...call, blockNumber }),
  )
}

/**
 * Gas costs at most the cap, because we never offer more. The L1 data fee has no cap of ours, so it
 * counts twice its present value.
 */
async function estimateFees(wallet: Wallet) {
  const feePerGas = readFeePerGas(wallet)
  const [depositUnits, refundUnits] = await Promise.all([
    estimateFee(wallet, feePerGas, { gas: DEPOSIT_GAS, bytes: DEPOSIT_BYTES }),
    estimateFee(wallet, feePerGas, { gas: REFUND_GAS, bytes: REFUND_BYTES }),
  ])
  return { depositUnits, refundUnits }
}

async function estimateRedeemFee(wallet: Wallet): Promise<bigint> {
  return estimateFee(wallet, readFeePerGas(wallet), { gas: REDEEM_GAS, bytes: REDEEM_BYTES })
}

/**
 * Exact: a larger allowance is reduced too. Some tokens (USDT) refuse to change an allowance that
 * is not zero; for them zero comes first, and the next look finds the rest missing.
 */
async function findMissingApproval(
  wallet: Wallet,
  asset: AssetId,
  spenderText: string,
  units: bigint,
) {
  const token = tokenOf(requireAsset(wallet, asset))
  if (token === null) return null
  const spender = requireAddress(spenderText)
  const call = {
    address: token,
    abi: tokenAbi,
    functionName: "allowance",
    args: [wallet.account, spender],
  } as const
  const allowed = await readAgreed(wallet.rpc, ({ client, height: blockNumber }) =>
    client.readContract({ ...call, blockNumber }),
  )
  if (allowed === units) return null
  const needsZero =
    allowed !== 0n &&
    units !== 0n &&
    (await refusesApproval(wallet, token, encodeApprove(spender, units)))
  return { setUnits: needsZero ? 0n : units }
}

/**
 * Does the token revert this approval? A wrong answer only costs a transaction, so one endpoint
 * suffices.
 */
async function refusesApproval({ account, rpc }: Wallet, to: Address, data: Hex): Promise<boolean> {
  try {
    await rpc.read((client) => client.call({ account, to, data }))
    return false
  } catch (error) {
    if (isReverted(error)) return true
    throw error
  }
}
