/** Small values by name: pauses, and marks of how far something was read. */
export interface FlagStore {
  readFlag(key: string): string | null
  writeFlag(key: string, value: string | null): void
  /** As `writeFlag`, for a value that the next look writes again if it is lost. */
  noteFlag(key: string, value: string): void
}
