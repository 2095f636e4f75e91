import type { RPC } from "starknet"
import { z } from "zod"
import { AppError } from "#lib/app-error.ts"
import type { Contract } from "./contract.ts"
import {
  blockHash,
  callDevnet,
  type Devnet,
  devnetAt,
  heightOf,
  type Mined,
  nonceAt,
} from "./devnet.ts"
import { type ExecutionResult, feeFor, GAS_PRICES } from "./execute.ts"
import { formatFelt, parseFelt } from "./felt.ts"
import { pageEvents } from "./page-events.ts"
import { rpcError } from "./rpc-error.ts"
import {
  blockParam,
  feltParam,
  findBlock,
  findTransaction,
  transactionsParam,
} from "./rpc-params.ts"
import { layerOver } from "./storage.ts"
import { simulateInvoke, submitInvoke } from "./submit-invoke.ts"

type Published = RPC.RPCSPEC09.Methods

/**
 * The methods of the devnet. The types of their results are those of the published specification,
 * so the compiler checks each one.
 */
type Methods = { readonly [Name in Implemented]: (params: Params) => Published[Name]["result"] }

/** Parameters by name. `PARAMETER_NAMES` names the positional ones. */
export type Params = Readonly<Record<string, unknown>>

export function createMethods(devnet: Devnet): Methods {
  return {
    starknet_specVersion: () => "0.9.0",
    starknet_chainId: () => formatFelt(devnet.environment.chainId),
    starknet_syncing: () => false,
    starknet_blockNumber: () => heightOf(devnet),
    starknet_blockHashAndNumber: () => ({
      block_number: heightOf(devnet),
      block_hash: blockHash(devnet, heightOf(devnet)),
    }),
    starknet_getNonce: (params) => readNonce(devnet, params),
    starknet_getClassHashAt: (params) => formatFelt(contractAt(devnet, params).classHash),
    starknet_getClassAt: (params) => describeClass(contractAt(devnet, params)),
    starknet_getBlockWithTxHashes: (params) => describeBlock(devnet, params, (hash) => hash),
    starknet_getBlockWithTxs: (params) =>
      describeBlock(devnet, params, (hash) => ({
        ...findTransaction(devnet, hash).wire,
        transaction_hash: hash,
      })),
    starknet_call: (params) => call(devnet, params),
    starknet_estimateFee: (params) => estimate(devnet, params),
    starknet_addInvokeTransaction: (params) => ({
      transaction_hash: submitInvoke(devnet, params["invoke_transaction"]),
    }),
    starknet_getTransactionStatus: (params) =>
      readStatus(devnet, feltParam(params, "transaction_hash")),
    starknet_getTransactionReceipt: (params) =>
      describeReceipt(devnet, findTransaction(devnet, hashParam(params))),
    starknet_getTransactionByHash: (params) => readTransaction(devnet, hashParam(params)),
    starknet_getEvents: (params) => pageEvents(devnet, params["filter"]),
  }
}

type Implemented =
  | "starknet_specVersion"
  | "starknet_chainId"
  | "starknet_syncing"
  | "starknet_blockNumber"
  | "starknet_blockHashAndNumber"
  | "starknet_getNonce"
  | "starknet_getClassHashAt"
  | "starknet_getClassAt"
  | "starknet_getBlockWithTxHashes"
  | "starknet_getBlockWithTxs"
  | "starknet_call"
  | "starknet_estimateFee"
  | "starknet_addInvokeTransaction"
  | "starknet_getTransactionStatus"
  | "starknet_getTransactionReceipt"
  | "starknet_getTransactionByHash"
  | "starknet_getEvents"

