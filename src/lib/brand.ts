declare const brand: unique symbol

/** A string or object that only one place may make: the brand is the proof that it went through there. */
export type Brand<T, Name extends string> = T & { readonly [brand]: Name }
