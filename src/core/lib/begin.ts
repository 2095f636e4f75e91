/**
 * Begins a read beside others. Its failure counts only where its answer is needed; without a reader
 * it must not end the process.
 */
export function begin<T>(read: Promise<T>): Promise<T> {
  read.catch(() => undefined)
  return read
}
