import { PublicKey } from "@solana/web3.js"
import { withRouteLegs } from "#chains/with-route-legs.ts"
import type { Asset, AssetId, ChainId } from "#domain/asset.ts"
import type { Finding } from "#domain/deposit.ts"
import { findCoinFaults } from "#domain/native-coin.ts"
import { redeemFeeCap } from "#domain/redeem-fee-cap.ts"
import type { RouteKind } from "#domain/route/route-kind.ts"
import type { TransactionPlan } from "#domain/transaction.ts"
import { AppError } from "#lib/app-error.ts"
import { mustExist } from "#lib/assert.ts"
import type { Clock } from "#lib/clock.ts"
import type { Secret } from "#lib/secret.ts"
import type { Address } from "#nodes/address.ts"
import { createPaces, type Paces } from "#nodes/paces.ts"
import type { AssetFault, Capabilities } from "#ports/chain/capabilities.ts"
import type { ChainPort } from "#ports/chain.ts"
import { contextOf, type KeyHolder, type RouteRules } from "#ports/key-holder.ts"
import { checkAssets } from "./check-assets.ts"
import {
  fetchTokenAccount,
  findProgramFaults,
  findTokenFaults,
  TOKEN_ACCOUNT_MISSING,
  tokenOf,
} from "./check-tokens.ts"
import { decodeDeposit } from "./decode.ts"
import { decideFinality, type Finality, type FinalitySettings, waitForDepth } from "./finality.ts"
import { createRelayedDeposits } from "./gasless/relayed-deposits.ts"
import { fetchContractIdentity } from "./identify-contract.ts"
import { isClosed } from "./legs/is-closed.ts"
import { listSignedTransactions } from "./legs/list-signed-transactions.ts"
import { createTouchedLegs } from "./legs/list-touched-legs.ts"
import { observeTransaction } from "./legs/observe-transaction.ts"
import { proveUnfunded } from "./legs/prove-unfunded.ts"
import { readSolanaUse } from "./legs/read-use.ts"
import { rebuildSolanaRequests } from "./legs/rebuild-requests.ts"
import { type Commitment, createNode, type SolanaNode } from "./node.ts"
import {
  createEndpoints,
  type Endpoint,
  type Endpoints,
  fetchAgreement,
  readAgreed,
  readAgreedSlot,
} from "./nodes/endpoints.ts"
import { createPlanningNode, type PlanningNode } from "./nodes/planning-node.ts"
import { readPriceFeed } from "./nodes/read-price-feed.ts"
import { observeLeg } from "./observe-leg.ts"
import { presetNameOf } from "./presets.ts"
import { openRouteKeys } from "./routes/route-keys.ts"
import { openRouteLegs } from "./routes/route-legs.ts"
import { createRpc } from "./rpc.ts"
import { createSigner, holdKey } from "./signer.ts"
import { feeOf, unitLimitOf } from "./spend/assemble.ts"
import { broadcast } from "./spend/broadcast.ts"
import { fetchDepositRent, planTransaction } from "./spend/build.ts"
import type { Refusal } from "./spend/draft.ts"
import { fetchPrices } from "./spend/fetch-prices.ts"
import { createTokenAccounts } from "./spend/open-token-account.ts"
import { findOpenPayout, planRedeem } from "./spend/redeem.ts"
import { TOKEN_ACCOUNT_BYTES } from "./tokens.ts"
import { solanaTraits } from "./traits.ts"
import { isSolanaAddress, type Wallet } from "./wallet.ts"

/**
 * A Solana chain with its hot wallet. Heights are slots. Assets are native SOL, in lamports, and
 * tokens of the SPL Token program, each in our associated token account.
 *
 * Throws `config.solana_key` and `config.solana_assets` (fatal). No IO.
 */
