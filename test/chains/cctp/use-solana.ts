import { Connection, Keypair, PublicKey } from "@solana/web3.js"
import { encodeFunctionData, type Hex } from "viem"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { afterAll, beforeAll, beforeEach } from "vitest"
import { findBurnDomain } from "#chains/evm/cctp/presets.ts"
import { createEvmChain } from "#chains/evm/create-chain.ts"
import { everyDepth } from "#chains/evm/finality.ts"
import { findBurnDomain as findSolanaDomain } from "#chains/solana/cctp/domains.ts"
import { payeeOf } from "#chains/solana/cctp/payee.ts"
import { wordOf } from "#chains/solana/cctp/presets.ts"
import { createSolanaChain } from "#chains/solana/create-chain.ts"
import { type AssetId, parseAssetId, toChainId } from "#domain/asset.ts"
import type { VerifiedDeposit } from "#domain/deposit.ts"
import type { RouteVoucher } from "#domain/route/route-voucher.ts"
import type { SignedTransaction } from "#domain/transaction.ts"
import { mustExist } from "#lib/assert.ts"
import { systemClock } from "#lib/clock.ts"
import { silentLogger } from "#lib/log.ts"
import { Secret } from "#lib/secret.ts"
import type { LegQuery } from "#ports/chain/htlc-reader.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { RouteRules } from "#ports/key-holder.ts"
import type { RouteLeg } from "#ports/route.ts"
import { createAttestationService } from "#routes/cctp/attestation-service.ts"
import { wordOfText } from "#routes/cctp/burn-domain.ts"
import { type CctpRoute, createCctpRoute } from "#routes/cctp/create-route.ts"
import { parseFeeRate } from "#routes/cctp/fee-rate.ts"
import type { BurnSide, Speed } from "#routes/cctp/quote-burns.ts"
import type { LocalSolanaCctp } from "#sandbox/cctp/attested-chain.ts"
import { deployCctp, type LocalCctp } from "#sandbox/cctp/deploy-cctp.ts"
import {
  ATTESTER_ADDRESSES,
  type LocalAttester,
  startAttester,
} from "#sandbox/cctp/start-attester.ts"
import { type LocalEvmChain, startEvmChain } from "#sandbox/evm/evm-chain.ts"
import { createSender, type Sender } from "#sandbox/solana/create-sender.ts"
import { CCTP_PROGRAMS, deploySolanaCctp } from "#sandbox/solana/deploy-cctp.ts"
import { createTokenAccount, mintTo } from "#sandbox/solana/spl-tokens.ts"
import { startValidator, type Validator } from "#sandbox/solana/start-validator.ts"
import { asVerified } from "../evm/sample-order.ts"

export const AMOUNT = 100_000_000n

type Side = {
  readonly asset: AssetId
  readonly port: ChainPort
  readonly leg: RouteLeg
  /** Makes sent transactions final. */
  readonly settle: (txid: string) => Promise<void>
}

export let base: Side
export let solana: Side
export let attester: LocalAttester
export let route: CctpRoute
export let onSolana: LocalSolanaCctp
export let connection: Connection
export let sender: Sender
export let payer: Keypair
let onBase: LocalCctp<LocalEvmChain>
let validator: Validator
let evmKey: Hex
export let solanaKey: Keypair

const BASE = "base_sepolia"
const SOLANA = "solana_testnet"
const SLOT_MS = 40

/** A local EVM chain and a local Solana with CCTP; each test has new wallets with 1000 USDC. */
export function useSolana(): void {
  beforeAll(async () => {
    const [evm, started] = await Promise.all([
      startEvmChain({
        name: BASE,
        chainId: 84_532,
        port: 0,
        blockTimeSeconds: 3_600,
        assets: [],
        log: silentLogger,
      }),
      startValidator({ port: 0, slotTimeMs: SLOT_MS, programs: CCTP_PROGRAMS }),
    ])
    validator = started
    payer = started.payer
    connection = new Connection(started.url, {
      commitment: "confirmed",
      disableRetryOnRateLimit: true,
    })
    sender = createSender(connection, SLOT_MS)
    await evm.setMining("off")
    onBase = await deployCctp({ chain: evm, domain: 6, attesters: ATTESTER_ADDRESSES })
    const attesters = ATTESTER_ADDRESSES.toSorted()
    onSolana = await deploySolanaCctp({ connection, sender, payer, domain: 5, attesters })
    await onSolana.link({ domain: 6, messenger: onBase.messenger, token: onBase.usdc })
    const messenger = wordOf(new PublicKey(onSolana.messenger))
    await onBase.own("messenger", "setRemote", [5, messenger])
    await onBase.own("minter", "linkToken", [5, wordOf(onSolana.mint), onBase.usdc])
    attester = await startAttester({
      chains: [onBase],
      others: [onSolana.attested],
      finality: { fast: 1, standard: 3 },
      port: 0,
      clock: systemClock,
    })
  }, 120_000)

  beforeEach(async () => {
    attester.setFault(null)
    evmKey = generatePrivateKey()
    solanaKey = Keypair.generate()
    const rules = rulesOf()
    base = await openBase(rules)
    solana = await openSolana(rules)
    route = openRoute(["fast", "standard"])
  }, 30_000)

  afterAll(async () => {
    await attester?.stop()
    await Promise.all([onBase?.chain.stop(), validator?.stop()])
  })
}

