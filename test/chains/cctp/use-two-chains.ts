import { encodeFunctionData, type Hex } from "viem"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { afterAll, beforeAll, beforeEach } from "vitest"
import { burnDomainOf, wordOf } from "#chains/evm/cctp/presets.ts"
import { createEvmChain } from "#chains/evm/create-chain.ts"
import { everyDepth } from "#chains/evm/finality.ts"
import { requireAddress } from "#chains/evm/wallet.ts"
import { type AssetId, parseAssetId, toChainId } from "#domain/asset.ts"
import type { PinnedContract } from "#domain/contract-identity.ts"
import type { VerifiedDeposit } from "#domain/deposit.ts"
import type { RouteVoucher } from "#domain/route/route-voucher.ts"
import type { SignedTransaction, TransactionPlan } from "#domain/transaction.ts"
import { mustExist } from "#lib/assert.ts"
import { systemClock } from "#lib/clock.ts"
import { silentLogger } from "#lib/log.ts"
import { Secret } from "#lib/secret.ts"
import type { LegQuery } from "#ports/chain/htlc-reader.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { RouteRules } from "#ports/key-holder.ts"
import type { RouteLeg, SeenDeposit } from "#ports/route.ts"
import { createAttestationService } from "#routes/cctp/attestation-service.ts"
import { type CctpRoute, createCctpRoute } from "#routes/cctp/create-route.ts"
import { parseFeeRate } from "#routes/cctp/fee-rate.ts"
import type { BurnSide, Speed } from "#routes/cctp/quote-burns.ts"
import { deployCctp, type LocalCctp, linkCctp } from "#sandbox/cctp/deploy-cctp.ts"
import {
  ATTESTER_ADDRESSES,
  type LocalAttester,
  startAttester,
} from "#sandbox/cctp/start-attester.ts"
import { type LocalEvmChain, startEvmChain } from "#sandbox/evm/evm-chain.ts"
import { asVerified } from "../evm/sample-order.ts"

export const AMOUNT = 100_000_000n
const CHAINS = [
  { name: "arbitrum_sepolia", chainId: 421_614, domain: 3 },
  { name: "base_sepolia", chainId: 84_532, domain: 6 },
] as const

/** One chain with its contracts, our wallet on it, and the leg of the route. */
type Place = {
  readonly cctp: LocalCctp<LocalEvmChain>
  readonly asset: AssetId
  readonly port: ChainPort
  readonly leg: RouteLeg
}

export let source: Place
export let destination: Place
export let attester: LocalAttester
export let route: CctpRoute
let wallet: { readonly key: Hex; readonly address: Hex }
let deployed: readonly LocalCctp<LocalEvmChain>[]

/** Starts two local chains and an attestation service; each test has a wallet with 1000 USDC. */
export function useTwoChains(): void {
  beforeAll(async () => {
    deployed = await Promise.all(
      CHAINS.map(async ({ name, chainId, domain }) => {
        const chain = await startEvmChain({
          name,
          chainId,
          port: 0,
          blockTimeSeconds: 3_600,
          assets: [],
          log: silentLogger,
        })
        await chain.setMining("off")
        return deployCctp({ chain, domain, attesters: ATTESTER_ADDRESSES })
      }),
    )
    await linkCctp(deployed)
    attester = await startAttester({
      chains: deployed,
      finality: { fast: 1, standard: 3 },
      port: 0,
      clock: systemClock,
    })
  }, 120_000)

  beforeEach(async () => {
    attester.setFault(null)
    const key = generatePrivateKey()
    const { address } = privateKeyToAccount(key)
    const rules = rulesOf(address)
    wallet = { key, address }
    const places = await Promise.all(
      deployed.map(async (cctp, at) => {
        const { name } = mustExist(CHAINS[at], "a chain")
        return openPlace(cctp, name, { key, address, rules })
      }),
    )
    source = mustExist(places[0], "the source")
    destination = mustExist(places[1], "the destination")
    route = openRoute(address, ["fast", "standard"])
  })

  afterAll(async () => {
    await attester.stop()
    await Promise.all(deployed.map(({ chain }) => chain.stop()))
  })
}

