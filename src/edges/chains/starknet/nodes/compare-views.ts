import type { Reason } from "#domain/reason.ts"
import { plainJson } from "#lib/json.ts"
import { concludeAnswers, reportNow, requireAgreed } from "#nodes/quorum/conclude.ts"
import { type NotedFee, noteFees } from "#nodes/quorum/fee-figures.ts"
import type { AgreementReport } from "#ports/chain/balances.ts"
import type { StarknetRpc } from "../rpc.ts"
import { readReference, type View, worstOf } from "./reference-block.ts"

/**
 * The endpoints' answers to one question about the same block. `supporters` are the equal answers
 * of the endpoints that agree, which may differ in the parts that the comparison leaves out.
 * `doubts`: contradictions, and endpoints that are missing for an agreement.
 */
export type Compared<T> = { readonly block: View["block"]; readonly doubts: readonly Reason[] } & (
  | { readonly status: "agreed" | "short"; readonly value: T; readonly supporters: readonly T[] }
  | { readonly status: "split"; readonly values: readonly T[] }
)

/**
 * Asks every endpoint the same question about the same block, and compares the answers. The
 * reference block is the newest that enough endpoints have. Throws the endpoints' error if none
 * answers.
 */
export async function compareViews<T>(
  rpc: StarknetRpc,
  ask: (view: View) => Promise<T>,
  keyOf: (value: T) => string = plainJson,
): Promise<Compared<T>> {
  const { views, outliers } = await readReference(rpc)
  const answers = await rpc.askAt(views, async (_node, view) => ({
    block: view.block,
    value: await ask(view),
  }))
  const found = concludeAnswers(answers, {
    needed: rpc.needed,
    doubts: outliers,
    keyOf: ({ block, value }) => `${block.hash} ${keyOf(value)}`,
  })
  const { status, doubts, given } = found
  const [first] = given
  if (first === undefined) throw worstOf(answers)
  if (status === "split")
    return { status, block: first.block, values: given.map(({ value }) => value), doubts }
  const supporters = found.supporters.map(({ value }) => value)
  return { status, ...(found.value ?? first), supporters, doubts }
}

/**
 * Reads a value that enough endpoints agree on. Throws `starknet.disagreement` and
 * `starknet.agreement_short` (transient).
 */
export async function readAgreed<T>(rpc: StarknetRpc, ask: (view: View) => Promise<T>): Promise<T> {
  const compared = await compareViews(rpc, ask)
  return requireAgreed(rpc, { value: null, ...compared })
}

/**
 * Reads a value for work that goes on with whatever answers: voids and refunds. Where endpoints
 * contradict each other, `choose` picks the harmless answer.
 */
export async function readWithAny<T>(
  rpc: StarknetRpc,
  ask: (view: View) => Promise<T>,
  choose: (values: readonly T[]) => T,
): Promise<T> {
  const compared = await compareViews(rpc, ask)
  return compared.status === "split" ? choose(compared.values) : compared.value
}

/**
 * Reads each endpoint's own value at the reference block. Throws the endpoints' error if none
 * answers.
 */
export async function readEach<T>(
  rpc: StarknetRpc,
  ask: (view: View) => Promise<T>,
  fee: NotedFee<T> | null = null,
): Promise<readonly T[]> {
  const { views } = await readReference(rpc)
  const answers = await rpc.askAt(views, (_node, view) => ask(view))
  if (fee !== null) noteFees(rpc.fees, answers, fee)
  const values = answers.flatMap((answer) => (answer.ok ? [answer.value] : []))
  if (values.length === 0) throw worstOf(answers)
  return values
}

/**
 * Counts the endpoints that have the same block at the reference height. Never throws for an
 * endpoint's failure.
 */
export function fetchAgreement(rpc: StarknetRpc): Promise<AgreementReport> {
  return reportNow(rpc, async () => {
    const { views: blocks, ...how } = await readReference(rpc)
    return { ...how, blocks, keyOf: ({ block }: View) => block.hash }
  })
}