export function contractsOnBase(): LocalCctp<LocalEvmChain> {
  return onBase
}

function contractsOf() {
  const { usdc, messenger, transmitter } = onBase
  const { mint, ...ofSolana } = onSolana
  return {
    base: { domain: "6", token: usdc, messenger, transmitter },
    solana: {
      domain: "5",
      token: mint.toBase58(),
      messenger: ofSolana.messenger,
      transmitter: ofSolana.transmitter,
    },
  }
}

export function rulesOf(): RouteRules {
  const contracts = contractsOf()
  const { address } = privateKeyToAccount(evmKey)
  const recipient = payeeOf(solanaKey.publicKey.toBase58(), onSolana.mint.toBase58())
  return {
    assets: [parseAssetId(`${BASE}:usdc`), parseAssetId(`${SOLANA}:usdc`)],
    payees: new Map([
      ["6", [address]],
      ["5", [recipient]],
    ]),
    maxFeeRate: parseFeeRate("2"),
    peers: new Map([
      ["6", onBase.messenger],
      ["5", wordOf(new PublicKey(onSolana.messenger))],
    ]),
    contracts: new Map([
      [toChainId(BASE), contracts.base],
      [toChainId(SOLANA), contracts.solana],
    ]),
    lookupTables: new Map([[toChainId(SOLANA), onSolana.lookupTable]]),
  }
}

async function openBase(rules: RouteRules): Promise<Side> {
  const asset = parseAssetId(`${BASE}:usdc`)
  const chain = toChainId(BASE)
  const { address } = privateKeyToAccount(evmKey)
  const port = createEvmChain({
    chain,
    chainId: 84_532,
    rpc: [onBase.chain.rpcUrl],
    key: new Secret(evmKey, "env:KEY"),
    finality: everyDepth(1),
    maxFeePerGasUnits: 500_000_000_000n,
    maxTipPerGasUnits: 10_000_000_000n,
    timeoutMs: 5_000,
    assets: [{ id: asset, chain, decimals: 6, token: onBase.usdc, htlc: [] }],
    clock: systemClock,
    routes: new Map([["cctp", rules]]),
  })
  await onBase.chain.setBalance(address, 10n ** 18n)
  await onBase.own("usdc", "mint", [address, 10n * AMOUNT])
  const leg = mustExist(port.routeLegs?.get("cctp"), "the leg")
  return { asset, port, leg, settle: () => onBase.chain.advance(2) }
}

export async function openSolana(rules: RouteRules, watcher?: Keypair): Promise<Side> {
  const key = watcher ?? solanaKey
  const asset = parseAssetId(`${SOLANA}:usdc`)
  const chain = toChainId(SOLANA)
  const port = createSolanaChain({
    chain,
    rpc: [validator.url],
    key: new Secret(JSON.stringify([...key.secretKey]), "env:SOLANA_KEY"),
    ...(watcher === undefined ? {} : { onBehalfOf: solanaKey.publicKey.toBase58() }),
    commitment: "confirmed",
    confirmations: 1,
    maxPriorityFeeMicroLamports: 1_000n,
    usualPriorityFeeMicroLamports: 0n,
    timeoutMs: 20_000,
    assets: [{ id: asset, chain, decimals: 6, token: onSolana.mint.toBase58(), htlc: [] }],
    clock: systemClock,
    routes: new Map([["cctp", rules]]),
  })
  await sender.transfer(payer, key.publicKey, 1_000_000_000n)
  const leg = mustExist(port.routeLegs?.get("cctp"), "the leg")
  return { asset, port, leg, settle: waitForSolana }
}

