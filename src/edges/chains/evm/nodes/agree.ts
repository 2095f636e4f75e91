import { agreeOn } from "#chains/agreement.ts"
import type { Reason } from "#domain/reason.ts"
import { AppError } from "#lib/app-error.ts"
import { plainJson } from "#lib/json.ts"
import type { AgreementReport } from "#ports/chain/balances.ts"
import type { AskAt, EvmRpc, Reading, ReadOptions } from "../rpc.ts"
import type { Answer } from "./endpoint.ts"
import { firstFailure } from "./heads.ts"

/**
 * What the endpoints say together. `value`: the agreed answer, or the answer of those that gave one
 * where there are too few; `null` where answers contradict each other.
 */
export type Conclusion<T> = {
  readonly status: "agreed" | "short" | "split"
  readonly value: T | null
  readonly given: readonly T[]
  readonly doubts: readonly Reason[]
}

/**
 * Compares the answers of one reading. Without an agreed block nothing is agreed, because the
 * answers are about different blocks.
 */
export function conclude<T>(
  { needed }: Pick<EvmRpc, "needed">,
  reading: Reading<T>,
  keyOf: (value: T) => string,
): Conclusion<T> {
  const agreement = agreeOn(reading.answers, needed, keyOf)
  const given = reading.answers.flatMap((answer) => (answer.ok ? [answer.value] : []))
  const contradictions = describeContradiction(reading.answers, keyOf)
  const doubts = [...reading.doubts, ...contradictions]
  if (agreement.status === "agreed" && reading.isBlockAgreed) return { ...agreement, given, doubts }
  const missing = describeMissing(reading.answers, needed)
  if (contradictions.length > 0 || given.length >= needed)
    return {
      status: "split",
      value: agreement.status === "split" ? null : agreement.value,
      given,
      doubts,
    }
  return { status: "short", value: given[0] ?? null, given, doubts: [...doubts, ...missing] }
}

/**
 * The value that enough endpoints give about one block. Throws `evm.disagreement` and
 * `evm.agreement_short` (transient).
 */
export async function readAgreed<T>(rpc: EvmRpc, ask: AskAt<T>, options?: ReadOptions): Promise<T> {
  const reading = await rpc.readEach(ask, options)
  const { status, value, doubts } = conclude(rpc, reading, plainJson)
  if (status === "agreed" && value !== null) return value
  throw status === "split" ? disagreement(doubts) : agreementShort(rpc, reading.answers)
}

/**
 * The same for work that goes on with any living endpoint, such as a refund: too few answers
 * suffice if they are equal. Throws `evm.disagreement` (transient).
 */
export async function readAnyway<T>(rpc: EvmRpc, ask: AskAt<T>, options?: ReadOptions): Promise<T> {
  const { status, value, doubts } = conclude(rpc, await rpc.readEach(ask, options), plainJson)
  if (status !== "split" && value !== null) return value
  throw disagreement(doubts)
}

/** The height that enough endpoints have reached. Throws `evm.agreement_short` (transient). */
export async function readAgreedHeight(rpc: EvmRpc): Promise<bigint> {
  const { height, isShort, heads } = await rpc.readHeads()
  if (!isShort) return height
  throw agreementShort(rpc, heads)
}

/** How many endpoints have the chosen block now, and why the others do not. Never throws. */
export async function reportAgreement(rpc: EvmRpc): Promise<AgreementReport> {
  const endpoints = rpc.hosts.length
  const { needed } = rpc
  try {
    const { blocks, outliers, hash, height, heads } = await rpc.readHeads()
    const given = blocks.flatMap((block) => (block.ok ? [block.value.hash] : []))
    const agreeing = given.filter((each) => each === (hash ?? given[0])).length
    const contradictions = describeContradiction(blocks, (block) => block.hash)
    const isNear = (index: number): boolean => {
      const head = heads[index]
      return agreeing >= needed && head?.ok === true && height - head.value.height <= USUAL_LAG
    }
    const silent = describeMissing(
      blocks.filter((_block, index) => !isNear(index)),
      needed,
    ).filter(({ endpoint }) => !outliers.some((one) => one["endpoint"] === endpoint))
    return { endpoints, needed, agreeing, reasons: [...outliers, ...contradictions, ...silent] }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return {
      endpoints,
      needed,
      agreeing: 0,
      reasons: [{ code: error.code, message: error.message }],
    }
  }
}

/**
 * Endpoints of one chain are rarely more blocks apart; a nearer one is no news while enough others
 * agree.
 */
const USUAL_LAG = 20n

function describeContradiction<T>(
  answers: readonly Answer<T>[],
  keyOf: (value: T) => string,
): Reason[] {
  const given = answers.flatMap((answer) =>
    answer.ok ? [{ host: answer.endpoint, key: keyOf(answer.value) }] : [],
  )
  if (new Set(given.map(({ key }) => key)).size < 2) return []
  const message =
    "Endpoints contradict each other about the same block; Ballast believes neither until " +
    "they agree"
  const shown = given.map(({ host, key }) => `${host}: ${key.slice(0, MAX_SHOWN)}`).join(" · ")
  return [{ code: "chain.disagreement", message, answers: shown }]
}

const MAX_SHOWN = 400

function describeMissing(
  answers: readonly Answer<unknown>[],
  needed: number,
): readonly (Reason & { endpoint: string })[] {
  return answers.flatMap((answer) => {
    if (answer.ok) return []
    const { code, message } = answer.error
    const reason = {
      code: "chain.agreement_short",
      message,
      needed: String(needed),
      endpoint: answer.endpoint,
    }
    return [{ ...reason, cause: code }]
  })
}

function disagreement(doubts: readonly Reason[]): AppError {
  const answers = doubts.flatMap((doubt) => doubt["answers"] ?? []).join(" · ")
  return new AppError({
    code: "evm.disagreement",
    disposition: "transient",
    message:
      "The EVM endpoints contradict each other about the same block; Ballast asks again and " +
      "believes neither",
    details: { answers },
  })
}

/**
 * The failure of an endpoint says more than the missing agreement where only one endpoint is
 * configured.
 */
function agreementShort({ needed, hosts }: EvmRpc, answers: readonly Answer<unknown>[]): AppError {
  if (hosts.length === 1) return firstFailure(answers)
  const missing = answers.flatMap((answer) =>
    answer.ok ? [] : [`${answer.endpoint}: ${answer.error.code}`],
  )
  return new AppError({
    code: "evm.agreement_short",
    disposition: "transient",
    message:
      "Too few EVM endpoints answer for an agreement; check the silent ones, or add another to rpc",
    details: { answered: answers.length - missing.length, needed, missing: missing.join(" · ") },
  })
}