function rulesOf(address: Hex): RouteRules {
  const contractsOf = ({ domain, usdc, messenger, transmitter }: LocalCctp) => ({
    domain: String(domain),
    token: usdc,
    messenger,
    transmitter,
  })
  return {
    assets: CHAINS.map(({ name }) => parseAssetId(`${name}:usdc`)),
    payees: new Map(CHAINS.map(({ domain }) => [String(domain), [address]])),
    maxFeeRate: parseFeeRate("2"),
    peers: new Map(deployed.map(({ domain, messenger }) => [String(domain), messenger])),
    contracts: new Map(
      deployed.map((cctp, at) => [
        toChainId(mustExist(CHAINS[at], "a chain").name),
        contractsOf(cctp),
      ]),
    ),
  }
}

async function openPlace(
  cctp: LocalCctp<LocalEvmChain>,
  name: string,
  { key, address, rules }: { key: Hex; address: Hex; rules: RouteRules },
): Promise<Place> {
  const asset = parseAssetId(`${name}:usdc`)
  const chain = toChainId(name)
  const port = createEvmChain({
    chain,
    chainId: cctp.chain.client.chain.id,
    rpc: [cctp.chain.rpcUrl],
    key: new Secret(key, "env:KEY"),
    finality: everyDepth(2),
    maxFeePerGasUnits: 500_000_000_000n,
    maxTipPerGasUnits: 10_000_000_000n,
    timeoutMs: 5_000,
    assets: [{ id: asset, chain, decimals: 6, token: cctp.usdc, htlc: [] }],
    clock: systemClock,
    routes: new Map([["cctp", rules]]),
  })
  await cctp.chain.setBalance(address, 10n ** 18n)
  await cctp.own("usdc", "mint", [address, 10n * AMOUNT])
  return { cctp, asset, port, leg: mustExist(port.routeLegs?.get("cctp"), "the leg") }
}

/** The leg of the same wallet that knows a reviewed contract of its chain. */
export async function openPinned({ cctp, port }: Place, pin: PinnedContract): Promise<RouteLeg> {
  const rules = { ...rulesOf(wallet.address), pinned: new Map([[port.chain, [pin]]]) }
  return (await openPlace(cctp, port.chain, { ...wallet, rules })).leg
}

export function openRoute(address: string, speeds: readonly Speed[]): CctpRoute {
  const sides = [source, destination].map(
    ({ cctp, asset }): BurnSide => ({
      asset,
      family: "evm",
      domain: burnDomainOf({
        chainId: cctp.chain.client.chain.id,
        network: "test",
        domain: cctp.domain,
        token: requireAddress(cctp.usdc),
        messenger: requireAddress(cctp.messenger),
        transmitter: requireAddress(cctp.transmitter),
        minter: null,
        fastMs: { typical: 1_000, late: 60_000 },
        standardMs: { typical: 1_000, late: 60_000 },
      }),
      payee: address,
      mintRecipient: wordOf(requireAddress(address)),
    }),
  )
  const service = createAttestationService({
    address: attester.url,
    timeoutMs: 5_000,
    clock: systemClock,
  })
  return createCctpRoute({
    sides,
    service,
    speeds,
    maxFeeRate: parseFeeRate("2"),
    clock: systemClock,
  })
}

let orders = 0

