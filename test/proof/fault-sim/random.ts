/**
 * The random numbers of a run. A seed gives the same numbers on every machine, because only 32-bit
 * integer arithmetic is used.
 */
export type Random = {
  /** From 0 to 1, 1 excluded. */
  readonly next: () => number
  /** A whole number from 0 to `limit`, `limit` excluded. */
  readonly below: (limit: number) => number
  readonly chance: (share: number) => boolean
  readonly pick: <T>(list: readonly [T, ...T[]]) => T
  /** An independent stream: more draws from one stream do not change the draws of another. */
  readonly fork: () => Random
}

/** xoshiro128** (Blackman, Vigna) with a state filled by splitmix32. */
export function createRandom(seed: number): Random {
  const mix = splitmix(seed)
  let a = mix()
  let b = mix()
  let c = mix()
  let d = mix()

  function draw(): number {
    const result = Math.imul(rotate(Math.imul(b, 5), 7), 9) >>> 0
    const shifted = b << 9
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= shifted
    d = rotate(d, 11)
    return result
  }

  const next = (): number => draw() / 2 ** 32
  const below = (limit: number): number => Math.floor(next() * limit)
  return {
    next,
    below,
    chance: (share) => next() < share,
    pick: (list) => list[below(list.length)] ?? list[0],
    fork: () => createRandom(draw()),
  }
}

function splitmix(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x9e3779b9) | 0
    let z = state ^ (state >>> 16)
    z = Math.imul(z, 0x21f0aaad)
    z ^= z >>> 15
    z = Math.imul(z, 0x735a2d97)
    return z ^ (z >>> 15)
  }
}

function rotate(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits))
}
