import type { Reason } from "#domain/reason.ts"
import type { TransactionPlan, TransactionRequest } from "#domain/transaction.ts"
import { callOf } from "./decode.ts"
import { aboveCap, estimateBounds, unsignedOf } from "./estimate.ts"
import { splitU256 } from "./felt.ts"
import { type Call, encodeInitiate, initiateSelector, SELECTORS } from "./htlc.ts"
import { type Bounds, formatInvoke, hashInvoke, maxFeeOf, parseInvoke, scalePrices } from "./invoke.ts"
import { fetchAllowance, fetchBlockNumber, fetchNonce, fetchTokenBalance } from "./read-chain.ts"
import { findRefundIds } from "./refund-ids.ts"
import { RPC_CODES, rpcCodeOf } from "./rpc.ts"
import { requireAddress, requireAsset, STRK_TOKEN, tokenOf, type Wallet } from "./wallet.ts"

type Refused = { readonly refused: readonly Reason[] }

/**
 * An `initiate` carries its own exact approval in the same multicall if the allowance is short, so an on-chain deposit needs no earlier
 * approval. A gasless deposit does.
 */
export const approvalInDeposit = true

/** Builds the unsigned invoke for an intent. See `ChainPort.planTransaction`; further refusals: `starknet.would_revert`, `starknet.account_not_deployed`. */
export async function planStarknetTransaction(
  wallet: Wallet,
  intent: TransactionRequest,
  reserved: ReadonlySet<string>,
): Promise<TransactionPlan | Refused> {
  const chainNonce = await findNonce(wallet)
  if (typeof chainNonce !== "bigint") return chainNonce
  const fromHeight = await fetchBlockNumber(wallet.rpc)
  if (intent.action === "void") return planVoid(wallet, intent.voids, chainNonce, fromHeight)
  const built = await buildCalls(wallet, intent, chainNonce)
  if ("refused" in built) {
    // A token that cannot pay only reports a revert; the balances give the reason.
    const short = await findShortages(wallet, intent, 0n)
    return short.length > 0 ? { refused: short } : built
  }
  const refused = [aboveCap(wallet, built.bounds), ...(await findShortages(wallet, intent, maxFeeOf(built.bounds)))]
  const reasons = refused.filter((reason) => reason !== null)
  if (reasons.length > 0) return { refused: reasons }
  const nonce = firstFree(chainNonce, reserved)
  const spends = intent.action === "initiate" ? [{ asset: intent.asset, units: intent.deposit.units }] : []
  const unsigned = unsignedOf(wallet, built.calls, nonce, built.bounds)
  return toPlan(wallet, { action: intent.action, attempt: 0, spends, fromHeight }, unsigned)
}

/**
 * The same nonce and calls with prices 15 % higher. The sequencer's mempool replaces a waiting transaction when tip and L2 gas price rise by 10 %
 * (apollo mempool, `fee_escalation_percentage`; the refusal has code 64), and 10 % of our tip 0 is 0. `null` above the cap.
 */
export function bumpStarknetTransaction(wallet: Wallet, plan: TransactionPlan): TransactionPlan | null {
  const old = parseInvoke(plan.unsigned)
  const bounds = scalePrices(old.bounds, BUMP_PERCENT)
  if (aboveCap(wallet, bounds)) return null
  const { action, attempt, spends, fromHeight } = plan
  return toPlan(wallet, { action, attempt: attempt + 1, spends, fromHeight }, { ...old, bounds })
}

const BUMP_PERCENT = 115n

function toPlan(
  wallet: Wallet,
  parts: Pick<TransactionPlan, "action" | "attempt" | "spends" | "fromHeight">,
  unsigned: ReturnType<typeof unsignedOf>,
): TransactionPlan {
  return {
    ...parts,
    chain: wallet.chain,
    account: wallet.account,
    unsigned: formatInvoke(unsigned),
    digest: hashInvoke(unsigned),
    resources: [`nonce:${BigInt(unsigned.nonce)}`],
    maxFeeUnits: maxFeeOf(unsigned.bounds),
    // A dropped transaction stays valid as long as its nonce is free.
    expiresAtHeight: null,
  }
}

async function findNonce(wallet: Wallet): Promise<bigint | Refused> {
  try {
    return await fetchNonce(wallet.rpc, wallet.accountFelt)
  } catch (error) {
    if (rpcCodeOf(error) !== RPC_CODES.contractNotFound) throw error
    const message = "the account contract is not deployed; deploy it with its wallet before funds are sent through it"
    return { refused: [{ code: "starknet.account_not_deployed", message, account: wallet.account }] }
  }
}

function firstFree(chainNonce: bigint, reserved: ReadonlySet<string>): bigint {
  let nonce = chainNonce
  while (reserved.has(`nonce:${nonce}`)) nonce += 1n
  return nonce
}

type Built = { readonly calls: readonly Call[]; readonly bounds: Bounds }
type Paid = Exclude<TransactionRequest, { action: "void" }>

