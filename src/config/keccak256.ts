/**
 * Keccak-256 as Ethereum uses it: padding 0x01, not SHA-3's 0x06, which is why `node:crypto` has none. Lower-case hex.
 *
 * Only for the check sum of a keystore file: simple, and slow. Source: the Keccak reference, version 3.0, rate 136 bytes.
 */
export function keccak256(bytes: Uint8Array): string {
  const state = new Array<bigint>(25).fill(0n)
  const padded = pad(bytes)
  for (let block = 0; block < padded.length; block += RATE) {
    for (let lane = 0; lane < RATE / 8; lane++) {
      state[lane] = at(state, lane) ^ padded.readBigUInt64LE(block + lane * 8)
    }
    permute(state)
  }
  const digest = Buffer.alloc(32)
  for (let lane = 0; lane < 4; lane++) digest.writeBigUInt64LE(at(state, lane), lane * 8)
  return digest.toString("hex")
}

const RATE = 136
const MASK = (1n << 64n) - 1n

function pad(bytes: Uint8Array): Buffer {
  const padded = Buffer.alloc((Math.floor(bytes.length / RATE) + 1) * RATE)
  padded.set(bytes)
  padded[bytes.length] = 0x01
  padded[padded.length - 1] = (padded[padded.length - 1] ?? 0) | 0x80
  return padded
}

/** Rotations and targets of the combined rho and pi steps, along the cycle that starts at lane 1. */
const ROTATIONS = [1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 2, 14, 27, 41, 56, 8, 25, 43, 62, 18, 39, 61, 20, 44]
const LANES = [10, 7, 11, 17, 18, 3, 5, 16, 8, 21, 24, 4, 15, 23, 19, 13, 12, 2, 20, 14, 22, 9, 6, 1]

function permute(state: bigint[]): void {
  let lfsr = 1
  for (let round = 0; round < 24; round++) {
    mixColumns(state)
    moveLanes(state)
    mixRows(state)
    // Iota: the round constants come from a linear feedback shift register, one bit for each power of two.
    for (let bit = 0; bit < 7; bit++) {
      if (lfsr & 1) state[0] = at(state, 0) ^ (1n << BigInt(2 ** bit - 1))
      lfsr = lfsr & 0x80 ? ((lfsr << 1) ^ 0x71) & 0xff : lfsr << 1
    }
  }
}

function mixColumns(state: bigint[]): void {
  const parity = [0, 1, 2, 3, 4].map((x) => [0, 5, 10, 15, 20].reduce((sum, y) => sum ^ at(state, x + y), 0n))
  for (let lane = 0; lane < 25; lane++) {
    const x = lane % 5
    state[lane] = at(state, lane) ^ at(parity, (x + 4) % 5) ^ rotate(at(parity, (x + 1) % 5), 1)
  }
}

function moveLanes(state: bigint[]): void {
  let moving = at(state, 1)
  LANES.forEach((lane, index) => {
    const next = at(state, lane)
    state[lane] = rotate(moving, ROTATIONS[index] ?? 0)
    moving = next
  })
}

function mixRows(state: bigint[]): void {
  for (let row = 0; row < 25; row += 5) {
    const before = state.slice(row, row + 5)
    for (let x = 0; x < 5; x++) {
      state[row + x] = at(before, x) ^ (~at(before, (x + 1) % 5) & MASK & at(before, (x + 2) % 5))
    }
  }
}

function rotate(value: bigint, by: number): bigint {
  return ((value << BigInt(by)) | (value >> BigInt(64 - by))) & MASK
}

function at(lanes: readonly bigint[], index: number): bigint {
  return lanes[index] ?? 0n
}