export function createSolanaChain(options: SolanaChainOptions): ChainPort {
  const { rpc: urls, genesisHash = null, timeoutMs, clock, paces = createPaces(clock) } = options
  const rpc = createRpc({ urls, genesisHash, timeoutMs, clock, paces })
  const { commitment } = options
  const node = createNode(rpc, { commitment })
  const endpoints = createEndpoints(rpc, options.agree ?? null, clock, options.headsForMs)
  const finality = decideFinality({
    commitment,
    confirmations: options.confirmations,
    finality: options.finality ?? null,
  })
  const settled = finality.ending.commitment
  const local = options.keyHolder === undefined ? createSigner(options.key) : null
  const account =
    options.keyHolder?.publicKey ?? mustExist(local, "the key of this process").account
  const place = { chain: options.chain, preset: presetNameOf(genesisHash) }
  const wallet: Wallet = {
    chain: options.chain,
    account,
    ...(options.onBehalfOf === undefined ? {} : { payee: options.onBehalfOf }),
    assets: options.assets.filter((asset) => asset.chain === options.chain),
    maxPriorityFeeMicroLamports: options.maxPriorityFeeMicroLamports,
    routes: openRouteKeys(options.routes, place),
    ...(options.usualPriorityFeeMicroLamports === undefined
      ? {}
      : { usualPriorityFeeMicroLamports: options.usualPriorityFeeMicroLamports }),
  }
  checkAssets(wallet.assets)
  const holder = options.keyHolder ?? holdKey(mustExist(local, "the key of this process"), wallet)
  const planning = createPlanningNode(node, endpoints, settled)
  const parts = { wallet, endpoints, planning, finality, commitment }
  const legs = openRouteLegs(parts, options.routes, place)
  const port: ChainPort = {
    chain: options.chain,
    family: "solana",
    traits: solanaTraits,
    account,
    sourceExtras: {},
    destinationExtras: {},
    revealWait: () => waitForDepth(finality.reveal),
    isAddress: isSolanaAddress,
    sameAddress: (a, b) => isSolanaAddress(a) && a === b,
    ...agreedReads({ wallet, endpoints, commitment, settled }),
    ...evidence({ wallet, endpoints, finality, opened: new Set() }),
    ...checkTokens({
      wallet,
      planning,
      endpoints,
      commitment,
      opens: options.openTokenAccounts === true,
    }),
    decodeDeposit: (request, _order, asset) => decodeDeposit(request, wallet, asset),
    findMissingApproval: async () => null,
    rebuildRequests: (order) => rebuildSolanaRequests(wallet, order),
    planTransaction: planWith({ wallet, planning, endpoints, commitment, settled }),
    // A second signature is legal only when the first can no longer land. The engine plans anew
    // after the blockhash has expired.
    planBump: async () => null,
    signTransaction: (plan, context) =>
      holder.signTransaction(plan, context ?? contextOf(plan.digest)),
    broadcastTransaction: (transaction) => broadcast(transaction, rpc, commitment),
    ...createRelayedDeposits({ wallet, planning, endpoints, holder }),
  }
  return legs.length === 0 ? port : withRouteLegs(port, legs)
}

type SolanaChainOptions = {
  chain: ChainId
  rpc: readonly Address[]
  paces?: Paces
  headsForMs?: number
  /** How many endpoints must agree; absent for the default. */
  agree?: number | null
  /** Of the preset's cluster; `null` without a preset. */
  genesisHash?: string | null
  key: Secret
  /** The commitment of reads for planning and of `seen`, and of depths in slots. */
  commitment: Commitment
  /** One depth in slots for everything, instead of `finality`. */
  confirmations: number | null
  finality?: FinalitySettings["finality"]
  maxPriorityFeeMicroLamports: bigint
  /** Where no node has an estimate; absent for `USUAL_PRICE`. */
  usualPriorityFeeMicroLamports?: bigint
  /** Open missing token accounts of the wallet; absent for no. */
  openTokenAccounts?: boolean
  timeoutMs: number
  assets: readonly Asset[]
  clock: Clock
  /** The holder of the key, where that is another process. */
  keyHolder?: KeyHolder
  /** Absent: the key's own account. */
  onBehalfOf?: string
  /** The route kinds beside HTLCs that this wallet uses; absent: none. */
  routes?: ReadonlyMap<RouteKind, RouteRules>
}

/**
 * Without the asset's configuration its program and mint are unknown, and any other account would
 * be the wrong one.
 */
function evidence(observing: {
  readonly endpoints: Endpoints
  readonly wallet: Wallet
  readonly finality: Finality
  readonly opened: Set<string>
}): Pick<ChainPort, "observeTransaction" | "proveUnfunded" | "observeLeg" | "touched" | "closing"> {
  const { endpoints, wallet } = observing
  return {
    observeTransaction: (ours) => observeTransaction(ours, observing),
    proveUnfunded: async (query) => {
      findAsset(wallet, query.asset)
      return proveUnfunded(query, observing)
    },
    observeLeg: async (query) => {
      findAsset(wallet, query.asset)
      return observeLeg(query, observing)
    },
    touched: { listTouchedLegs: createTouchedLegs(endpoints, wallet) },
    closing: { isClosed: (query, openedAt) => isClosed(query, openedAt, observing) },
  }
}

