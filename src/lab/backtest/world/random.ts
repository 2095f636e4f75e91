/**
 * Random numbers that are the same for the same seed and name on every machine. They use 32-bit
 * integers, and for fractions only additions and square roots, which IEEE 754 rounds exactly.
 */
export type Random = {
  /** From 0 to 1, 1 excluded. */
  readonly next: () => number
  /** Mean 0, standard deviation 1, never beyond ±6: the sum of twelve even draws, less six. */
  readonly normal: () => number
}

/**
 * A separate stream for each name, so that extra draws from one stream do not change another.
 * xoshiro128** (Blackman, Vigna).
 */
export function createRandom(seed: number, name: string): Random {
  const mix = splitmix(hashOf(`${seed}/${name}`))
  let a = mix()
  let b = mix()
  let c = mix()
  let d = mix()

  function next(): number {
    const result = Math.imul(rotate(Math.imul(b, 5), 7), 9) >>> 0
    const shifted = b << 9
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= shifted
    d = rotate(d, 11)
    return result / 2 ** 32
  }

  function normal(): number {
    let sum = -6
    for (let draw = 0; draw < 12; draw += 1) sum += next()
    return sum
  }

  return { next, normal }
}

/** FNV-1a, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0
  return hash
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
