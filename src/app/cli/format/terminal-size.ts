type Stream = { readonly isTTY?: boolean; readonly columns?: number; readonly rows?: number }

/** `null` for a file or a pipe. A terminal that nothing has given a size says 0 (tty_ioctl(4)). */
export function columnsOf({ isTTY, columns = 0 }: Stream): number | null {
  if (isTTY !== true) return null
  return columns > 0 ? columns : 80
}

export function rowsOf({ rows = 0 }: Stream): number {
  return rows > 0 ? rows : 24
}
