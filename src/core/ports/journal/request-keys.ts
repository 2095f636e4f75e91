/** The idempotency keys of requests from outside. */
export interface RequestKeys {
  /**
   * The order of a request's key; `orderId` is `null` for a withdrawn key, and the answer `null`
   * for an unknown one.
   */
  findRequestKey(key: string): RequestKeyRow | null
  /**
   * No later request may open an order under this key. Throws `journal.request_key_taken` when the
   * key is known.
   */
  withdrawRequestKey(key: string, atMs: number): void
  /**
   * The answer to a command that opens no order. Throws `journal.request_key_taken` when the key is
   * known.
   */
  keepAnswer(key: RequestKey, answer: string, atMs: number): void
}

/** The idempotency key of a request from outside, and the hash of the request's content. */
export type RequestKey = { readonly key: string; readonly request: string }

/** `request` is `null` for a withdrawn key. */
export type RequestKeyRow = {
  readonly key: string
  readonly request: string | null
  readonly orderId: string | null
  /** The answer to a command that opened no order, as text. */
  readonly answer: string | null
}
