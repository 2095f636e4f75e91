import { createHash } from "node:crypto"
import { ec } from "starknet"
import { expect } from "vitest"
import { createStarknetChain, type StarknetChainOptions } from "#chains/starknet/create-chain.ts"
import { parseAssetId, toChainId } from "#domain/asset.ts"
import type { DepositRequest, VerifiedDeposit } from "#domain/deposit.ts"
import type { ServiceOrder } from "#domain/leg.ts"
import type { SignedTransaction, TransactionPlan, TransactionRequest } from "#domain/transaction.ts"
import { mustExist } from "#lib/assert.ts"
import { systemClock } from "#lib/clock.ts"
import { Secret } from "#lib/secret.ts"
import type { LegQuery, UnfundedQuery } from "#ports/chain/htlc-reader.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { LocalSwap } from "#sandbox/local-chain.ts"
import { devnetAt, heightOf } from "#sandbox/starknet/devnet.ts"
import { startRpcServer } from "#sandbox/starknet/rpc-server.ts"
import type { LocalStarknetChain } from "#sandbox/starknet/starknet-chain.ts"
import { mineBlock } from "#sandbox/starknet/submit-invoke.ts"
import { legQueryOf } from "../../support/leg-query.ts"
import { openStarknet } from "../local-chains.ts"
import { type Meddling, type NodeProxy, startNodeProxy } from "./start-node-proxy.ts"

export const WBTC = parseAssetId("starknet_sepolia:wbtc")
export const STRK = parseAssetId("starknet_sepolia:strk")
export const NONE_RESERVED: ReadonlySet<string> = new Set()
const KEY = new Secret("0x5eed5eed5eed5eed", "env:STARKNET_KEY")

/** An order of this wallet, as the service would open it. */
export type Placed = {
  readonly swap: LocalSwap
  readonly deposit: VerifiedDeposit
  readonly secret: string
}

/** A devnet with a funded wallet, and honest, lagging and lying endpoints before it. */
export type StarknetScene = {
  readonly local: LocalStarknetChain
  /** The wallet behind the devnet alone. */
  readonly chain: ChainPort
  portAt(rpc: readonly string[], options?: Partial<StarknetChainOptions>): ChainPort
  /** A node that shows the chain as it was some blocks ago. */
  openLagging(blocks: number): Promise<string>
  openProxy(targets: readonly string[], meddle?: Meddling): Promise<NodeProxy>
  place(units: bigint, timelock?: number): Promise<Placed>
  plan(intent: TransactionRequest): Promise<TransactionPlan>
  /** Signs and sends a transaction, and closes a block. */
  land(plan: TransactionPlan): Promise<SignedTransaction>
  mine(blocks?: number): void
  stop(): Promise<void>
}

export async function openStarknetScene(
  limits: Partial<StarknetChainOptions> = {},
): Promise<StarknetScene> {
  const local = await openStarknet()
  const account = local.deployAccount(ec.starkCurve.getStarkKey(KEY.reveal()))
  const id = toChainId("starknet_sepolia")
  const assets = local.assets.map(({ id: asset, decimals, token, htlc }) => {
    return { id: parseAssetId(asset), chain: id, decimals, token, htlc: [mustExist(htlc, "htlc")] }
  })
  const options = {
    chain: id,
    chainId: "SN_SEPOLIA",
    account,
    key: KEY,
    assets,
    clock: systemClock,
  }
  const portAt: StarknetScene["portAt"] = (rpc, more = {}) =>
    createStarknetChain({
      ...options,
      maxFeeUnits: 10n ** 18n,
      timeoutMs: 20_000,
      ...limits,
      rpc,
      ...more,
    })
  const chain = portAt([local.url])
  const servers: { stop(): Promise<void> }[] = []
  for (const [asset, units] of [[STRK, 10n ** 20n] as const, [WBTC, 10n ** 9n] as const]) {
    const funded = local.fund(account, asset, units)
    mineBlock(local.devnet)
    await funded
  }
  const plan = async (intent: TransactionRequest): Promise<TransactionPlan> => {
    const planned = await chain.planTransaction(intent, NONE_RESERVED)
    if ("refused" in planned) throw new Error(JSON.stringify(planned.refused))
    return planned
  }
  let seed = 0
  return {
    local,
    chain,
    portAt,
    plan,
    openLagging: async (blocks) => {
      const server = await startRpcServer(
        () => devnetAt(local.devnet, heightOf(local.devnet) - blocks),
        0,
      )
      servers.push(server)
      return server.url
    },
    openProxy: async (targets, meddle = () => null) => {
      const proxy = await startNodeProxy(targets, meddle)
      servers.push(proxy)
      return proxy
    },
    place: (units, timelock = 2_880) => placeOrder(local, chain, { units, timelock, seed: seed++ }),
    land: async (planned) => {
      const transaction = await chain.signTransaction(planned)
      await chain.broadcastTransaction(transaction)
      mineBlock(local.devnet)
      return transaction
    },
    mine: (blocks = 1) => {
      for (let count = 0; count < blocks; count++) mineBlock(local.devnet)
    },
    stop: async () => {
      await Promise.all(servers.map((server) => server.stop()))
      await local.stop()
    },
  }
}

async function placeOrder(
  local: LocalStarknetChain,
  chain: ChainPort,
  { units, timelock, seed }: { units: bigint; timelock: number; seed: number },
): Promise<Placed> {
  const secret = createHash("sha256").update(`evidence ${seed}`).digest("hex")
  const secretHash = createHash("sha256").update(Buffer.from(secret, "hex")).digest("hex")
  const { swap, response } = await local.describeSource({
    assetId: WBTC,
    units,
    owner: chain.account,
    secretHash,
    timelock,
  })
  const request = {
    family: "starknet",
    transaction: response["transaction"],
    typedData: response["typed_data"],
  }
  // CAST: the sandbox's own answer; decodeDeposit does not read the order.
  const decoded = chain.decodeDeposit(request as DepositRequest, {} as ServiceOrder, WBTC)
  expect(decoded.findings).toEqual([])
  // CAST: the test stands in for the guard.
  return { swap, deposit: decoded as VerifiedDeposit, secret }
}

export function initiateOf({ deposit }: Placed): TransactionRequest {
  return { action: "initiate", asset: WBTC, deposit }
}

export function refundOf({ deposit }: Placed, swapId: string): TransactionRequest {
  return { action: "refund", asset: WBTC, deposit, swapId }
}

export function legOf(
  { swap }: Pick<Placed, "swap">,
  owner: string,
  change: Partial<LegQuery> = {},
): LegQuery {
  return legQueryOf(swap, { owner, ...change })
}

export function unfundedOf(
  placed: Placed,
  owner: string,
  signed: readonly SignedTransaction[],
): UnfundedQuery {
  return { ...legOf(placed, owner), signed }
}
