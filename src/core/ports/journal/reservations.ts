/** What one order alone may use: nonces, outpoints, locks and secret hashes. */
export interface Reservations {
  /**
   * The resources (nonces, outpoints, locks) under this prefix that orders other than `exceptOrder`
   * hold, without the prefix.
   */
  listReserved(prefix: string, exceptOrder?: string): ReadonlySet<string>
  /** The order that holds this resource; `null` when it is free. */
  findHolder(resource: string): string | null
  isSecretHashKnown(secretHash: string, exceptOrder: string): boolean
}
