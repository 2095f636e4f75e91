import { encodeFunctionData, type Hex } from "viem"
import type { AssetId } from "#domain/asset.ts"
import type { MoveIntent, MovePlan } from "#domain/move.ts"
import type { Reason } from "#domain/reason.ts"
import { AppError } from "#lib/app-error.ts"
import { type Call, estimateGas } from "./estimate-gas.ts"
import { aboveCap, decideFees, type Fees, fetchMarket, type Market, outbid } from "./fees.ts"
import { deriveOrderIds, encodeInitiate, htlcAbi, termsOf, tokenAbi } from "./htlc.ts"
import type { Client, Rpc } from "./rpc.ts"
import { parseUnsigned, toPlan } from "./unsigned.ts"
import { holdsHtlc, readBytes32, requireAddress, requireAsset, sameAddress, tokenOf, type Wallet } from "./wallet.ts"

type Refused = { readonly refused: readonly Reason[] }

/**
 * Builds the unsigned transaction from the decoded fields; nothing of the service's own transaction is taken over but a gas limit
 * between our estimate and the cap. See `ChainPort.planMove`. Refusals: `funds.insufficient`, `funds.gas`, `fees.above_cap`,
 * `fees.gas_above_cap`, `evm.simulation_reverted`. Throws `evm.htlc_unknown` and `evm.foreign_deposit` (refused).
 */
export async function planMove(
  wallet: Wallet,
  rpc: Rpc,
  intent: MoveIntent,
  reserved: ReadonlySet<string>,
): Promise<MovePlan | Refused> {
  if (intent.purpose === "void") return planVoid(wallet, rpc, intent.voids)
  const spend = spendOf(intent)
  const calls = buildCalls(wallet, intent)
  const token = tokenOf(requireAsset(wallet, intent.asset))
  const state = await rpc.read((client) => fetchState(client, wallet, token))
  const held = token === null ? state.nativeUnits : state.tokenUnits
  const refused = [aboveCap(state.market, wallet), shortage("funds.insufficient", intent.asset, held, spend)]
  const reasons = refused.filter((reason) => reason !== null)
  if (reasons.length > 0) return { refused: reasons }
  const found = await chooseCall(wallet, rpc, calls)
  if ("refused" in found) return found
  const gas = decideGas(found.gas, wallet, claimedGas(intent))
  if (typeof gas !== "bigint") return gas
  const fees = decideFees(state.market, wallet.maxFeePerGasUnits)
  const gasShort = shortage(
    "funds.gas",
    "the native asset for gas",
    state.nativeUnits,
    found.call.value + gas * fees.maxFeePerGas,
  )
  if (gasShort !== null) return { refused: [gasShort] }
  const nonce = firstFree(state.nonce, reserved)
  const spends = spend === 0n ? [] : [{ asset: intent.asset, units: spend }]
  const facts = { purpose: intent.purpose, attempt: 0, spends, fromHeight: state.height }
  return toPlan(wallet, facts, { chainId: wallet.chainId, nonce, ...found.call, gas, ...fees })
}

/** The same nonce and call with both fees an eighth higher and at least the market's; `null` above the cap. */
export async function planBump(wallet: Wallet, rpc: Rpc, plan: MovePlan): Promise<MovePlan | null> {
  const old = parseUnsigned(plan)
  const market = await rpc.read(fetchMarket)
  const fees = outbid(old, decideFees(market, wallet.maxFeePerGasUnits))
  if (aboveCap(market, wallet) !== null || fees.maxFeePerGas > wallet.maxFeePerGasUnits) return null
  const { purpose, attempt, spends, fromHeight } = plan
  return toPlan(wallet, { purpose, attempt: attempt + 1, spends, fromHeight }, { ...old, ...sane(fees) })
}

/**
 * An empty call to ourselves with the nonce of another move. It outbids the other as far as the cap allows: at the cap it can still
 * win where the other never reached the node's pool.
 */
