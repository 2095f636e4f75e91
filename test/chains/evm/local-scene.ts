import { randomBytes } from "node:crypto"
import { encodeFunctionData, type Hex } from "viem"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { afterAll, beforeAll, beforeEach } from "vitest"
import { createEvmChain, type EvmChainOptions } from "#chains/evm/create-chain.ts"
import { requireAddress } from "#chains/evm/wallet.ts"
import { type Asset, parseAssetId } from "#domain/asset.ts"
import type { VerifiedDeposit } from "#domain/deposit.ts"
import type { SignedTransaction, TransactionPlan, TransactionRequest } from "#domain/transaction.ts"
import { mustExist } from "#lib/assert.ts"
import { silentLogger } from "#lib/log.ts"
import { Secret } from "#lib/secret.ts"
import type { LegQuery } from "#ports/chain/htlc-reader.ts"
import type { ChainPort } from "#ports/chain.ts"
import { createSender } from "#sandbox/evm/create-sender.ts"
import { type LocalEvmChain, startEvmChain } from "#sandbox/evm/evm-chain.ts"
import { tokenAbi } from "#sandbox/evm/token-abi.ts"
import type { LocalSwap } from "#sandbox/local-chain.ts"
import { legQueryOf } from "../../support/leg-query.ts"
import { asVerified, hashOfSecret, noOrder, sampleOptions, wbtc } from "./sample-order.ts"

export const UNITS = 50_000n
export const NOTHING_RESERVED: ReadonlySet<string> = new Set()

export let local: LocalEvmChain
export let assets: readonly Asset[]
export let chain: ChainPort
export let options: EvmChainOptions

/**
 * Starts a local chain for the test file, and gives each test a new wallet with native coins and
 * tokens.
 */
export function useLocalChain(): void {
  beforeAll(async () => {
    local = await startEvmChain({
      name: "base_sepolia",
      chainId: 84_532,
      port: 0,
      blockTimeSeconds: 3_600,
      timelocks: { source: 20, destination: 10 },
      assets: [
        { symbol: "eth", native: true },
        { symbol: "wbtc", decimals: 8 },
      ],
      log: silentLogger,
    })
    assets = local.assets.map(({ id, decimals, token, htlc }) => {
      return { id: parseAssetId(id), chain: sampleOptions([]).chain, decimals, token, htlc: [htlc] }
    })
  })

  beforeEach(async () => {
    await local.setMining("off")
    options = sampleOptions([local.url], {
      assets,
      key: new Secret(generatePrivateKey(), "env:EVM_KEY"),
    })
    chain = createEvmChain(options)
    await local.setBalance(chain.account, 10n ** 18n)
    await inBlock(() => createSender(local.client, faucet()).send(mint(chain.account, 10n * UNITS)))
  })

  afterAll(() => local.stop())
}

/** Replaces the chain under test. */
export function useChain(other: ChainPort): void {
  chain = other
}

/** Replaces the chain under test by one with other options. */
export function reopen(other: EvmChainOptions): void {
  chain = createEvmChain(other)
}

export function faucet() {
  return privateKeyToAccount(options.key.reveal() as Hex) // CAST: the options hold the key as hex.
}

export function mint(to: string, units: bigint) {
  return tokenCall("mint", to, units)
}

export function tokenCall(functionName: "mint" | "approve", party: string, units: bigint) {
  const args = [requireAddress(party), units] as const
  return {
    to: requireAddress(assetOf(wbtc).token ?? ""),
    data: encodeFunctionData({ abi: tokenAbi, functionName, args }),
  }
}

export function assetOf(id: string): Asset {
  return mustExist(
    assets.find((asset) => asset.id === id),
    id,
  )
}

/** Runs an action that sends a transaction, then mines a block. */
export async function inBlock<T>(send: () => Promise<T>): Promise<T> {
  const sent = await send()
  await local.advance(1)
  return sent
}

export type Order = {
  readonly swap: LocalSwap
  readonly deposit: VerifiedDeposit
  readonly secret: string
}

export async function newOrder(assetId: typeof wbtc, units = UNITS): Promise<Order> {
  const secret = randomBytes(32).toString("hex")
  const terms = {
    assetId,
    units,
    owner: chain.account,
    secretHash: hashOfSecret(secret),
    timelock: 20,
  }
  const { swap, response } = await local.describeSource(terms)
  // CAST: the sandbox's own answer.
  const transaction = response["transaction"] as Record<string, string>
  const request = {
    family: "evm",
    transaction: {
      to: transaction["to"] ?? "",
      valueUnits: BigInt(transaction["value"] ?? ""),
      data: transaction["data"] ?? "",
      gasLimit: BigInt(transaction["gas_limit"] ?? ""),
      chainId: BigInt(transaction["chain_id"] ?? ""),
    },
    approval: null,
    typedData: response["typed_data"],
  } as const
  return { swap, deposit: asVerified(chain.decodeDeposit(request, noOrder, assetId)), secret }
}

export async function plan(
  intent: TransactionRequest,
  reserved = NOTHING_RESERVED,
): Promise<TransactionPlan> {
  const planned = await chain.planTransaction(intent, reserved)
  if ("refused" in planned) throw new Error(JSON.stringify(planned.refused))
  return planned
}

export async function refusalOf(intent: TransactionRequest): Promise<string[]> {
  const planned = await chain.planTransaction(intent, NOTHING_RESERVED)
  return "refused" in planned ? planned.refused.map(({ code }) => code) : []
}

export async function perform(intent: TransactionRequest): Promise<SignedTransaction> {
  const transaction = await chain.signTransaction(await plan(intent))
  await inBlock(() => chain.broadcastTransaction(transaction))
  return transaction
}

export async function approve(units = UNITS): Promise<SignedTransaction> {
  return perform({ action: "approve", asset: wbtc, spender: assetOf(wbtc).htlc[0] ?? "", units })
}

export function initiate(deposit: VerifiedDeposit): TransactionRequest {
  return { action: "initiate", asset: mustExist(deposit.asset, "asset"), deposit }
}

export function queryOf(swap: LocalSwap, change: Partial<LegQuery> = {}): LegQuery {
  return legQueryOf(swap, { fromHeight: BigInt(swap.extra["fromHeight"] ?? ""), ...change })
}