/**
 * The reads that answer a plain question: agreed, or an error. Balances and heights are read at the
 * same commitment, `settled`, so that an order in flight never counts twice or not at all.
 */
function agreedReads({
  wallet,
  endpoints,
  commitment,
  settled,
}: {
  readonly wallet: Wallet
  readonly endpoints: Endpoints
  readonly commitment: Commitment
  readonly settled: Commitment
}) {
  return {
    fetchHeight: () => readAgreedSlot(endpoints, settled),
    fetchBalance: async (id) => {
      const asset = findAsset(wallet, id)
      return readAgreed(endpoints, settled, (at) => fetchBalance(asset, wallet, at))
    },
    estimateFees: async (id) => {
      const asset = findAsset(wallet, id)
      return readAgreed(endpoints, commitment, (at) => estimateFees(asset, wallet, at))
    },
    estimateRedeemFee: async (id) => {
      const asset = findAsset(wallet, id)
      return asset.htlc.length === 0
        ? null
        : feeOf(unitLimitOf(asset.token), wallet.maxPriorityFeeMicroLamports)
    },
    capRedeemFee: (id, stake) => {
      const unitLimit = unitLimitOf(findAsset(wallet, id).token)
      return redeemFeeCap(feeOf(unitLimit, wallet.maxPriorityFeeMicroLamports), stake)
    },
    native: {
      fetchNativeBalance: () =>
        readAgreed(endpoints, settled, (at) => at.fetchBalance(wallet.account)),
      // The runtime rejects a transaction that leaves its payer less than the rent minimum of an
      // account without data.
      fetchLeastBalance: () => readAgreed(endpoints, commitment, (at) => at.fetchRent(0)),
    },
    uses: {
      fetchUses: (mark, isOurs = () => false) =>
        listSignedTransactions(endpoints, wallet.account, mark, isOurs),
      readUse: (txid) => readSolanaUse(endpoints, wallet, txid),
    },
    fetchAgreement: () =>
      endpoints.fees.beside(fetchAgreement(endpoints, settled), () =>
        fetchPrices([wallet.account], endpoints, wallet.maxPriorityFeeMicroLamports),
      ),
  } satisfies Partial<ChainPort>
}

/** A deposit is planned with agreed reads, a refund or redemption with any one endpoint. */
function planWith({
  wallet,
  planning,
  endpoints,
  commitment,
  settled,
}: {
  readonly wallet: Wallet
  readonly planning: PlanningNode
  readonly endpoints: Endpoints
  readonly commitment: Commitment
  readonly settled: Commitment
}): ChainPort["planTransaction"] {
  const nodeAt = (at: Endpoint["node"]) =>
    createPlanningNode(at({ commitment }), endpoints, settled)
  const fetchAccount = async (address: string) => {
    const { account } = await readAgreed(endpoints, commitment, async (at) => ({
      account: await at.fetchAccount(address),
    }))
    return account
  }
  return async (intent, reserved) => {
    if (intent.action === "refund")
      return planAtAny(endpoints, (at) => planTransaction(intent, reserved, wallet, nodeAt(at)))
    if (intent.action !== "redeem") return planTransaction(intent, reserved, wallet, planning)
    const found = await findOpenPayout(intent, wallet, fetchAccount)
    const stake = intent.stake ?? intent.pace ?? null
    return "refused" in found
      ? found
      : planAtAny(endpoints, (at) => planRedeem(found, stake, wallet, nodeAt(at)))
  }
}

/**
 * Tries one endpoint after the other until one gives a plan: a refund or redemption must not depend
 * on one that lags or lies.
 */
async function planAtAny(
  endpoints: Endpoints,
  plan: (node: Endpoint["node"]) => Promise<TransactionPlan | Refusal>,
): Promise<TransactionPlan | Refusal> {
  let refusal: Refusal | null = null
  let failure: unknown
  for (const { node } of endpoints.nodes) {
    try {
      const planned = await plan(node)
      if (!("refused" in planned)) return planned
      refusal ??= planned
    } catch (error) {
      failure = error
    }
  }
  if (refusal !== null) return refusal
  throw failure
}

type TokenChecks = {
  readonly wallet: Wallet
  readonly planning: PlanningNode
  readonly endpoints: Endpoints
  readonly commitment: Commitment
  /** The daemon opens our own missing token accounts. */
  readonly opens: boolean
}