async function planVoid(wallet: Wallet, rpc: Rpc, voids: MovePlan): Promise<MovePlan | Refused> {
  const rival = parseUnsigned(voids)
  const state = await rpc.read((client) => fetchState(client, wallet, null))
  const high = aboveCap(state.market, wallet)
  if (high !== null) return { refused: [high] }
  const call: Call = { to: wallet.account, value: 0n, data: "0x" }
  const found = await chooseCall(wallet, rpc, [call])
  if ("refused" in found) return found
  // Some rollups charge more than the protocol's 21 000 for a plain transfer, and then the figure moves.
  const gas = found.gas === PLAIN_TRANSFER_GAS ? found.gas : decideGas(found.gas, wallet, null)
  if (typeof gas !== "bigint") return gas
  const cap = wallet.maxFeePerGasUnits
  const wanted = outbid(rival, decideFees(state.market, cap))
  const fees = sane({ ...wanted, maxFeePerGas: wanted.maxFeePerGas > cap ? cap : wanted.maxFeePerGas })
  const short = shortage("funds.gas", "the native asset for gas", state.nativeUnits, gas * fees.maxFeePerGas)
  if (short !== null) return { refused: [short] }
  const facts = { purpose: "void", attempt: 0, spends: [], fromHeight: state.height } as const
  return toPlan(wallet, facts, { chainId: wallet.chainId, nonce: rival.nonce, ...call, gas, ...fees })
}

const PLAIN_TRANSFER_GAS = 21_000n

/** A tip above the whole price is refused by every node. */
function sane({ maxFeePerGas, maxPriorityFeePerGas }: Fees): Fees {
  return {
    maxFeePerGas,
    maxPriorityFeePerGas: maxPriorityFeePerGas > maxFeePerGas ? maxFeePerGas : maxPriorityFeePerGas,
  }
}

type Paid = Exclude<MoveIntent, { purpose: "void" }>
type Initiate = Extract<MoveIntent, { purpose: "initiate" }>
type Refund = Extract<MoveIntent, { purpose: "refund" }>

/** What each purpose may call; of several the first that does not revert is taken. */
function buildCalls(wallet: Wallet, intent: Paid): readonly Call[] {
  switch (intent.purpose) {
    case "approve":
      return [buildApprove(wallet, intent.asset, intent.spender, intent.units)]
    case "initiate":
      return [buildInitiate(wallet, intent)]
    case "refund":
      return buildRefunds(wallet, intent)
  }
}

function buildApprove(wallet: Wallet, assetId: AssetId, spender: string, units: bigint): Call {
  const htlc = requireHtlc(wallet, assetId, spender)
  const to = tokenOf(requireAsset(wallet, assetId))
  if (to === null) throw foreign("a native asset knows no approvals", assetId)
  return { to, value: 0n, data: encodeFunctionData({ abi: tokenAbi, functionName: "approve", args: [htlc, units] }) }
}

function buildInitiate(wallet: Wallet, { asset, deposit }: Initiate): Call {
  const to = requireHtlc(wallet, asset, deposit.htlc)
  const ours = deposit.chain === wallet.chain && sameAddress(deposit.refundTo, wallet.account)
  if (!ours) throw foreign("the deposit is another wallet's", deposit.refundTo)
  const value = tokenOf(requireAsset(wallet, asset)) === null ? deposit.units : 0n
  return { to, value, data: encodeInitiate(termsOf(deposit)) }
}

/**
 * The service's swap id is a claim: an id that our own terms give goes first. Whoever sends the refund, the contract pays the
 * initiator.
 */
function buildRefunds(wallet: Wallet, { asset, deposit, swapId }: Refund): readonly Call[] {
  const to = requireHtlc(wallet, asset, deposit.htlc)
  const derived = Object.values(deriveOrderIds(wallet.chainId, to, wallet.account, termsOf(deposit)))
  const claimed = readBytes32(swapId)
  const ids = [...derived.filter((id) => id === claimed), ...derived, ...(claimed === null ? [] : [claimed])]
  const encode = (id: Hex): Hex => encodeFunctionData({ abi: htlcAbi, functionName: "refund", args: [id] })
  return [...new Set(ids)].map((id) => ({ to, value: 0n, data: encode(id) }))
}

