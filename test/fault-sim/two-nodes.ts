import type { ChainPort } from "#chains/port.ts"
import type { SignedTransaction, TransactionObservation } from "#domain/transaction.ts"
import type { Random } from "./random.ts"

/**
 * One port over two nodes that can disagree, by the rules of the real families. Answers that a family reads from every endpoint are combined
 * as that family combines them. One of the two nodes answers every other call; on EVM it is the node with the greater height.
 */
export function createTwoNodePort(first: ChainPort, second: ChainPort, random: Random): ChainPort {
  const { family } = first
  const pickReader = async (): Promise<ChainPort> => {
    if (family !== "evm") return random.pick([first, second])
    const [a, b] = await Promise.all([first.fetchHeight(), second.fetchHeight()])
    return a >= b ? first : second
  }
  async function observeTransaction(transaction: SignedTransaction): Promise<TransactionObservation> {
    if (family === "bitcoin") return (await pickReader()).observeTransaction(transaction)
    return combine(
      await Promise.all([first.observeTransaction(transaction), second.observeTransaction(transaction)]),
      family,
    )
  }
  return {
    ...first,
    fetchHeight: async () => (await pickReader()).fetchHeight(),
    fetchBalance: async (...call) => (await pickReader()).fetchBalance(...call),
    findMissingApproval: async (...call) => (await pickReader()).findMissingApproval(...call),
    planTransaction: async (...call) => (await pickReader()).planTransaction(...call),
    observeLeg: async (query) => (await pickReader()).observeLeg(query),
    observeTransaction,
  }
}

/** One receipt is enough. An exclusion needs one proof on EVM, and the answers of all endpoints on Starknet and Solana. */
function combine(answers: readonly TransactionObservation[], family: ChainPort["family"]): TransactionObservation {
  const mined = answers.flatMap((answer) => (answer.status === "mined" ? [answer] : []))
  const [best] = mined.sort((a, b) => b.confirmations - a.confirmations)
  if (best) return best
  const excluded = answers.filter(({ status }) => status === "excluded")
  const enough = family === "evm" ? 1 : answers.length
  const [proof] = excluded.toSorted((a, b) => Number(isFinal(b)) - Number(isFinal(a)))
  if (proof && excluded.length >= enough) return proof
  return answers.find(({ status }) => status === "pending") ?? { status: "unseen" }
}

function isFinal(answer: TransactionObservation): boolean {
  return answer.status === "excluded" && answer.final
}
