import type { ContractIdentity } from "#domain/contract-identity.ts"
import type { AskNode } from "#nodes/ask-node.ts"

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
