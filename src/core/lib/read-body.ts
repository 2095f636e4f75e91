/** A block with all its transactions, or the receipt of one with everything that a block holds. */
const MAX_BLOCK_BYTES = 16 * 1024 * 1024
/** A search for more is asked in parts, and the hashes of a block's transactions are less. */
const MAX_LIST_BYTES = 4 * 1024 * 1024
/** A quantity, a hash, a status or the code of a contract. */
const MAX_SMALL_BYTES = 1024 * 1024

/**
 * The most bytes of a node's answer to this JSON-RPC method. What a hostile one has below them
 * stops the process for a few hundredths of a second.
 */
export function maxAnswerBytes(method: string, params?: unknown): number {
  const isWholeBlock = Array.isArray(params) && params[1] === true
  if (isWholeBlock || /WithTxs$|Receipt/.test(method)) return MAX_BLOCK_BYTES
  return LIST.test(method) ? MAX_LIST_BYTES : MAX_SMALL_BYTES
}

/** Methods with lists, and with objects that others have written. */
const LIST =
  /getBlock(By|With)|_call$|Logs|Events|getTransaction(ByHash)?$|Signatures|Account|Estimate|Fees/

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
  let since = 0
  for await (const chunk of body) {
    size += chunk.length
    since += Math.max(chunk.length, LEAST_PART)
    if (size > maxBytes) throw new AnswerTooLarge(maxBytes)
    check?.(chunk)
    chunks.push(chunk)
    // Many parts may have arrived in one turn of the event loop.
    if (since > TURN_BYTES) {
      since = 0
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  return Buffer.concat(chunks)
}

const TURN_BYTES = 256 * 1024
/** The work of a part does not follow from its bytes alone. */
const LEAST_PART = 64

/** The server has an answer, and it is too large to read. */
export class AnswerTooLarge extends Error {
  constructor(most: number | string) {
    super(typeof most === "number" ? `the answer is larger than ${most} bytes` : most)
  }
}