async function buildCalls(wallet: Wallet, intent: Paid, nonce: bigint): Promise<Built | Refused> {
  switch (intent.action) {
    case "approve": {
      const token = tokenOf(requireAsset(wallet, intent.asset))
      return estimated(wallet, [approveCall(token, requireAddress(intent.spender), intent.units)], nonce)
    }
    case "initiate":
      return estimated(wallet, await buildInitiate(wallet, intent), nonce)
    case "refund":
      return buildRefund(wallet, intent, nonce)
  }
}

async function estimated(wallet: Wallet, calls: readonly Call[], nonce: bigint): Promise<Built | Refused> {
  const bounds = await estimateBounds(wallet, calls, nonce)
  return "refused" in bounds ? bounds : { calls, bounds }
}

async function buildInitiate(wallet: Wallet, intent: Extract<Paid, { action: "initiate" }>): Promise<readonly Call[]> {
  const { deposit } = intent
  const token = tokenOf(requireAsset(wallet, intent.asset))
  const htlc = requireAddress(deposit.htlc)
  const allowed = await fetchAllowance(wallet.rpc, token, wallet.accountFelt, htlc)
  const call = callOf(deposit)
  // A contract of the other layout cannot read these felts, so the estimate reverts and nothing is signed.
  const initiate = { to: htlc, selector: initiateSelector(call), calldata: encodeInitiate(call) }
  return allowed < deposit.units ? [approveCall(token, htlc, deposit.units), initiate] : [initiate]
}

/** Refunds the order that the chain shows as this deposit's. The contract pays the initiator, no matter which account sends the refund. */
async function buildRefund(
  wallet: Wallet,
  { deposit, swapId }: Extract<Paid, { action: "refund" }>,
  nonce: bigint,
): Promise<Built | Refused> {
  const ids = await findRefundIds(wallet, deposit, swapId)
  let refused: readonly Reason[] = [
    {
      code: "starknet.swap_id",
      message:
        "no order of this contract is this deposit; if the deposit is on chain, its order id is in the Initiated event",
      swapId,
      htlc: deposit.htlc,
    },
  ]
  for (const id of ids) {
    const call = { to: requireAddress(deposit.htlc), selector: SELECTORS.refund, calldata: [id] }
    const built = await estimated(wallet, [call], nonce)
    if (!("refused" in built)) return built
    refused = built.refused
  }
  return { refused }
}

function approveCall(token: bigint, spender: bigint, units: bigint): Call {
  return { to: token, selector: SELECTORS.approve, calldata: [spender, ...splitU256(units)] }
}

/** The account must hold both the spent amount and the highest possible fee; STRK may have to pay for both. */
async function findShortages(wallet: Wallet, intent: Paid, feeUnits: bigint): Promise<readonly Reason[]> {
  const spent = intent.action === "initiate" ? intent.deposit.units : 0n
  const token = tokenOf(requireAsset(wallet, intent.asset))
  const needs = new Map([[STRK_TOKEN, feeUnits]])
  needs.set(token, (needs.get(token) ?? 0n) + spent)
  const reasons = [...needs].map(async ([needed, units]) => {
    const held = await fetchTokenBalance(wallet.rpc, needed, wallet.accountFelt)
    return held >= units ? null : insufficient(needed === token ? intent.asset : "STRK for fees", units, held)
  })
  return (await Promise.all(reasons)).filter((reason) => reason !== null)
}

function insufficient(what: string, needUnits: bigint, haveUnits: bigint): Reason {
  return {
    code: "funds.insufficient",
    message: `the account holds too little ${what}; top it up`,
    asset: what,
    needUnits: needUnits.toString(),
    haveUnits: haveUnits.toString(),
  }
}

/**
 * Uses up the nonce of another transaction with a multicall of no calls, which changes only nonce and fee. Its prices outbid that
 * transaction's, in case it waits in a mempool.
 */
async function planVoid(
  wallet: Wallet,
  voids: TransactionPlan,
  chainNonce: bigint,
  fromHeight: bigint,
): Promise<TransactionPlan | Refused> {
  const rival = parseInvoke(voids.unsigned)
  const bounds = await estimateBounds(wallet, [], chainNonce)
  if ("refused" in bounds) return bounds
  const outbidding = highest(bounds, scalePrices(rival.bounds, BUMP_PERCENT))
  const refused = aboveCap(wallet, outbidding)
  if (refused) return { refused: [refused] }
  const unsigned = unsignedOf(wallet, [], BigInt(rival.nonce), outbidding)
  return toPlan(wallet, { action: "void", attempt: voids.attempt + 1, spends: [], fromHeight }, unsigned)
}

/** The amounts of the first bounds, with the higher of both prices each. */
function highest(own: Bounds, rival: Bounds): Bounds {
  const pick = (a: Bounds["l2Gas"], b: Bounds["l2Gas"]) =>
    BigInt(a.price) >= BigInt(b.price) ? a : { ...a, price: b.price }
  return {
    l1Gas: pick(own.l1Gas, rival.l1Gas),
    l2Gas: pick(own.l2Gas, rival.l2Gas),
    l1DataGas: pick(own.l1DataGas, rival.l1DataGas),
  }
}
