import { BaseError, decodeErrorResult, type Hex, isHex, type PrivateKeyAccount } from "viem"
import { AppError } from "#lib/app-error.ts"
import type { EvmClient } from "./evm-client.ts"
import { htlcAbi } from "./htlc-abi.ts"

/**
 * One account of the sandbox. Its sends stand in one line, so that concurrent orders never meet on a nonce; the nonce is asked
 * of the node each time, so that a reorganisation or a refused send leaves no hole.
 *
 * `send` runs the call against the pending block first and rejects with `sandbox.evm_reverted` (refused), the contract's error in
 * `details.reason`. It resolves with the transaction hash once the node took it. `push` sends without that look.
 */
export function createSender(client: EvmClient, account: PrivateKeyAccount): Sender {
  let tail: Promise<unknown> = Promise.resolve()
  const enqueue = <T>(work: () => Promise<T>): Promise<T> => {
    const run = tail.then(work, work)
    tail = run
    return run
  }
  const push = (call: Call): Promise<Hex> => enqueue(() => signAndSend(client, account, call))
  const send = (call: Call): Promise<Hex> =>
    enqueue(async () => {
      await simulateCall(client, account, call)
      return signAndSend(client, account, call)
    })
  return { address: account.address, push, send }
}

export type Sender = {
  readonly address: Hex
  push(call: Call): Promise<Hex>
  send(call: Call): Promise<Hex>
}

/** Without `to` it deploys `data`. */
export type Call = { readonly to?: Hex; readonly data?: Hex; readonly value?: bigint }

const CALL_GAS = 500_000n
const DEPLOY_GAS = 4_000_000n
/** Far above any fee of a local chain: a test that raises the base fee must not strand the sandbox. */
const MAX_FEE_PER_GAS = 1_000_000_000_000n
const PRIORITY_FEE_PER_GAS = 1_000_000_000n

async function signAndSend(client: EvmClient, account: PrivateKeyAccount, call: Call): Promise<Hex> {
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

async function simulateCall(client: EvmClient, account: PrivateKeyAccount, call: Call): Promise<void> {
  try {
    await client.call({ account: account.address, blockTag: "pending", ...call })
  } catch (cause) {
    const reason = readRevert(cause)
    if (reason === null) throw cause
    throw new AppError({
      code: "sandbox.evm_reverted",
      disposition: "refused",
      message: `the contract refuses: ${reason}`,
      details: { reason, to: call.to ?? null },
      cause,
    })
  }
}

/** `Name(arguments)` of the contract's error, or `null` when the failure was something else. */
function readRevert(error: unknown): string | null {
  if (!(error instanceof BaseError)) return null
  const innermost: unknown = error.walk()
  const data = typeof innermost === "object" && innermost !== null && "data" in innermost ? innermost.data : null
  if (!isHex(data)) return null
  try {
    const { errorName, args } = decodeErrorResult({ abi: htlcAbi, data })
    return `${errorName}(${(args ?? []).join(", ")})`
  } catch {
    return `unknown error ${data}` // a selector that none of our contracts has is still an answer
  }
}
