/**
 * A sorted list in pieces, so that a change moves at most one piece: with a hundred thousand items
 * in one array every change would move half of them.
 */
type SortedList<Item> = {
  readonly add: (item: Item) => void
  readonly remove: (item: Item) => void
  /**
   * The items for which `isBefore` holds, from the first one on. It holds for no item after one for
   * which it does not.
   */
  readonly takeWhile: (isBefore: (item: Item) => boolean, limit: number) => Item[]
  readonly all: () => Item[]
}

const MOST_IN_PIECE = 512

/** No two items are equal: `compare` is 0 for the item itself alone. */
export function createSortedList<Item>(compare: (a: Item, b: Item) => number): SortedList<Item> {
  const pieces: Item[][] = []

  /** The piece that has the item, or that it belongs into, with its place there. */
  function find(
    item: Item,
  ): { readonly piece: Item[]; readonly index: number; readonly place: number } | null {
    const isBefore = (other: Item | undefined): boolean =>
      other !== undefined && compare(other, item) < 0
    const index = Math.min(
      countFirst(pieces, (piece) => isBefore(piece.at(-1))),
      pieces.length - 1,
    )
    const piece = pieces[index]
    return piece === undefined ? null : { piece, index, place: countFirst(piece, isBefore) }
  }

  return {
    add: (item) => {
      const found = find(item)
      if (found === null) {
        pieces.push([item])
        return
      }
      const { piece, index, place } = found
      piece.splice(place, 0, item)
      if (piece.length > MOST_IN_PIECE) pieces.splice(index + 1, 0, piece.splice(MOST_IN_PIECE / 2))
    },
    remove: (item) => {
      const found = find(item)
      if (found === null) return
      const { piece, index, place } = found
      const there = piece[place]
      if (there === undefined || compare(there, item) !== 0) return
      piece.splice(place, 1)
      if (piece.length === 0) pieces.splice(index, 1)
    },
    takeWhile: (isBefore, limit) => {
      const taken: Item[] = []
      for (const piece of pieces) {
        const count = Math.min(limit - taken.length, countFirst(piece, isBefore))
        taken.push(...(count === piece.length ? piece : piece.slice(0, count)))
        if (count < piece.length) break
      }
      return taken
    },
    all: () => pieces.flat(),
  }
}

/** The number of items at the start of the list for which `isBefore` holds. */
function countFirst<Item>(list: readonly Item[], isBefore: (item: Item) => boolean): number {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const item = list[middle]
    if (item !== undefined && isBefore(item)) low = middle + 1
    else high = middle
  }
  return low
}