function requireHtlc(wallet: Wallet, assetId: AssetId, htlc: string): Hex {
  if (holdsHtlc(requireAsset(wallet, assetId), htlc)) return requireAddress(htlc)
  throw new AppError({
    code: "evm.htlc_unknown",
    disposition: "refused",
    message: `${htlc} is not a configured HTLC of ${assetId}; nothing is approved for or sent to it`,
    details: { htlc, asset: assetId },
  })
}

function foreign(problem: string, found: string): AppError {
  return new AppError({
    code: "evm.foreign_deposit",
    disposition: "refused",
    message: `Not planned: ${problem}. Look at the order in the journal`,
    details: { found },
  })
}

function spendOf(intent: Paid): bigint {
  return intent.purpose === "initiate" ? intent.deposit.units : 0n
}

type Estimated = { readonly call: Call; readonly gas: bigint }

async function chooseCall(wallet: Wallet, rpc: Rpc, calls: readonly Call[]): Promise<Estimated | Refused> {
  let reason = ""
  for (const call of calls) {
    const outcome = await estimateGas(rpc, wallet.account, call)
    if (typeof outcome === "bigint") return { call, gas: outcome }
    // The first call is the likeliest, so its reason is the one worth telling.
    reason ||= outcome.reverted
  }
  const message = `The node's dry run reverts (${reason}); nothing was signed`
  return { refused: [{ code: "evm.simulation_reverted", message, reason }] }
}

/** 30 % above the estimate, because state may change before it is mined. */
function decideGas(estimate: bigint, { maxGasLimit }: Wallet, claimed: bigint | null): bigint | Refused {
  if (estimate > maxGasLimit) {
    const message = "The transaction needs more gas than the configured limit; nothing was signed"
    const numbers = { needGas: estimate.toString(), capGas: maxGasLimit.toString() }
    return { refused: [{ code: "fees.gas_above_cap", message, ...numbers }] }
  }
  const padded = (estimate * 13n + 9n) / 10n
  if (claimed !== null && claimed > padded && claimed <= maxGasLimit) return claimed
  return padded > maxGasLimit ? maxGasLimit : padded
}

function claimedGas(intent: Paid): bigint | null {
  const claimed = intent.purpose === "initiate" ? intent.deposit.extras["gasLimitClaim"] : null
  return typeof claimed === "string" && /^\d{1,20}$/.test(claimed) ? BigInt(claimed) : null
}

type State = {
  readonly nonce: number
  readonly height: bigint
  readonly market: Market
  readonly nativeUnits: bigint
  /** Of the intent's token; zero stands for "has none" and is not read then. */
  readonly tokenUnits: bigint
}

async function fetchState(client: Client, { account }: Wallet, token: Hex | null): Promise<State> {
  const readToken = async (address: Hex): Promise<bigint> =>
    client.readContract({ address, abi: tokenAbi, functionName: "balanceOf", args: [account] })
  const [nonce, height, market, nativeUnits, tokenUnits] = await Promise.all([
    client.getTransactionCount({ address: account, blockTag: "latest" }),
    client.getBlockNumber(),
    fetchMarket(client),
    client.getBalance({ address: account }),
    token === null ? 0n : readToken(token),
  ])
  return { nonce, height, market, nativeUnits, tokenUnits }
}

function firstFree(chainNonce: number, reserved: ReadonlySet<string>): number {
  let nonce = chainNonce
  while (reserved.has(`nonce:${nonce}`)) nonce += 1
  return nonce
}

function shortage(code: string, what: string, haveUnits: bigint, needUnits: bigint): Reason | null {
  if (haveUnits >= needUnits) return null
  const numbers = { haveUnits: haveUnits.toString(), needUnits: needUnits.toString() }
  return { code, message: `The account holds too little ${what}; top it up`, what, ...numbers }
}
