import { isSignedBy } from "./account.ts"
import { balanceUnits } from "./erc20.ts"
import { executeInvoke, feeFor, GAS_PRICES, type Outcome } from "./execute.ts"
import { formatFelt } from "./felt.ts"
import { hashInvoke, type Invoke, maxFeeOf, parseInvoke } from "./invoke.ts"
import { type Block, heightOf, type Ledger, nonceOf } from "./ledger.ts"
import { rpcError } from "./rpc-error.ts"
import { layerOver, type Storage } from "./storage.ts"

/** Takes a transaction into the mempool and returns its hash. Throws the errors of `starknet_addInvokeTransaction`. */
export function submitInvoke(ledger: Ledger, wire: unknown): string {
  const invoke = parseInvoke(wire)
  if (invoke.wire.version !== "0x3") throw rpcError(61)
  const hash = formatFelt(hashInvoke(invoke, ledger.world.chainId))
  if (ledger.mempool.has(hash) || ledger.state.mined[hash]) throw rpcError(59)
  validate(ledger, invoke, hash)
  const rival = [...ledger.mempool].find(([, other]) => other.sender === invoke.sender && other.nonce === invoke.nonce)
  if (rival && !outbids(invoke, rival[1])) throw rpcError(64)
  if (rival) ledger.mempool.delete(rival[0])
  ledger.mempool.set(hash, invoke)
  return hash
}

/** Closes one block with every mempool transaction whose turn it is. */
export function mineBlock(ledger: Ledger): Block {
  const number = heightOf(ledger) + 1
  const transactions: string[] = []
  for (let next = findDue(ledger); next; next = findDue(ledger)) {
    const [hash, invoke] = next
    ledger.mempool.delete(hash)
    ledger.state.nonces[formatFelt(invoke.sender)] = invoke.nonce + 1n
    const outcome = executeInvoke(ledger.world, ledger.storage, invoke, { blockNumber: number, charge: true })
    ledger.state.mined[hash] = { hash, wire: invoke.wire, blockNumber: number, outcome }
    transactions.push(hash)
  }
  const block = { number, timestamp: Math.floor(ledger.now() / 1000), transactions }
  ledger.state.blocks.push(block)
  const waiting = [...ledger.waiting]
  ledger.waiting.clear()
  for (const wake of waiting) wake()
  return block
}

/**
 * What a transaction would do in the next block, on `under`, a throw-away layer. The outcome may be a revert. Bounds and fee balance are not
 * looked at, as in `starknet_estimateFee`. Throws 20 and 41.
 */
export function simulateInvoke(
  ledger: Ledger,
  wire: unknown,
  options: { checkSignature: boolean; under?: Storage },
): Outcome {
  const invoke = parseInvoke(wire)
  if (!ledger.contracts.has(invoke.sender)) throw rpcError(20)
  if (invoke.nonce < nonceOf(ledger, invoke.sender)) throw rpcError(41, "Invalid transaction nonce")
  const hash = hashInvoke(invoke, ledger.world.chainId)
  if (options.checkSignature && !isSignedBy(ledger.storage, invoke.sender, hash, invoke.signature)) {
    throw rpcError(41, "Account: invalid signature")
  }
  const under = options.under ?? layerOver(ledger.storage)
  const outcome = executeInvoke(ledger.world, under, invoke, { blockNumber: heightOf(ledger) + 1, charge: false })
  return { ...outcome, feeUnits: feeFor(outcome.resources) }
}

/** How far ahead of the account's nonce a transaction may be: the default of the sequencer's gateway. */
const MAX_NONCE_GAP = 200n

function validate(ledger: Ledger, invoke: Invoke, hash: string): void {
  if (!ledger.contracts.has(invoke.sender)) throw rpcError(20)
  const nonce = nonceOf(ledger, invoke.sender)
  if (invoke.nonce < nonce || invoke.nonce > nonce + MAX_NONCE_GAP) {
    throw rpcError(52, `Invalid transaction nonce. Expected: ${nonce}, got: ${invoke.nonce}.`)
  }
  if (!isSignedBy(ledger.storage, invoke.sender, BigInt(hash), invoke.signature)) {
    throw rpcError(55, "Account: invalid signature")
  }
  const { l2Gas, l1DataGas } = invoke.bounds
  if (l2Gas.price < GAS_PRICES.l2Gas || l1DataGas.price < GAS_PRICES.l1DataGas) throw rpcError(53)
  if (balanceUnits(ledger.storage, ledger.world.feeToken, invoke.sender) < maxFeeOf(invoke)) throw rpcError(54)
}

/** Replacing needs 10 % more in tip and in the L2 gas price (sequencer mempool, `fee_escalation_percentage`). */
function outbids(invoke: Invoke, rival: Invoke): boolean {
  const enough = (ours: bigint, theirs: bigint): boolean => ours >= theirs + theirs / 10n
  return enough(invoke.tip, rival.tip) && enough(invoke.bounds.l2Gas.price, rival.bounds.l2Gas.price)
}

function findDue(ledger: Ledger): [string, Invoke] | undefined {
  return [...ledger.mempool].find(([, invoke]) => invoke.nonce === nonceOf(ledger, invoke.sender))
}
