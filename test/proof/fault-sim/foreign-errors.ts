import { AppError, type Disposition } from "#lib/app-error.ts"

/** The ways in which a call can fail to give a usable answer. */
export type NoAnswer = "lost" | "http" | "html" | "malformed" | "slow" | "refused"

/**
 * The error that the real client behind a port makes of a failed answer (ERRORS.md). A write
 * without a usable answer is `uncertain`. A refusal by the service, and a node's answer that the
 * bytes can never be valid, are believed.
 */
export function foreignError(port: string, how: NoAnswer, isWrite: boolean): AppError {
  const edge = EDGES.find(({ prefix }) => port.startsWith(prefix)) ?? SERVICE
  const { code, disposition } = describe(edge, how, isWrite)
  return new AppError({
    code,
    disposition,
    message: `Simulated: ${port} gave no usable answer (${how})`,
  })
}

/**
 * An answer that the client cannot interpret (`hold`), or an unexpected refusal, for example by a
 * key that derives other bytes than planned.
 */
export function unexpectedError(port: string, disposition: "hold" | "refused"): AppError {
  const { code } = (EDGES.find(({ prefix }) => port.startsWith(prefix)) ?? SERVICE).malformed
  return new AppError({
    code,
    disposition,
    message: `Simulated: ${port} gave an unexpected answer`,
  })
}

type Edge = {
  readonly prefix: string
  readonly unreachable: string
  readonly http: string
  readonly malformed: { readonly code: string; readonly read: Disposition }
  readonly uncertain: string
  readonly refused: string
}

const SERVICE: Edge = {
  prefix: "service",
  unreachable: "service.unavailable",
  http: "service.unavailable",
  malformed: { code: "service.malformed", read: "transient" },
  uncertain: "service.uncertain",
  refused: "service.refused",
}

const evm = (prefix: string): Edge => ({
  prefix,
  unreachable: "evm.unreachable",
  http: "evm.unavailable",
  malformed: { code: "evm.nonsense", read: "transient" },
  uncertain: "evm.not_taken",
  refused: "evm.not_taken",
})

const EDGES: readonly Edge[] = [
  SERVICE,
  evm("base"),
  evm("arbitrum"),
  {
    prefix: "bitcoin",
    unreachable: "bitcoin.esplora_unreachable",
    http: "bitcoin.esplora_busy",
    malformed: { code: "bitcoin.esplora_answer", read: "transient" },
    uncertain: "bitcoin.broadcast_unknown",
    refused: "bitcoin.broadcast_refused",
  },
  {
    prefix: "solana",
    unreachable: "solana.unreachable",
    http: "solana.unreachable",
    malformed: { code: "solana.nonsense", read: "transient" },
    uncertain: "solana.broadcast_uncertain",
    refused: "solana.invalid_transaction",
  },
  {
    prefix: "starknet",
    unreachable: "starknet.unreachable",
    http: "starknet.unavailable",
    malformed: { code: "starknet.nonsense", read: "transient" },
    uncertain: "starknet.not_taken",
    refused: "starknet.not_taken",
  },
]

function describe(
  edge: Edge,
  how: NoAnswer,
  isWrite: boolean,
): { code: string; disposition: Disposition } {
  if (how === "refused") return { code: edge.refused, disposition: "refused" }
  const { code, read } = edge.malformed
  if (isWrite) {
    const isServiceText = how === "malformed" && edge === SERVICE
    return { code: isServiceText ? code : edge.uncertain, disposition: "uncertain" }
  }
  if (how === "malformed") return { code, disposition: read }
  return {
    code: how === "http" || how === "html" ? edge.http : edge.unreachable,
    disposition: "transient",
  }
}