async function waitForSolana(txid: string): Promise<void> {
  for (let tries = 0; tries < 400; tries++) {
    const { value } = await connection.getSignatureStatuses([txid])
    if (value[0]?.err) throw new Error(JSON.stringify(value[0].err))
    if (value[0]?.confirmationStatus === "finalized") return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error("not finalized")
}

/** Opens our token account on Solana, with 1000 USDC. */
export async function fundSolana(units = 10n * AMOUNT): Promise<void> {
  const owner = solanaKey.publicKey
  const { mint } = onSolana
  const authority = payer.publicKey
  const filled = units === 0n ? [] : [mintTo({ mint, authority, owner, units })]
  await sender.send([payer], [createTokenAccount(authority, owner, mint), ...filled])
}

function openRoute(speeds: readonly Speed[]): CctpRoute {
  const contracts = contractsOf()
  const ofBase = mustExist(findBurnDomain(84_532, contracts.base), "the domain")
  const account = privateKeyToAccount(evmKey).address
  const recipient = payeeOf(solanaKey.publicKey.toBase58(), onSolana.mint.toBase58())
  const sides: BurnSide[] = [
    {
      asset: base.asset,
      family: "evm",
      domain: ofBase,
      payee: account,
      mintRecipient: wordOfText(account),
    },
    {
      asset: solana.asset,
      family: "solana",
      domain: mustExist(findSolanaDomain("", contracts.solana), "the domain"),
      payee: solana.port.account,
      mintRecipient: wordOfText(recipient),
    },
  ]
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

/** A decoded burn of a new order, as the quote of this speed has it. */
export async function openBurn(
  from: Side,
  to: Side,
  speed: Speed = "fast",
): Promise<VerifiedDeposit> {
  const asked = { from: from.asset, to: to.asset, sourceUnits: AMOUNT, affiliateBps: 0 }
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
      sourceOwner: from.port.account,
      destinationOwner: to.port.account,
    },
    quote,
  })
  return asVerified(from.leg.decodeDeposit(depositRequest, from.asset))
}

/** Signs and sends a plan, and waits until it is final. */
export async function settle(
  { port, settle: finish }: Side,
  plan: Awaited<ReturnType<RouteLeg["planDeposit"]>>,
): Promise<SignedTransaction> {
  if ("refused" in plan) throw new Error(JSON.stringify(plan.refused))
  const signed = await port.signTransaction(plan)
  await port.broadcastTransaction(signed)
  await finish(signed.txid)
  return signed
}

export const NONE: ReadonlySet<string> = new Set()

export async function burnOn(side: Side, deposit: VerifiedDeposit): Promise<SignedTransaction> {
  const { asset, port } = side
  if (port.family === "evm") {
    const { htlc: spender, units } = deposit
    const approval = { action: "approve", asset, spender, units } as const
    await settle(side, await port.planTransaction(approval, NONE))
  }
  return settle(side, await port.planTransaction({ action: "initiate", asset, deposit }, NONE))
}

const NO_TERMS = { htlc: null, initiator: null, redeemer: null, timelock: null } as const
const NO_HINTS = { hints: { initiateTx: null, redeemTx: null, refundTx: null } } as const

export function queryOf(
  side: LegQuery["side"],
  { asset, port }: Side,
  deposit: VerifiedDeposit,
  how: {
    readonly signed?: readonly SignedTransaction[]
    readonly voucher?: RouteVoucher | null
  } = {},
): LegQuery {
  const { signed = [], voucher = null } = how
  return {
    ...NO_TERMS,
    ...NO_HINTS,
    side,
    asset,
    secretHash: deposit.secretHash,
    units: deposit.units,
    owner: port.account,
    // The local Solana has its slots from 31 on.
    fromHeight: port.family === "solana" ? 31n : 0n,
    route: { kind: "cctp", deposit, signed, voucher },
  }
}

export async function voucherOf(
  from: Side,
  deposit: VerifiedDeposit,
  ...signed: readonly SignedTransaction[]
): Promise<RouteVoucher> {
  const query = queryOf("source", from, deposit, { signed })
  const { initiated } = await from.port.observeLeg(query)
  const report = await route.readVoucher(deposit, mustExist(initiated, "the burn in a block"))
  if (report.status !== "ready") throw new Error(JSON.stringify(report))
  return report.voucher
}

export async function usdcOnBase(account: string): Promise<bigint> {
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
    // CAST: an account of a local EVM chain.
    args: [account as Hex],
  })
  const { data: answer = "0x0" } = await onBase.chain.client.call({ to: onBase.usdc, data })
  return BigInt(answer)
}
