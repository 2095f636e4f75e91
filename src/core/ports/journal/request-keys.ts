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
   * known, unless the command of the key has begun.
   */
  keepAnswer(key: RequestKey, answer: string, atMs: number): void
  /** The command begins; until its answer is kept the answer is an empty text. */
  beginAnswer(key: RequestKey, atMs: number): void
  /** The command that has begun did nothing: its key is unknown again. */
  dropBegun(key: RequestKey): void
}

/** The idempotency key of a request from outside, and the hash of the request's content. */
export type RequestKey = { readonly key: string; readonly request: string }

/** `request` is `null` for a withdrawn key. */
export type RequestKeyRow = {
  readonly key: string
  readonly request: string | null
  readonly orderId: string | null
  /** The answer to a command that opened no order, as text; empty while it has only begun. */
  readonly answer: string | null
}
