import { min } from "#domain/amount.ts"
import { countCalls } from "./account.ts"
import { type Contract, type Frame, readCalldata } from "./contract.ts"
import { balanceUnits, transferEvent, transferUnits } from "./erc20.ts"
import { formatFelt, selectorOf } from "./felt.ts"
import { type Invoke, maxFeeOf } from "./invoke.ts"
import { require, revertReason } from "./revert.ts"
import { layerOver, type Storage } from "./storage.ts"

export type ExecutionEnvironment = {
  readonly contracts: ReadonlyMap<bigint, Contract>
  readonly chainId: bigint
  readonly feeToken: bigint
  readonly sequencer: bigint
}

type ChainEvent = {
  readonly from: bigint
  readonly keys: readonly bigint[]
  readonly data: readonly bigint[]
}

type Resources = { readonly l1Gas: bigint; readonly l2Gas: bigint; readonly l1DataGas: bigint }

export type ExecutionResult = {
  /** `null` if the transaction succeeded. */
  readonly revertReason: string | null
  readonly events: readonly ChainEvent[]
  readonly resources: Resources
  readonly feeUnits: bigint
}

/** Constant prices in fri, because a local chain has no fee market. */
export const GAS_PRICES = {
  l1Gas: 40_000_000_000_000n,
  l2Gas: 8_000_000_000n,
  l1DataGas: 60_000_000n,
} as const

/**
 * Executes one invoke on `storage`. All calls succeed or all are reverted; calls that leave less
 * than the fee behind are reverted too. With `charge` it then charges the exact fee, also after a
 * revert. The caller of this function handles the nonce.
 */
export function executeInvoke(
  environment: ExecutionEnvironment,
  storage: Storage,
  invoke: Invoke,
  options: { blockNumber: number; charge: boolean },
): ExecutionResult {
  const resources = meter(invoke)
  const feeUnits = min(feeFor(resources), maxFeeOf(invoke))
  const layer = layerOver(storage)
  const events: ChainEvent[] = []
  let reason: string | null = null
  try {
    if (options.charge) requireBounds(invoke, resources)
    const root = { ...environment, storage: layer, blockNumber: options.blockNumber, events }
    callContract(root, 0n, invoke.sender, selectorOf("__execute__"), invoke.calldata)
    if (options.charge) requireFee(environment, layer, invoke.sender, feeUnits)
    layer.commit()
  } catch (error) {
    reason = revertReason(error)
    events.length = 0
  }
  if (options.charge) {
    transferUnits(storage, environment.feeToken, invoke.sender, environment.sequencer, feeUnits)
    events.push({
      from: environment.feeToken,
      ...transferEvent(invoke.sender, environment.sequencer, feeUnits),
    })
  }
  return { revertReason: reason, events, resources, feeUnits }
}

/**
 * Executes one call outside of a transaction, as `starknet_call` does. Throws `starknet.reverted`.
 */
export function callView(
  environment: ExecutionEnvironment,
  storage: Storage,
  blockNumber: number,
  call: ViewCall,
): readonly bigint[] {
  const root = { ...environment, storage: layerOver(storage), blockNumber, events: [] }
  return callContract(root, 0n, call.to, call.selector, call.calldata)
}

export type ViewCall = {
  readonly to: bigint
  readonly selector: bigint
  readonly calldata: readonly bigint[]
}

/**
 * The gas of an invoke: a base for validation and fee transfer, and an amount for each call. The
 * figures differ from those of the real chain, but the estimate contains them, the transaction
 * bounds them, and the devnet charges them.
 */
function meter(invoke: Invoke): Resources {
  const calls = BigInt(countCalls(invoke.calldata))
  return { l1Gas: 0n, l2Gas: 1_000_000n + 600_000n * calls, l1DataGas: 128n + 192n * calls }
}

export function feeFor({ l1Gas, l2Gas, l1DataGas }: Resources): bigint {
  return l1Gas * GAS_PRICES.l1Gas + l2Gas * GAS_PRICES.l2Gas + l1DataGas * GAS_PRICES.l1DataGas
}

type Root = ExecutionEnvironment & {
  readonly storage: Storage
  readonly blockNumber: number
  readonly events: ChainEvent[]
}

function callContract(
  root: Root,
  caller: bigint,
  to: bigint,
  selector: bigint,
  calldata: readonly bigint[],
): readonly bigint[] {
  const contract = root.contracts.get(to)
  require(contract !== undefined, `Requested contract address ${formatFelt(to)} is not deployed`)
  const run = contract.entryPoints.get(selector)
  require(run !==
    undefined, `ENTRYPOINT_NOT_FOUND: ${formatFelt(selector)} in contract ${formatFelt(to)}`)
  const frame: Frame = {
    self: to,
    caller,
    storage: root.storage,
    chainId: root.chainId,
    blockNumber: root.blockNumber,
    emit: (keys, data) => void root.events.push({ from: to, keys, data }),
    call: (next, name, input) => callContract(root, to, next, name, input),
  }
  return run(frame, readCalldata(calldata))
}

function requireBounds({ bounds }: Invoke, resources: Resources): void {
  require(bounds.l2Gas.amount >= resources.l2Gas, "Insufficient max L2Gas")
  require(bounds.l1DataGas.amount >= resources.l1DataGas, "Insufficient max L1DataGas")
}

function requireFee(
  environment: ExecutionEnvironment,
  storage: Storage,
  sender: bigint,
  feeUnits: bigint,
): void {
  require(balanceUnits(storage, environment.feeToken, sender) >=
    feeUnits, "Insufficient fee token balance after execution")
}
