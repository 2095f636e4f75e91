import type { ContractIdentity } from "#domain/contract-identity.ts"

/**
 * Reads the contracts that hold deposits. Each family with contracts has one, in
 * `identify-contract.ts`.
 *
 * The reads change nothing and need no key. They throw the errors of `ask`.
 */
export type ContractReader = {
  /** The values that `pinned` compares. An address without a contract gives `none`, no error. */
  readIdentity(ask: AskNode, htlc: string): Promise<ContractIdentity>
  /** Addresses that services list in the place of a token for the native coin. */
  readonly nativeTokens: readonly string[]
  /** Compares a contract with its listing. */
  inspect(ask: AskNode, listed: ListedHtlc): Promise<ContractInspection>
}

/**
 * Calls one method of a node. Throws `NodeRefusal` when the node answers with an error, and any
 * other error without an answer.
 */
export type AskNode = (method: string, params: unknown) => Promise<unknown>

/** An HTLC contract or program as the service lists it. */
export type ListedHtlc = {
  readonly htlc: string
  /** `null` for the native coin. */
  readonly token: string | null
  readonly decimals: number
}

export type ContractInspection = {
  readonly identity: ContractIdentity
  /** Further values for a person, by name: `token`, `version`, the address of an implementation. */
  readonly details: Readonly<Record<string, string>>
  readonly findings: readonly ContractFinding[]
}

/**
 * `unusable`: deposits would fail or could be lost. `review`: a person decides whether to trust it.
 */
export type ContractFinding = {
  readonly severity: "unusable" | "review"
  readonly code: string
  readonly message: string
}

/** The error that a node answers, such as a reverted call. */
export class NodeRefusal extends Error {
  readonly rpcCode: number
  constructor(rpcCode: number, message: string) {
    super(message)
    this.rpcCode = rpcCode
  }
}
