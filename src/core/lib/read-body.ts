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
  let bytes: Uint8Array = new Uint8Array()
  let size = 0
  let since = 0
  for await (const chunk of body) {
    size += chunk.length
    since += Math.max(chunk.length, LEAST_PART)
    if (size > maxBytes) throw new AnswerTooLarge(maxBytes)
    check?.(chunk)
    bytes = bytes.length === 0 ? chunk : append(bytes, chunk, size - chunk.length, maxBytes)
    // Many parts may have arrived in one turn of the event loop.
    if (since > TURN_BYTES) {
      since = 0
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  return bytes.subarray(0, size)
}

/**
 * Parts are copied at once: each may hold a buffer that is far larger than itself. The pages of a
 * store that grows in its place go back to the system with it, and not into a heap of ours.
 */
function append(known: Uint8Array, part: Uint8Array, at: number, maxBytes: number): Uint8Array {
  let bytes = known
  if (known.buffer instanceof ArrayBuffer && !known.buffer.resizable) {
    bytes = new Uint8Array(new ArrayBuffer(known.length, { maxByteLength: maxBytes }))
    bytes.set(known)
  }
  const { buffer } = bytes
  if (buffer instanceof ArrayBuffer && at + part.length > buffer.byteLength)
    buffer.resize(Math.min(maxBytes, (at + part.length) * 2))
  bytes.set(part, at)
  return bytes
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
