import {
  type Address,
  encodeFunctionData,
  getAddress,
  type Hex,
  keccak256,
  type PublicClient,
  parseTransaction,
  serializeTransaction,
} from "viem"
import type { Asset, ChainId } from "#domain/asset.ts"
import type { MoveIntent, MovePlan, MovePurpose } from "#domain/move.ts"
import type { Reason } from "#domain/reason.ts"
import { AppError } from "#lib/app-error.ts"
import { present } from "#lib/assert.ts"
import { htlcAbi, tokenAbi, withPrefix } from "./htlc.ts"
import { type EvmRpc, shortMessage } from "./rpc.ts"

export type BuildContext = {
  readonly chain: ChainId
  readonly chainId: number
  readonly account: Address
  readonly assets: readonly Asset[]
  readonly rpc: EvmRpc
  readonly maxFeePerGasUnits: bigint
  readonly maxGasLimit: bigint
}

type Refusal = { readonly refused: readonly Reason[] }
type Fees = { readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint }
type Call = { readonly to: Address; readonly data: Hex; readonly value: bigint; readonly spends: MovePlan["spends"] }
type Draft = Call &
  Fees & {
    readonly purpose: MovePurpose
    readonly attempt: number
    readonly nonce: number
    readonly gas: bigint
    readonly fromHeight: bigint
  }

/** A replacement must raise both fees by a tenth (geth, anvil); an eighth leaves room for rounding. */
const BUMP_NUMERATOR = 1_125n
const GAS_HEADROOM = 1.3
const PLAIN_CALL_GAS = 21_000n

/** Builds the transaction from verified fields. The nonce is the smallest free one, so that a gap fills itself. */
export async function planMove(
  context: BuildContext,
  intent: MoveIntent,
  reserved: ReadonlySet<string>,
): Promise<MovePlan | Refusal> {
  if (intent.purpose === "void") return planVoid(context, intent.voids)
  const call = callOf(context, intent)
  const facts = await context.rpc.read(async (client) => {
    const [height, used, balance] = await Promise.all([
      client.getBlockNumber(),
      client.getTransactionCount({ address: context.account, blockTag: "latest" }),
      client.getBalance({ address: context.account }),
    ])
    return { height, used, balance }
  })
  const short = await findShortfall(context, intent, call, facts.balance)
  if (short.length > 0) return { refused: short }
  const gas = await estimateGas(context, call, gasClaimOf(intent))
  if ("refused" in gas) return gas
  const fees = await readFees(context)
  if ("refused" in fees) return fees
  const needUnits = gas.units * fees.maxFeePerGas + call.value
  if (facts.balance < needUnits)
    return { refused: [shortOf("funds.gas", "The account cannot pay the network fee", facts.balance, needUnits)] }
  const nonce = freeNonce(facts.used, reserved)
  return toPlan(context, {
    ...call,
    ...fees,
    purpose: intent.purpose,
    attempt: 0,
    nonce,
    gas: gas.units,
    fromHeight: facts.height,
  })
}

/** The same nonce at a higher fee: the two exclude each other. `null` when the cap is reached. */
export async function planBump(context: BuildContext, plan: MovePlan): Promise<MovePlan | null> {
  const draft = await raised(context, plan)
  return draft === null ? null : toPlan(context, { ...draft, purpose: plan.purpose, attempt: plan.attempt + 1 })
}

async function planVoid(context: BuildContext, voids: MovePlan): Promise<MovePlan | Refusal> {
  const draft = await raised(context, voids)
  if (draft === null)
    return {
      refused: [{ code: "fees.above_cap", message: "Voiding the nonce would need a fee above max_fee_per_gas" }],
    }
  const gas = await context.rpc.read((client) =>
    client.estimateGas({ account: context.account, to: context.account, value: 0n }),
  )
  const empty = { to: context.account, data: "0x", value: 0n, spends: [] } as const
  return toPlan(context, {
    ...draft,
    ...empty,
    purpose: "void",
    attempt: 0,
    gas: gas > PLAIN_CALL_GAS ? gas : PLAIN_CALL_GAS,
  })
}