/** The order of positional parameters in the specification. */
export const PARAMETER_NAMES: Readonly<Record<Implemented, readonly string[]>> = {
  starknet_specVersion: [],
  starknet_chainId: [],
  starknet_syncing: [],
  starknet_blockNumber: [],
  starknet_blockHashAndNumber: [],
  starknet_getNonce: ["block_id", "contract_address"],
  starknet_getClassHashAt: ["block_id", "contract_address"],
  starknet_getClassAt: ["block_id", "contract_address"],
  starknet_getBlockWithTxHashes: ["block_id"],
  starknet_getBlockWithTxs: ["block_id"],
  starknet_call: ["request", "block_id"],
  starknet_estimateFee: ["request", "simulation_flags", "block_id"],
  starknet_addInvokeTransaction: ["invoke_transaction"],
  starknet_getTransactionStatus: ["transaction_hash"],
  starknet_getTransactionReceipt: ["transaction_hash"],
  starknet_getTransactionByHash: ["transaction_hash"],
  starknet_getEvents: ["filter"],
}

function hashParam(params: Params): string {
  return formatFelt(feltParam(params, "transaction_hash"))
}

function contractAt(devnet: Devnet, params: Params) {
  blockParam(devnet, params)
  const contract = devnet.contracts.get(feltParam(params, "contract_address"))
  if (!contract) throw rpcError(20)
  return contract
}

function readNonce(devnet: Devnet, params: Params): string {
  contractAt(devnet, params)
  return formatFelt(
    nonceAt(devnet, feltParam(params, "contract_address"), blockParam(devnet, params)),
  )
}

/**
 * The contracts of the devnet have no Sierra code, so the class shows only their entry points and
 * their ABI.
 */
function describeClass({ entryPoints: known, abi }: Contract): RPC.RPCSPEC09.CONTRACT_CLASS {
  const external = [...known.keys()].map((selector, index) => ({
    selector: formatFelt(selector),
    function_idx: index,
  }))
  const entryPoints = { EXTERNAL: external, CONSTRUCTOR: [], L1_HANDLER: [] }
  return {
    sierra_program: [],
    contract_class_version: "0.1.0",
    entry_points_by_type: entryPoints,
    abi: JSON.stringify(abi),
  }
}

function describeBlock<T>(devnet: Devnet, params: Params, show: (hash: string) => T) {
  const { number, timestamp, transactions } = findBlock(devnet, blockParam(devnet, params))
  const events = transactions.reduce(
    (sum, hash) => sum + findTransaction(devnet, hash).execution.events.length,
    0,
  )
  return {
    status: acceptanceOf(devnet, number),
    block_hash: blockHash(devnet, number),
    parent_hash: number === 0 ? "0x0" : blockHash(devnet, number - 1),
    block_number: number,
    new_root: "0x0",
    timestamp,
    sequencer_address: formatFelt(devnet.environment.sequencer),
    l1_gas_price: price(GAS_PRICES.l1Gas),
    l2_gas_price: price(GAS_PRICES.l2Gas),
    l1_data_gas_price: price(GAS_PRICES.l1DataGas),
    l1_da_mode: "BLOB" as const,
    starknet_version: "0.14.1",
    event_commitment: "0x0",
    transaction_commitment: "0x0",
    receipt_commitment: "0x0",
    state_diff_commitment: "0x0",
    event_count: events,
    transaction_count: transactions.length,
    state_diff_length: 0,
    transactions: transactions.map(show),
  }
}

function acceptanceOf({ state }: Devnet, number: number): "ACCEPTED_ON_L1" | "ACCEPTED_ON_L2" {
  return number <= (state.l1Height ?? -1) ? "ACCEPTED_ON_L1" : "ACCEPTED_ON_L2"
}

function price(fri: bigint): RPC.RPCSPEC09.RESOURCE_PRICE {
  return { price_in_fri: formatFelt(fri), price_in_wei: "0x1" }
}

const callSchema = z.object({
  contract_address: z.string(),
  entry_point_selector: z.string(),
  calldata: z.array(z.string()),
})

