/** Far more than any answer that Ballast asks for; a larger one is an attack or a mistake. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024
/** A block with all its transactions. */
const MAX_BLOCK_BYTES = 64 * 1024 * 1024

/** The most bytes of a node's answer to this JSON-RPC method. */
export function maxAnswerBytes(method: string): number {
  return /getBlock/.test(method) ? MAX_BLOCK_BYTES : MAX_ANSWER_BYTES
}

/**
 * Reads the bytes of an HTTP answer. Throws as soon as the body is larger than `maxBytes`, and
 * closes the connection, so that no server can fill the memory.
 */
export async function readBytes(
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > maxBytes) throw new AnswerTooLarge(maxBytes)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** The server has an answer, and it is too large to read. */
export class AnswerTooLarge extends Error {
  constructor(maxBytes: number) {
    super(`the answer is larger than ${maxBytes} bytes`)
  }
}
