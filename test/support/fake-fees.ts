/** The usual fee of a fake chain, and the configured cap. */
export const FEE = 10n
export const MAX_FEE = 200n
