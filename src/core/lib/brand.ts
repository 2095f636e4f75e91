declare const brand: unique symbol

/**
 * A string or object that only one place may make. The brand proves that the value comes from that
 * place.
 */
export type Brand<T, Name extends string> = T & { readonly [brand]: Name }
