/**
 * The values by which Ballast recognises a contract or program, by name: `code` and
 * `implementation` on one family, `program` and `authority` on another. A contract that did not
 * change gives the same values at every read.
 */
export type ContractIdentity = Readonly<Record<string, string>>

/** A contract of the configuration with the identity that a person has reviewed. */
export type PinnedContract = { readonly htlc: string; readonly identity: ContractIdentity }

/**
 * The value of a part that does not exist: no code at the address, no authority that may upgrade
 * the program.
 */
export const ABSENT = "none"
