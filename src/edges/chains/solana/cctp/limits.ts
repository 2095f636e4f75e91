/** A live burn takes some 100 000 compute units; the searches of addresses vary. */
export const BURN_UNIT_LIMIT = 250_000n

/** A live mint takes up to 200 000, two recoveries of signatures among them. */
export const MINT_UNIT_LIMIT = 350_000n
/** The most of one transaction: nothing but a mint ends a burn, so it may take more some day. */
const MOST_UNITS = 1_400_000n
export const MINT_UNIT_LIMITS: readonly bigint[] = [MINT_UNIT_LIMIT, MOST_UNITS]

/** The sizes of the accounts that they open: the emitted message, and the mark of a nonce. */
export const EVENT_BYTES = 428
export const NONCE_BYTES = 9