/** A verified burn of an order, as the quote of this speed has it. */
export async function openBurn(speed: Speed = "fast"): Promise<VerifiedDeposit> {
  const asked = { from: source.asset, to: destination.asset, sourceUnits: AMOUNT, affiliateBps: 0 }
  const quotes = await route.fetchQuotes(asked)
  const quote = mustExist(
    quotes.find(({ solverId }) => solverId === speed),
    `a ${speed} quote`,
  )
  orders += 1
  const { depositRequest } = route.open({
    orderId: String(orders),
    dealKey: orders.toString(16).padStart(64, "0"),
    terms: {
      from: quote.from,
      to: quote.to,
      sourceUnits: quote.sourceUnits,
      destinationUnits: quote.destinationUnits,
      sourceOwner: source.port.account,
      destinationOwner: destination.port.account,
    },
    quote,
  })
  const decoded = source.leg.decodeDeposit(depositRequest, source.asset)
  return asVerified(decoded)
}

/** Signs and sends a plan, and mines its block. */
export async function settle(
  { port, cctp }: Place,
  plan: Awaited<ReturnType<RouteLeg["planDeposit"]>>,
): Promise<SignedTransaction> {
  if ("refused" in plan) throw new Error(JSON.stringify(plan.refused))
  const signed = await port.signTransaction(plan satisfies TransactionPlan)
  await port.broadcastTransaction(signed)
  await cctp.chain.advance(1)
  return signed
}

export const NONE: ReadonlySet<string> = new Set()

/** Approves and burns; the burn has two blocks. */
export async function burn(deposit: VerifiedDeposit): Promise<SignedTransaction> {
  const { asset, port } = source
  const approval = {
    action: "approve",
    asset,
    spender: deposit.htlc,
    units: deposit.units,
  } as const
  await settle(source, await port.planTransaction(approval, NONE))
  const signed = await settle(
    source,
    await source.port.planTransaction({ action: "initiate", asset, deposit }, NONE),
  )
  await source.cctp.chain.advance(1)
  return signed
}

export async function seeBurn(
  deposit: VerifiedDeposit,
  signed: SignedTransaction,
): Promise<SeenDeposit> {
  const { initiated } = await source.port.observeLeg(burnQuery(deposit, [signed]))
  return mustExist(initiated, "the burn in a block")
}

const NO_TERMS = { htlc: null, initiator: null, redeemer: null, timelock: null } as const
const NO_HINTS = { hints: { initiateTx: null, redeemTx: null, refundTx: null } } as const

export function burnQuery(
  deposit: VerifiedDeposit,
  signed: readonly SignedTransaction[],
): LegQuery {
  return {
    ...NO_TERMS,
    ...NO_HINTS,
    side: "source",
    asset: source.asset,
    secretHash: deposit.secretHash,
    units: deposit.units,
    owner: source.port.account,
    fromHeight: 0n,
    route: { kind: "cctp", deposit, signed, voucher: null },
  }
}

/** The mint of a burn as our own node shows it. */
export async function seeMint(deposit: VerifiedDeposit, voucher: RouteVoucher | null) {
  const { redeemed } = await destination.port.observeLeg({
    ...burnQuery(deposit, []),
    side: "destination",
    asset: destination.asset,
    owner: destination.port.account,
    route: { kind: "cctp", deposit, signed: [], voucher },
  })
  return redeemed
}

/** What speaks against the mint now. */
export function checkMint(deposit: VerifiedDeposit, voucher: RouteVoucher | null) {
  return destination.leg.checkPayout(payoutOf(deposit), voucher)
}

export function planMint(deposit: VerifiedDeposit, voucher: RouteVoucher) {
  return destination.leg.planRedemption(payoutOf(deposit), voucher, NONE)
}

function payoutOf(deposit: VerifiedDeposit) {
  return { asset: destination.asset, deposit, owner: destination.port.account }
}

export async function balanceOf({ cctp }: Place, account: string): Promise<bigint> {
  const data = encodeFunctionData({
    abi: [
      {
        type: "function",
        name: "balanceOf",
        stateMutability: "view",
        inputs: [{ name: "owner", type: "address" }],
        outputs: [{ name: "", type: "uint256" }],
      },
    ],
    args: [requireAddress(account)],
  })
  const { data: answer = "0x0" } = await cctp.chain.client.call({ to: cctp.usdc, data })
  return BigInt(answer)
}