function call(present: Devnet, params: Params): string[] {
  const devnet = devnetAt(present, blockParam(present, params))
  const request = callSchema.safeParse(params["request"])
  if (!request.success) throw rpcError(-32602, z.prettifyError(request.error))
  const to = parseFelt(request.data.contract_address)
  const contract = devnet.contracts.get(to)
  if (!contract) throw rpcError(20)
  const selector = parseFelt(request.data.entry_point_selector)
  if (!contract.entryPoints.has(selector)) throw rpcError(21)
  try {
    return callDevnet(devnet, { to, selector, calldata: request.data.calldata.map(parseFelt) }).map(
      formatFelt,
    )
  } catch (error) {
    if (error instanceof AppError && error.code === "starknet.reverted")
      throw rpcError(40, error.message)
    throw error
  }
}

function estimate(devnet: Devnet, params: Params): RPC.RPCSPEC09.FEE_ESTIMATE[] {
  blockParam(devnet, params)
  const { transactions, flags } = transactionsParam(params)
  const under = layerOver(devnet.storage)
  return transactions.map((wire) => {
    const execution = simulateInvoke(devnet, wire, {
      checkSignature: !flags.includes("SKIP_VALIDATE"),
      under,
    })
    if (execution.revertReason !== null) throw rpcError(41, execution.revertReason)
    return describeEstimate(execution)
  })
}

function describeEstimate({ resources }: ExecutionResult): RPC.RPCSPEC09.FEE_ESTIMATE {
  return {
    l1_gas_consumed: formatFelt(resources.l1Gas),
    l1_gas_price: formatFelt(GAS_PRICES.l1Gas),
    l2_gas_consumed: formatFelt(resources.l2Gas),
    l2_gas_price: formatFelt(GAS_PRICES.l2Gas),
    l1_data_gas_consumed: formatFelt(resources.l1DataGas),
    l1_data_gas_price: formatFelt(GAS_PRICES.l1DataGas),
    overall_fee: formatFelt(feeFor(resources)),
    unit: "FRI",
  }
}

function readStatus(devnet: Devnet, felt: bigint): RPC.RPCSPEC09.TransactionStatus {
  const hash = formatFelt(felt)
  if (devnet.mempool.has(hash)) return { finality_status: "RECEIVED" }
  const { execution, blockNumber } = findTransaction(devnet, hash)
  const status = acceptanceOf(devnet, blockNumber)
  if (execution.revertReason === null)
    return { finality_status: status, execution_status: "SUCCEEDED" }
  return {
    finality_status: status,
    execution_status: "REVERTED",
    failure_reason: execution.revertReason,
  }
}

function readTransaction(devnet: Devnet, hash: string): RPC.RPCSPEC09.TXN_WITH_HASH {
  const wire = devnet.mempool.get(hash)?.wire ?? findTransaction(devnet, hash).wire
  return { ...wire, transaction_hash: hash }
}

function describeReceipt(
  devnet: Devnet,
  { hash, blockNumber, execution }: Mined,
): Published["starknet_getTransactionReceipt"]["result"] {
  const { l1Gas, l2Gas, l1DataGas } = execution.resources
  const common = {
    type: "INVOKE" as const,
    transaction_hash: hash,
    actual_fee: { amount: formatFelt(execution.feeUnits), unit: "FRI" as const },
    finality_status: acceptanceOf(devnet, blockNumber),
    messages_sent: [],
    events: execution.events.map(({ from, keys, data }) => ({
      from_address: formatFelt(from),
      keys: keys.map(formatFelt),
      data: data.map(formatFelt),
    })),
    execution_resources: {
      l1_gas: Number(l1Gas),
      l2_gas: Number(l2Gas),
      l1_data_gas: Number(l1DataGas),
    },
    block_hash: blockHash(devnet, blockNumber),
    block_number: blockNumber,
  }
  if (execution.revertReason === null) return { ...common, execution_status: "SUCCEEDED" }
  return { ...common, execution_status: "REVERTED", revert_reason: execution.revertReason }
}
