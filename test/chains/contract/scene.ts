import { createHash, randomBytes } from "node:crypto"
import { expect } from "vitest"
import { DEPOSIT_READERS } from "#chains/families.ts"
import type { DecodedDeposit, DepositRequest, VerifiedDeposit } from "#domain/deposit.ts"
import type { ReportedLeg, ServiceOrder } from "#domain/leg.ts"
import type {
  SignedTransaction,
  TransactionObservation,
  TransactionPlan,
  TransactionRequest,
} from "#domain/transaction.ts"
import type { LegQuery } from "#ports/chain/htlc-reader.ts"
import type { LocalChain, LocalSwap } from "#sandbox/local-chain.ts"
import { parseCreatedOrder } from "#service/to-domain.ts"
import { legQueryOf } from "../../support/leg-query.ts"
import { UNTOUCHED_LEG } from "../../support/untouched-leg.ts"
import type { Variant, Wallet } from "./bench.ts"

/** A funded wallet on a chain. Every test of the suite starts with one. */
export type Scene = {
  readonly local: LocalChain
  readonly wallet: Wallet
  readonly variant: Variant
}

export type Opened = {
  readonly swap: LocalSwap
  readonly secret: string
  readonly depositRequest: DepositRequest
  readonly order: ServiceOrder
  readonly deposit: VerifiedDeposit
}

export const NOBODY: ReadonlySet<string> = new Set()

/**
 * An order as the service would open it: its deposit request in wire form, parsed by our own
 * client, and decoded without findings.
 */
export async function openDeposit(
  { local, wallet }: Scene,
  options: { units?: bigint; timelock?: number } = {},
): Promise<Opened> {
  const { port, asset, units } = wallet
  const { secret, secretHash } = drawSecret()
  const { swap, response } = await local.describeSource({
    assetId: asset,
    units: options.units ?? units,
    owner: port.account,
    secretHash,
    timelock: options.timelock ?? local.timelocks.source,
    ...port.sourceExtras,
  })
  const created = parseCreatedOrder({ order_id: "ab".repeat(32), ...response }, DEPOSIT_READERS)
  if (!created.ok) throw new Error(created.why)
  const { depositRequest } = created.value
  const order = orderOf(swap)
  const decoded = port.decodeDeposit(depositRequest, order, asset)
  expect(decoded.findings).toEqual([])
  return { swap, secret, depositRequest, order, deposit: asVerified(decoded) }
}

/** The solver's HTLC for this wallet, funded. */
export async function openDestination({
  local,
  wallet,
}: Scene): Promise<{ swap: LocalSwap; secret: string }> {
  const { port, asset, units } = wallet
  const { secret, secretHash } = drawSecret()
  const request = {
    assetId: asset,
    units,
    owner: port.account,
    secretHash,
    timelock: local.timelocks.destination,
  }
  const swap = await local.describeDestination(request)
  await local.initiate(swap)
  await local.advance(1)
  return { swap, secret }
}

export function drawSecret(): { secret: string; secretHash: string } {
  const secret = randomBytes(32)
  return {
    secret: secret.toString("hex"),
    secretHash: createHash("sha256").update(secret).digest("hex"),
  }
}

/** In the daemon `verifyDeposit` makes this brand; here the suite stands in for it. */
export function asVerified(deposit: DecodedDeposit): VerifiedDeposit {
  // CAST: see above.
  return deposit as VerifiedDeposit
}

export async function plan(
  { wallet }: Scene,
  intent: TransactionRequest,
  reserved = NOBODY,
): Promise<TransactionPlan> {
  const planned = await wallet.port.planTransaction(intent, reserved)
  if ("refused" in planned) throw new Error(JSON.stringify(planned.refused))
  return planned
}

export async function refusalsOf({ wallet }: Scene, intent: TransactionRequest, reserved = NOBODY) {
  const planned = await wallet.port.planTransaction(intent, reserved)
  return "refused" in planned ? planned.refused : []
}

export function initiateOf({ wallet }: Scene, { deposit }: Opened): TransactionRequest {
  return { action: "initiate", asset: wallet.asset, deposit }
}