async function raised(context: BuildContext, plan: MovePlan): Promise<Draft | null> {
  // CAST: our own serialisation.
  const tx = parseTransaction(plan.unsigned as Hex)
  const market = await readFees(context)
  const floor = { fee: bump(tx.maxFeePerGas ?? 0n), tip: bump(tx.maxPriorityFeePerGas ?? 0n) }
  const current = "refused" in market ? { maxFeePerGas: 0n, maxPriorityFeePerGas: 0n } : market
  const maxFeePerGas = max(floor.fee, current.maxFeePerGas)
  const maxPriorityFeePerGas = max(floor.tip, current.maxPriorityFeePerGas)
  if (max(maxFeePerGas, maxPriorityFeePerGas) > context.maxFeePerGasUnits) return null
  const { purpose, attempt, fromHeight, spends } = plan
  const call = { to: present(tx.to, "the recipient"), data: tx.data ?? "0x", value: tx.value ?? 0n, spends }
  return {
    ...call,
    purpose,
    attempt,
    fromHeight,
    maxFeePerGas: max(maxFeePerGas, maxPriorityFeePerGas),
    maxPriorityFeePerGas,
    nonce: tx.nonce ?? 0,
    gas: tx.gas ?? 0n,
  }
}

function callOf(context: BuildContext, intent: Exclude<MoveIntent, { purpose: "void" }>): Call {
  const asset = assetOf(context, intent.asset)
  switch (intent.purpose) {
    case "approve": {
      if (asset.token === null || !asset.htlc.some((address) => isSame(address, intent.spender)))
        throw foreign(intent.spender)
      const data = encodeFunctionData({
        abi: tokenAbi,
        functionName: "approve",
        args: [getAddress(intent.spender), intent.units],
      })
      return { to: getAddress(asset.token), data, value: 0n, spends: [] }
    }
    case "initiate": {
      const { htlc, redeemer, timelock, units, secretHash } = intent.deposit
      if (!asset.htlc.some((address) => isSame(address, htlc))) throw foreign(htlc)
      const data = encodeFunctionData({
        abi: htlcAbi,
        functionName: "initiate",
        args: [getAddress(redeemer), timelock, units, withPrefix(secretHash)],
      })
      return {
        to: getAddress(htlc),
        data,
        value: asset.token === null ? units : 0n,
        spends: [{ asset: asset.id, units }],
      }
    }
    case "refund": {
      if (!asset.htlc.some((address) => isSame(address, intent.deposit.htlc))) throw foreign(intent.deposit.htlc)
      const data = encodeFunctionData({ abi: htlcAbi, functionName: "refund", args: [withPrefix(intent.swapId)] })
      return { to: getAddress(intent.deposit.htlc), data, value: 0n, spends: [] }
    }
  }
}

async function findShortfall(
  context: BuildContext,
  intent: MoveIntent,
  call: Call,
  nativeUnits: bigint,
): Promise<Reason[]> {
  if (intent.purpose !== "initiate") return []
  const asset = assetOf(context, intent.asset)
  const haveUnits = asset.token === null ? nativeUnits : await readTokenBalance(context, asset.token)
  const needUnits = call.spends[0]?.units ?? 0n
  return haveUnits < needUnits
    ? [shortOf("funds.insufficient", "The account cannot pay the deposit", haveUnits, needUnits)]
    : []
}

function readTokenBalance({ rpc, account }: BuildContext, token: string): Promise<bigint> {
  return rpc.read((client) =>
    client.readContract({ address: getAddress(token), abi: tokenAbi, functionName: "balanceOf", args: [account] }),
  )
}

/** Our estimate with headroom, or the service's limit where that lies between estimate and cap. */
async function estimateGas(context: BuildContext, call: Call, claimed: bigint): Promise<{ units: bigint } | Refusal> {
  const estimate = await context.rpc.read(async (client) => {
    try {
      return await client.estimateGas({ account: context.account, to: call.to, data: call.data, value: call.value })
    } catch (error) {
      if (isRevert(error))
        return {
          refused: [
            {
              code: "evm.simulation_reverted",
              message: `The node says that the transaction would fail: ${shortMessage(error)}`,
            },
          ],
        }
      throw error
    }
  })
  if (typeof estimate !== "bigint") return estimate
  if (estimate > context.maxGasLimit) {
    return {
      refused: [
        shortOf(
          "evm.gas_limit",
          "The transaction needs more gas than may be signed for",
          context.maxGasLimit,
          estimate,
        ),
      ],
    }
  }
  const ours = BigInt(Math.ceil(Number(estimate) * GAS_HEADROOM))
  const wanted = claimed > ours ? claimed : ours
  return { units: wanted <= context.maxGasLimit ? wanted : min(ours, context.maxGasLimit) }
}

