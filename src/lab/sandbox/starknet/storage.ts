/**
 * Contract storage: one flat map of felts, as on the real chain. An unwritten slot reads as zero.
 */
export type Storage = {
  read(slot: string): bigint
  write(slot: string, value: bigint): void
}

/** A layer keeps its writes until `commit`. A revert drops the layer and with it all writes. */
export function layerOver(base: Storage): Storage & { commit(): void } {
  const written = new Map<string, bigint>()
  return {
    read: (slot) => written.get(slot) ?? base.read(slot),
    write: (slot, value) => void written.set(slot, value),
    commit: () => {
      for (const [slot, value] of written) base.write(slot, value)
    },
  }
}

export function storageOf(slots: Record<string, bigint>): Storage {
  return {
    read: (slot) => slots[slot] ?? 0n,
    write: (slot, value) => {
      slots[slot] = value
    },
  }
}

/** The name of a slot: contract, variable, keys. */
export function slotOf(contract: bigint, variable: string, ...keys: bigint[]): string {
  return [contract.toString(16), variable, ...keys.map((key) => key.toString(16))].join("/")
}