export function refundOf({ wallet }: Scene, { deposit, swap }: Opened): TransactionRequest {
  return { action: "refund", asset: wallet.asset, deposit, swapId: swap.swapId }
}

/** The approval that the deposit needs, if any, mined. */
export async function approve(scene: Scene, { deposit }: Pick<Opened, "deposit">): Promise<void> {
  const { port, asset } = scene.wallet
  const missing = await port.findMissingApproval(asset, deposit.htlc, deposit.units)
  if (missing === null) return
  expect(missing).toEqual({ setUnits: deposit.units })
  await land(scene, { action: "approve", asset, spender: deposit.htlc, units: missing.setUnits })
}

/** Plans, signs, sends and mines a transaction, and expects success at each step. */
export async function land(
  scene: Scene,
  intent: TransactionRequest,
): Promise<SignedTransaction & { readonly seen: Mined }> {
  const transaction = await scene.wallet.port.signTransaction(await plan(scene, intent))
  await scene.wallet.port.broadcastTransaction(transaction)
  const seen = await untilStatus(scene, transaction, "mined")
  expect(seen).toMatchObject({ ok: true })
  return { ...transaction, seen }
}

export async function deposit(
  scene: Scene,
  opened: Opened,
): Promise<SignedTransaction & { readonly seen: Mined }> {
  await approve(scene, opened)
  return land(scene, initiateOf(scene, opened))
}

export type Mined = Extract<TransactionObservation, { status: "mined" }>
type Status = TransactionObservation["status"]

/** Makes blocks until the transaction has this status. */
export async function untilStatus<S extends Status>(
  { local, wallet }: Scene,
  transaction: SignedTransaction,
  status: S,
): Promise<Extract<TransactionObservation, { status: S }>> {
  for (let blocks = 0; blocks < 40; blocks++) {
    const seen = await wallet.port.observeTransaction(transaction)
    // CAST: just compared.
    if (seen.status === status) return seen as Extract<TransactionObservation, { status: S }>
    await local.advance(1)
  }
  throw new Error(`the transaction never was ${status}`)
}

export async function untilFinal(
  scene: Scene,
  transaction: SignedTransaction,
): Promise<TransactionObservation> {
  for (let blocks = 0; blocks < 40; blocks++) {
    const seen = await scene.wallet.port.observeTransaction(transaction)
    if ((seen.status === "mined" || seen.status === "excluded") && seen.final) return seen
    await scene.local.advance(1)
  }
  throw new Error("the transaction never became final")
}

export async function balances({ wallet }: Scene): Promise<{ units: bigint; nativeUnits: bigint }> {
  const { port, asset, native } = wallet
  const own = await port.fetchBalance(asset, NOBODY)
  const gas = await port.fetchBalance(native, NOBODY)
  return { units: own.units, nativeUnits: gas.units }
}

/** The query that the engine would send for this swap. */
export function queryOf(
  { wallet, local }: Scene,
  swap: LocalSwap,
  change: Partial<LegQuery> = {},
): LegQuery {
  const isAddressed = local.family === "bitcoin" || swap.side === "source"
  const htlc = isAddressed ? (swap.extra["htlc"] ?? swap.extra["program"] ?? swap.swapId) : null
  return legQueryOf(swap, { asset: wallet.asset, htlc, owner: wallet.port.account, ...change })
}

/** The order as it would be read back. A decoder ignores the destination leg. */
export function orderOf(swap: LocalSwap): ServiceOrder {
  const source: ReportedLeg = {
    ...UNTOUCHED_LEG,
    swapId: swap.swapId,
    chain: swap.chain,
    // CAST: the sandbox's own asset id.
    asset: swap.asset as ReportedLeg["asset"],
    initiator: swap.initiator,
    redeemer: swap.redeemer,
    delegate: swap.delegate ?? null,
    timelock: BigInt(swap.timelock),
    units: BigInt(swap.units),
    secretHash: swap.secretHash,
  }
  return {
    orderId: "ab".repeat(32),
    nonce: "1",
    version: "v2",
    source,
    destination: source,
    deadlineMs: null,
    affiliateFees: [],
  }
}