/** The parts of the port that know programs and token accounts. */
function checkTokens({
  wallet,
  planning,
  endpoints,
  commitment,
  opens,
}: TokenChecks): Pick<Capabilities, "contracts" | "assetChecks" | "tokenAccounts"> {
  return {
    contracts: {
      fetchContractIdentity: (htlc) => fetchContractIdentity(endpoints, commitment, htlc),
      checkPayout: async (asset, owner) => {
        const token = tokenOf(findAsset(wallet, asset))
        if (token === null || !isSolanaAddress(owner)) return []
        const faults = await readAgreed(endpoints, commitment, (at) =>
          findTokenFaults(token, owner, at),
        )
        return opens && owner === wallet.account ? faults.map(promiseOpening) : faults
      },
      fetchFeedPrice: (feed) =>
        feed.kind === "pyth"
          ? readAgreed(endpoints, commitment, (at) => readPriceFeed(feed, at))
          : null,
    },
    assetChecks: {
      // An account that the daemon opens by itself is no contradiction of the configuration.
      checkAsset: async (id) => {
        const asset = findAsset(wallet, id)
        const faults = await readAgreed(endpoints, commitment, (at) =>
          checkAsset(asset, wallet, at),
        )
        return faults.filter(({ code }) => !opens || code !== TOKEN_ACCOUNT_MISSING)
      },
    },
    ...(opens ? { tokenAccounts: createTokenAccounts(wallet, planning, endpoints) } : {}),
  }
}

/** Only our own account is opened; the owner of a foreign address opens that one. */
function promiseOpening(fault: Finding): Finding {
  if (fault.code !== TOKEN_ACCOUNT_MISSING) return fault
  const message =
    "our wallet has no token account for this asset yet; the daemon opens it by itself, and " +
    "its log or an alert says if it cannot; ask again in a minute"
  return { ...fault, message }
}

async function checkAsset(
  asset: Asset,
  wallet: Wallet,
  node: SolanaNode,
): Promise<readonly AssetFault[]> {
  const token = tokenOf(asset)
  const programs = await findProgramFaults(asset, node)
  if (token === null) return [...findCoinFaults(asset, solanaTraits.nativeCoin), ...programs]
  const faults = await findTokenFaults(token, wallet.account, node)
  return [
    ...programs,
    ...faults.map((fault) => ({ ...fault, ofWallet: fault.code.startsWith(OF_TOKEN_ACCOUNTS) })),
  ]
}

const OF_TOKEN_ACCOUNTS = "solana.token_account_"

/** A frozen token account still belongs to the wallet, but nothing can leave it. */
async function fetchBalance(
  asset: Asset,
  wallet: Wallet,
  node: SolanaNode,
): Promise<{ units: bigint; spendableUnits: bigint }> {
  const token = tokenOf(asset)
  if (token !== null) {
    const account = await fetchTokenAccount(token, wallet.account, node)
    const units = account?.units ?? 0n
    return { units, spendableUnits: account?.isFrozen === true ? 0n : units }
  }
  const units = await node.fetchBalance(wallet.account)
  const keepUnits = await node.fetchRent(0)
  return { units, spendableUnits: units > keepUnits ? units - keepUnits : 0n }
}

/**
 * A deposit needs its fee and the rent of the accounts that it creates; a refund may have to create
 * our token account again.
 */
async function estimateFees(
  asset: Asset,
  wallet: Wallet,
  node: SolanaNode,
): Promise<{ depositUnits: bigint; refundUnits: bigint }> {
  const feeUnits = feeOf(unitLimitOf(asset.token), wallet.maxPriorityFeeMicroLamports)
  const rents = await Promise.all(
    asset.htlc.map((program) => fetchDepositRent(asset, new PublicKey(program), node)),
  )
  const rentUnits = rents.reduce((most, rent) => (rent > most ? rent : most), 0n)
  const token = tokenOf(asset)
  const isMissing =
    token !== null && (await fetchTokenAccount(token, wallet.account, node)) === null
  const refundRent = isMissing ? await node.fetchRent(TOKEN_ACCOUNT_BYTES) : 0n
  return { depositUnits: feeUnits + rentUnits, refundUnits: feeUnits + refundRent }
}

/**
 * The two programs have different calls under the same names, so no program can hold both native
 * SOL and a token.
 */
function findAsset(wallet: Wallet, id: AssetId): Asset {
  const asset = wallet.assets.find((candidate) => candidate.id === id)
  if (asset !== undefined) return asset
  throw new AppError({
    code: "solana.unknown_asset",
    disposition: "refused",
    message: `${id} is not configured on ${wallet.chain}; add it to the assets`,
    details: { asset: id, chain: wallet.chain },
  })
}
