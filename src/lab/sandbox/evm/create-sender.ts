import { BaseError, decodeErrorResult, type Hex, isHex, type PrivateKeyAccount } from "viem"
import { AppError } from "#lib/app-error.ts"
import { createSerialQueue } from "../create-serial-queue.ts"
import type { EvmClient } from "./evm-client.ts"
import { htlcAbi } from "./htlc-abi.ts"

/**
 * Sends transactions from one account of the sandbox. It sends one at a time, so that concurrent
 * orders never use the same nonce. It reads the nonce from the node each time, so that a
 * reorganisation or a refused transaction leaves no gap.
 *
 * `send` first simulates the call on the pending block. It rejects with `sandbox.evm_reverted`
 * (refused), with the contract's error in `details.reason`, and resolves with the transaction hash
 * when the node has accepted it. `sendUnchecked` skips the simulation.
 */
export function createSender(client: EvmClient, account: PrivateKeyAccount): Sender {
  const enqueue = createSerialQueue()
  const sendUnchecked = (call: Call): Promise<Hex> =>
    enqueue(() => signAndSend(client, account, call))
  const send = (call: Call): Promise<Hex> =>
    enqueue(async () => {
      await simulateCall(client, account, call)
      return signAndSend(client, account, call)
    })
  return { address: account.address, sendUnchecked, send }
}

export type Sender = {
  readonly address: Hex
  sendUnchecked(call: Call): Promise<Hex>
  send(call: Call): Promise<Hex>
}

/** A call without `to` deploys `data`. */
export type Call = { readonly to?: Hex; readonly data?: Hex; readonly value?: bigint }

const CALL_GAS = 500_000n
const DEPLOY_GAS = 4_000_000n
/**
 * Far above any fee of a local chain, so that a test that raises the base fee does not block the
 * sandbox.
 */
const MAX_FEE_PER_GAS = 1_000_000_000_000n
const PRIORITY_FEE_PER_GAS = 1_000_000_000n

async function signAndSend(
  client: EvmClient,
  account: PrivateKeyAccount,
  call: Call,
): Promise<Hex> {
  const nonce = await client.getTransactionCount({ address: account.address, blockTag: "pending" })
  const serializedTransaction = await account.signTransaction({
    type: "eip1559",
    chainId: client.chain.id,
    nonce,
    gas: call.to === undefined ? DEPLOY_GAS : CALL_GAS,
    maxFeePerGas: MAX_FEE_PER_GAS,
    maxPriorityFeePerGas: PRIORITY_FEE_PER_GAS,
    ...call,
  })
  return client.sendRawTransaction({ serializedTransaction })
}

async function simulateCall(
  client: EvmClient,
  account: PrivateKeyAccount,
  call: Call,
): Promise<void> {
  try {
    await client.call({ account: account.address, blockTag: "pending", ...call })
  } catch (cause) {
    const reason = readRevert(cause)
    if (reason === null) throw cause
    throw new AppError({
      code: "sandbox.evm_reverted",
      disposition: "refused",
      message: `the contract reverts: ${reason}`,
      details: { reason, to: call.to ?? null },
      cause,
    })
  }
}

/** The contract's error as `Name(arguments)`, or `null` if the failure is not a revert. */
function readRevert(error: unknown): string | null {
  if (!(error instanceof BaseError)) return null
  const innermost: unknown = error.walk()
  const data =
    typeof innermost === "object" && innermost !== null && "data" in innermost
      ? innermost.data
      : null
  if (!isHex(data)) return null
  try {
    const { errorName, args } = decodeErrorResult({ abi: htlcAbi, data })
    return `${errorName}(${(args ?? []).join(", ")})`
  } catch {
    return `unknown error ${data}` // also report an error that no contract of the sandbox declares
  }
}
