import { isSignedBy } from "./account.ts"
import { type Block, type Devnet, heightOf, nonceOf } from "./devnet.ts"
import { balanceUnits } from "./erc20.ts"
import { type ExecutionResult, executeInvoke, feeFor, GAS_PRICES } from "./execute.ts"
import { formatFelt } from "./felt.ts"
import { hashInvoke, type Invoke, maxFeeOf, parseInvoke } from "./invoke.ts"
import { rpcError } from "./rpc-error.ts"
import { layerOver, type Storage } from "./storage.ts"

/**
 * Adds a transaction to the mempool and returns its hash. Throws the errors of
 * `starknet_addInvokeTransaction`.
 */
export function submitInvoke(devnet: Devnet, wire: unknown): string {
  const invoke = parseInvoke(wire)
  if (invoke.wire.version !== "0x3") throw rpcError(61)
  const hash = formatFelt(hashInvoke(invoke, devnet.environment.chainId))
  if (devnet.mempool.has(hash) || devnet.state.mined[hash]) throw rpcError(59)
  validate(devnet, invoke, hash)
  const replaced = [...devnet.mempool].find(
    ([, other]) => other.sender === invoke.sender && other.nonce === invoke.nonce,
  )
  if (replaced && !outbids(invoke, replaced[1])) throw rpcError(64)
  if (replaced) devnet.mempool.delete(replaced[0])
  devnet.mempool.set(hash, invoke)
  return hash
}

/** Mines one block with every mempool transaction that has the next nonce of its account. */
export function mineBlock(devnet: Devnet): Block {
  const number = heightOf(devnet) + 1
  const transactions: string[] = []
  const { storage, before } = recordOverwritten(devnet.storage)
  for (let next = findExecutable(devnet); next; next = findExecutable(devnet)) {
    const [hash, invoke] = next
    devnet.mempool.delete(hash)
    devnet.state.nonces[formatFelt(invoke.sender)] = invoke.nonce + 1n
    const execution = executeInvoke(devnet.environment, storage, invoke, {
      blockNumber: number,
      charge: true,
    })
    devnet.state.mined[hash] = { hash, wire: invoke.wire, blockNumber: number, execution }
    transactions.push(hash)
  }
  const { fork } = devnet.state
  const block = {
    number,
    timestamp: Math.floor(devnet.now() / 1000),
    transactions,
    before,
    ...(fork ? { fork } : {}),
  }
  devnet.state.blocks.push(block)
  const waiting = [...devnet.waiting]
  devnet.waiting.clear()
  for (const wake of waiting) wake()
  return block
}

/** Passes everything through, and keeps the first value of each slot that is written. */
function recordOverwritten(under: Storage): { storage: Storage; before: Record<string, bigint> } {
  const before: Record<string, bigint> = {}
  const write = (slot: string, value: bigint): void => {
    before[slot] ??= under.read(slot)
    under.write(slot, value)
  }
  return { storage: { read: (slot) => under.read(slot), write }, before }
}

/**
 * Simulates a transaction in the next block on `under`, a temporary layer. The result can be a
 * revert. Like `starknet_estimateFee` it does not check the resource bounds and the fee balance.
 * Throws 20 and 41.
 */
export function simulateInvoke(
  devnet: Devnet,
  wire: unknown,
  options: { checkSignature: boolean; under?: Storage },
): ExecutionResult {
  const invoke = parseInvoke(wire)
  if (!devnet.contracts.has(invoke.sender)) throw rpcError(20)
  if (invoke.nonce < nonceOf(devnet, invoke.sender)) throw rpcError(41, "Invalid transaction nonce")
  const hash = hashInvoke(invoke, devnet.environment.chainId)
  if (
    options.checkSignature &&
    !isSignedBy(devnet.storage, invoke.sender, hash, invoke.signature)
  ) {
    throw rpcError(41, "Account: invalid signature")
  }
  const under = options.under ?? layerOver(devnet.storage)
  const execution = executeInvoke(devnet.environment, under, invoke, {
    blockNumber: heightOf(devnet) + 1,
    charge: false,
  })
  return { ...execution, feeUnits: feeFor(execution.resources) }
}

/**
 * The maximum distance of a transaction's nonce from the account's nonce: the default of the
 * sequencer's gateway.
 */
const MAX_NONCE_GAP = 200n

function validate(devnet: Devnet, invoke: Invoke, hash: string): void {
  if (!devnet.contracts.has(invoke.sender)) throw rpcError(20)
  const nonce = nonceOf(devnet, invoke.sender)
  if (invoke.nonce < nonce || invoke.nonce > nonce + MAX_NONCE_GAP) {
    throw rpcError(52, `Invalid transaction nonce. Expected: ${nonce}, got: ${invoke.nonce}.`)
  }
  if (!isSignedBy(devnet.storage, invoke.sender, BigInt(hash), invoke.signature)) {
    throw rpcError(55, "Account: invalid signature")
  }
  const { l2Gas, l1DataGas } = invoke.bounds
  if (l2Gas.price < GAS_PRICES.l2Gas || l1DataGas.price < GAS_PRICES.l1DataGas) throw rpcError(53)
  if (balanceUnits(devnet.storage, devnet.environment.feeToken, invoke.sender) < maxFeeOf(invoke))
    throw rpcError(54)
}

/**
 * A replacement needs a tip and an L2 gas price that are 10 % higher (sequencer mempool,
 * `fee_escalation_percentage`).
 */
function outbids(invoke: Invoke, replaced: Invoke): boolean {
  const enough = (ours: bigint, theirs: bigint): boolean => ours >= theirs + theirs / 10n
  return (
    enough(invoke.tip, replaced.tip) &&
    enough(invoke.bounds.l2Gas.price, replaced.bounds.l2Gas.price)
  )
}

function findExecutable(devnet: Devnet): [string, Invoke] | undefined {
  return [...devnet.mempool].find(([, invoke]) => invoke.nonce === nonceOf(devnet, invoke.sender))
}
