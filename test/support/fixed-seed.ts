import fc from "fast-check"

/**
 * The seed of every random choice of the tests. It is fixed, so that nothing but the change decides
 * whether a change lands; `npm run campaign -- properties` takes new ones.
 */
export const SEED = Number(process.env["BALLAST_SEED"] ?? 1)

fc.configureGlobal({ seed: SEED })
