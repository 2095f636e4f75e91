import { agreeOn, type EndpointAnswer } from "#chains/agreement.ts"
import type { Reason } from "#domain/reason.ts"
import { AppError } from "#lib/app-error.ts"
import { encodeJson } from "#lib/json.ts"
import type { AgreementReport } from "#ports/chain/balances.ts"
import type { StarknetRpc } from "../rpc.ts"
import {
  askAll,
  type Block,
  type Reference,
  readHeads,
  readReference,
  transientError,
  type View,
  worstOf,
} from "./reference-block.ts"

/**
 * The endpoints' answers to one question about the same block. `supporters` are the equal answers
 * of the endpoints that agree, which may differ in the parts that the comparison leaves out.
 * `doubts`: contradictions, and endpoints that are missing for an agreement.
 */
export type Compared<T> = { readonly block: Block; readonly doubts: readonly Reason[] } & (
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
  keyOf: (value: T) => string = encodeJson,
): Promise<Compared<T>> {
  const reference = await readReference(rpc)
  const answers = await askAll(rpc, viewsOf(reference), async (view) => ({
    block: view.block,
    value: await ask(view),
  }))
  const silent = [...reference.views, ...answers].filter((answer) => !answer.ok)
  const result = agreeOn(answers, rpc.needed, ({ block, value }) => `${block.hash} ${keyOf(value)}`)
  if (result.status === "split") {
    const values = result.answers.flatMap((answer) => (answer.ok ? [answer.value] : []))
    const doubts = [...reference.outliers, disagreement(result.answers)]
    return {
      status: "split",
      block: blockOf(values, silent),
      values: values.map(({ value }) => value),
      doubts,
    }
  }
  const block = blockOf(result.value === null ? [] : [result.value], silent)
  // CAST: `blockOf` throws where there is no answer.
  const value = (result.value as { value: T }).value
  const same = answers.flatMap((answer) =>
    answer.ok && answer.value.block.hash === block.hash ? [answer.value] : [],
  )
  const supporters = same.filter((one) => keyOf(one.value) === keyOf(value)).map((one) => one.value)
  const dissent =
    result.status === "agreed" && result.dissent.length > 0 ? [disagreement(answers)] : []
  const missing = result.status === "short" ? silent.map((answer) => missingEndpoint(answer)) : []
  return {
    status: result.status,
    block,
    value,
    supporters,
    doubts: [...reference.outliers, ...dissent, ...missing],
  }
}

/**
 * Reads a value that enough endpoints agree on. Throws `starknet.disagreement` and
 * `starknet.agreement_short` (transient).
 */
export async function readAgreed<T>(rpc: StarknetRpc, ask: (view: View) => Promise<T>): Promise<T> {
  const compared = await compareViews(rpc, ask)
  if (compared.status === "agreed") return compared.value
  throw notAgreed(rpc, compared.status, compared.doubts)
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
): Promise<readonly T[]> {
  const reference = await readReference(rpc)
  const answers = await askAll(rpc, viewsOf(reference), ask)
  const values = answers.flatMap((answer) => (answer.ok ? [answer.value] : []))
  if (values.length === 0) throw worstOf([...reference.views, ...answers])
  return values
}

/**
 * Reads the newest height that enough endpoints have. Throws `starknet.agreement_short`
 * (transient).
 */
export async function fetchAgreedHeight(rpc: StarknetRpc): Promise<bigint> {
  const { height, credible, silent, outliers } = await readHeads(rpc)
  if (height !== null && credible.length >= rpc.needed) return height
  if (credible.length === 0 && outliers.length === 0) throw worstOf(silent)
  throw notAgreed(rpc, "short", [...outliers, ...silent.map(missingEndpoint)])
}

/**
 * Counts the endpoints that have the same block at the reference height. Never throws for an
 * endpoint's failure.
 */
export async function fetchStarknetAgreement(rpc: StarknetRpc): Promise<AgreementReport> {
  const { views, outliers } = await readReference(rpc)
  const blocks = views.map((view) => (view.ok ? { ...view, value: view.value.block } : view))
  const result = agreeOn(blocks, rpc.needed)
  const value = result.status === "split" ? null : result.value
  const agreeing = blocks.filter((answer) => answer.ok && answer.value.hash === value?.hash).length
  const isDoubted =
    result.status === "split" || (result.status === "agreed" && result.dissent.length > 0)
  const reasons = [
    ...outliers,
    ...(isDoubted ? [disagreement(blocks)] : []),
    ...views.filter((answer) => !answer.ok).map(missingEndpoint),
  ]
  return { endpoints: rpc.nodes.length, needed: rpc.needed, agreeing, reasons }
}

function viewsOf({ views }: Reference): readonly View[] {
  return views.flatMap((answer) => (answer.ok ? [answer.value] : []))
}

function blockOf(
  values: readonly { readonly block: Block }[],
  silent: readonly EndpointAnswer<unknown>[],
): Block {
  const [lowest] = values.toSorted((a, b) => Number(a.block.number - b.block.number))
  if (lowest === undefined) throw worstOf(silent)
  return lowest.block
}

function notAgreed(
  rpc: StarknetRpc,
  status: "short" | "split",
  doubts: readonly Reason[],
): AppError {
  const found = doubts.map(({ message }) => message).join("; ")
  if (status === "split") {
    return transientError(
      "starknet.disagreement",
      "The Starknet endpoints contradict each other; check rpc",
      { found },
    )
  }
  const { needed, nodes } = rpc
  const details = { needed, endpoints: nodes.length, found }
  return transientError(
    "starknet.agreement_short",
    "Too few Starknet endpoints answer; Ballast asks again",
    details,
  )
}

function missingEndpoint(answer: EndpointAnswer<unknown>): Reason {
  const error = !answer.ok && answer.error instanceof AppError ? answer.error : null
  return {
    code: "chain.agreement_short",
    message: `${answer.endpoint} does not answer, so too few endpoints can agree`,
    endpoint: answer.endpoint,
    error: error?.code ?? "unknown",
  }
}

function disagreement(answers: readonly EndpointAnswer<unknown>[]): Reason {
  const given = answers.flatMap((answer) =>
    answer.ok ? [`${answer.endpoint}: ${show(answer.value)}`] : [],
  )
  return {
    code: "chain.disagreement",
    message:
      "the endpoints contradict each other about the same block, so Ballast ends nothing by " +
      "their answers",
    answers: given.join(" | "),
  }
}

function show(value: unknown): string {
  return encodeJson(value).slice(0, 600)
}
