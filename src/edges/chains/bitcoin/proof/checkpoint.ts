/**
 * A block that Ballast starts from. Every accepted chain contains it, and has at least
 * `leastBlocks` blocks after it: a server that shows an older end of the chain proves nothing.
 */
export type Checkpoint = {
  readonly height: number
  readonly hash: string
  readonly leastBlocks: number
}

/**
 * The main network. Block 935 000 is one of the snapshot heights that Bitcoin Core 31 ships
 * (`m_assumeutxo_data`, February 2026); the release after it ships 965 000 (October 2026), so that
 * many blocks exist.
 */
export const MAIN_CHECKPOINT: Checkpoint = {
  height: 935_000,
  hash: "0000000000000000000147034958af1652b2b91bba607beacc5e72a56f0fb5ee",
  leastBlocks: 30_000,
}
