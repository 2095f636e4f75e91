/** Awaited later, or never: until then a failure must not end the process. */
export function ignoreUnhandled<T>(read: Promise<T>): Promise<T> {
  read.catch(() => undefined)
  return read
}
