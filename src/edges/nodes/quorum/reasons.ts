import type { Reason } from "#domain/reason.ts"
import { AppError, transient } from "#lib/app-error.ts"
import { plainJson } from "#lib/json.ts"
import type { EndpointAnswer } from "./agree-on.ts"

/** A head far above those of the other endpoints, or above the chain's reach. */
export function describeOutlier(endpoint: string, head: bigint, agreed: bigint): Reason {
  return {
    code: "chain.head_outlier",
    message: "The endpoint claims a head far above the others; Ballast ignores it",
    endpoint,
    head: head.toString(),
    agreed: agreed.toString(),
  }
}

/** An endpoint whose view is of another time than the agreed one. Transient. */
export function behind(code: string, host: string, head: bigint, agreed: bigint): AppError {
  const why = `is at block ${head}, and the agreed one is ${agreed}; its answer does not count`
  return transient(code, `The endpoint ${host} ${why}`, { host, head, height: agreed })
}

/** An endpoint that is missing for an agreement. `error`: the code of its failure. */
function describeSilence(endpoint: string, { code, message }: AppError): Reason {
  return {
    code: "chain.agreement_short",
    message: `The endpoint gives no answer that counts: ${message}`,
    endpoint,
    error: code,
  }
}

/**
 * The doubts about a block, and the endpoints that are missing. An outlier has a reason already.
 */
export function describeMissing(
  answers: readonly EndpointAnswer<unknown>[],
  doubts: readonly Reason[],
): readonly Reason[] {
  const named = new Set(doubts.map(({ endpoint }) => endpoint))
  const silent = answers.flatMap((answer) =>
    answer.ok || named.has(answer.endpoint) ? [] : [describeSilence(answer.endpoint, answer.error)],
  )
  return [...doubts, ...silent]
}

/** One reason with the answers of all hosts. */
export function describeContradiction<T>(
  about: string,
  answers: readonly EndpointAnswer<T>[],
  show: (value: T) => string = plainJson,
): Reason {
  return {
    code: "chain.disagreement",
    message:
      `The endpoints contradict each other about ${about}; Ballast believes none of them until ` +
      "they agree",
    answers: listAnswers(answers, show),
  }
}

/** Transient. No answer is chosen; `doubts` has the contradictions. */
export function disagreement(code: string, doubts: readonly Reason[]): AppError {
  const found = doubts.filter((doubt) => doubt.code === "chain.disagreement")
  return new AppError({
    code,
    disposition: "transient",
    message: found[0]?.message ?? "The endpoints contradict each other",
    details: { answers: found.flatMap((doubt) => doubt["answers"] ?? []).join(" | ") },
  })
}

/** Transient. `doubts` names the endpoints that are missing. */
export function agreementShort(
  code: string,
  { needed, nodes }: { readonly needed: number; readonly nodes: readonly unknown[] },
  doubts: readonly Reason[],
): AppError {
  const missing = doubts.filter(({ endpoint }) => endpoint !== undefined)
  const answered = nodes.length - missing.length
  return new AppError({
    code,
    disposition: "transient",
    message:
      `${answered} of ${nodes.length} endpoints answer, and ${needed} must agree; Ballast asks ` +
      "again. Check the silent ones, or add another, if this lasts",
    details: {
      answered,
      needed,
      missing: missing
        .map(({ endpoint, error, code: why }) => `${endpoint}: ${error ?? why}`)
        .join(" | "),
    },
  })
}

/** A passing failure first, because a retry may help as long as one endpoint failed that way. */
export function firstFailure(answers: readonly EndpointAnswer<unknown>[]): AppError {
  const failures = answers.flatMap((answer) => (answer.ok ? [] : [answer.error]))
  return (
    failures.find(({ disposition }) => disposition === "transient") ?? failures[0] ?? noEndpoint()
  )
}

function noEndpoint(): AppError {
  return new AppError({
    code: "chain.no_endpoint",
    disposition: "fatal",
    message: "Configure an endpoint for this chain",
  })
}

function listAnswers<T>(answers: readonly EndpointAnswer<T>[], show: (value: T) => string): string {
  return answers
    .flatMap((one) => (one.ok ? [`${one.endpoint}: ${show(one.value).slice(0, MOST_SHOWN)}`] : []))
    .join(" | ")
}

const MOST_SHOWN = 400