function isRevert(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return (
    /revert|execution|insufficient funds|exceeds balance|invalid opcode|out of gas/i.test(
      `${error.message} ${shortMessage(error)}`,
    ) && !/timed? ?out|fetch failed|HTTP request failed/i.test(error.message)
  )
}

/** Twice the base fee holds for six full blocks (EIP-1559). */
export async function readFees(context: Pick<BuildContext, "rpc" | "maxFeePerGasUnits">): Promise<Fees | Refusal> {
  const { base, tip } = await context.rpc.read(readMarket)
  const cap = context.maxFeePerGasUnits
  if (base + tip > cap)
    return { refused: [shortOf("fees.above_cap", "Gas is dearer than max_fee_per_gas allows", cap, base + tip)] }
  return { maxFeePerGas: min(base * 2n + tip, cap), maxPriorityFeePerGas: tip }
}

async function readMarket(client: PublicClient): Promise<{ base: bigint; tip: bigint }> {
  const block = await client.getBlock({ blockTag: "latest" })
  try {
    return { base: block.baseFeePerGas ?? 0n, tip: await client.estimateMaxPriorityFeePerGas() }
  } catch {
    // Not every node knows eth_maxPriorityFeePerGas; a gwei is what wallets fall back to.
    return { base: block.baseFeePerGas ?? 0n, tip: 1_000_000_000n }
  }
}

function toPlan(context: BuildContext, draft: Draft): MovePlan {
  const { to, data, value, nonce, gas, maxFeePerGas, maxPriorityFeePerGas } = draft
  const unsigned = serializeTransaction({
    type: "eip1559",
    chainId: context.chainId,
    to,
    data,
    value,
    nonce,
    gas,
    maxFeePerGas,
    maxPriorityFeePerGas,
  })
  return {
    chain: context.chain,
    account: context.account,
    purpose: draft.purpose,
    attempt: draft.attempt,
    unsigned,
    digest: keccak256(unsigned),
    claims: [`nonce:${nonce}`],
    spends: draft.spends,
    maxFeeUnits: gas * maxFeePerGas,
    fromHeight: draft.fromHeight,
    expiresAtHeight: null,
  }
}

function gasClaimOf(intent: MoveIntent): bigint {
  if (intent.purpose !== "initiate") return 0n
  const claimed = intent.deposit.extras["gasLimitClaim"]
  return typeof claimed === "string" ? BigInt(claimed) : 0n
}

function freeNonce(used: number, reserved: ReadonlySet<string>): number {
  let nonce = used
  while (reserved.has(`nonce:${nonce}`)) nonce++
  return nonce
}

export function assetOf({ assets, chain }: Pick<BuildContext, "assets" | "chain">, id: string): Asset {
  const asset = assets.find((candidate) => candidate.id === id)
  if (asset) return asset
  throw new AppError({
    code: "evm.unknown_asset",
    disposition: "refused",
    message: `${id} is not a configured asset of ${chain}`,
    details: { asset: id },
  })
}

function foreign(address: string): AppError {
  return new AppError({
    code: "evm.foreign_contract",
    disposition: "refused",
    message: `${address} is not a configured HTLC; nothing is planned for it`,
    details: { address },
  })
}

function shortOf(code: string, message: string, haveUnits: bigint, needUnits: bigint): Reason {
  return {
    code,
    message: `${message} (${haveUnits} of ${needUnits})`,
    haveUnits: haveUnits.toString(),
    needUnits: needUnits.toString(),
  }
}

function bump(fee: bigint): bigint {
  return (fee * BUMP_NUMERATOR + 999n) / 1_000n + 1n
}

function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}
