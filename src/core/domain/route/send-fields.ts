/**
 * The fields of a new order that the service interface does not know and live deployments do (field
 * notes, Create).
 */
export type SendFields = {
  readonly solverId: boolean
  /** A JSON number with all digits, or text; "off" sends none. */
  readonly nonce: "number" | "text" | "off"
  /** Bitcoin: the depositor's own refund key. */
  readonly delegate: boolean
  /** Basis points; `null` sends none. */
  readonly slippageBps: number | null
}

/** All fields but the slippage, or none. */
export function sendFieldsOf(extras: boolean): SendFields {
  return { solverId: extras, nonce: extras ? "number" : "off", delegate: extras, slippageBps: null }
}
