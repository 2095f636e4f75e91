/** Far more than any answer that Ballast asks for; a larger one is an attack or a mistake. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024
/** A block with all its transactions. */
const MAX_BLOCK_BYTES = 64 * 1024 * 1024
/** A quantity, a hash, a status or the code of a contract. */
const MAX_SMALL_BYTES = 1024 * 1024

/** The most bytes of a node's answer to this JSON-RPC method. */
export function maxAnswerBytes(method: string): number {
  if (/getBlock(By|With|Receipts|$)/.test(method)) return MAX_BLOCK_BYTES
  return LARGE.test(method) ? MAX_ANSWER_BYTES : MAX_SMALL_BYTES
}

/** Methods with lists, and with objects that others have written. */
const LARGE = /_call$|Logs|Events|Receipt|getTransaction(ByHash)?$|Signatures|Account|Estimate|Fees/

/**
 * Reads the bytes of an HTTP answer. Throws as soon as the body is larger than `maxBytes` or
 * `check` refuses a part, and closes the connection, so that no server can fill the memory.
 */
export async function readBytes(
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
  check?: (chunk: Uint8Array) => void,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > maxBytes) throw new AnswerTooLarge(maxBytes)
    check?.(chunk)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** The server has an answer, and it is too large to read. */
export class AnswerTooLarge extends Error {
  constructor(most: number | string) {
    super(typeof most === "number" ? `the answer is larger than ${most} bytes` : most)
  }
}
