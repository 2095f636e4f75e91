import { AppError } from "#lib/app-error.ts"

/**
 * A frame is four bytes of length, big-endian, and that many bytes of UTF-8 text. The largest plan
 * has a few parents of 100 kB each.
 */
const MAX_FRAME_BYTES = 4 * 1024 * 1024

const HEAD_BYTES = 4

export function encodeFrame(text: string): Buffer {
  const body = Buffer.from(text, "utf8")
  if (body.length > MAX_FRAME_BYTES) throw frameError(body.length)
  const head = Buffer.alloc(HEAD_BYTES)
  head.writeUInt32BE(body.length)
  return Buffer.concat([head, body])
}

/**
 * Collects bytes and gives each whole frame once, in linear time. Throws `signer.frame` (refused)
 * as soon as a length is too large.
 */
export function createFrameReader(onFrame: (text: string) => void): (bytes: Uint8Array) => void {
  let parts: Uint8Array[] = []
  let have = 0
  let need = HEAD_BYTES
  let inHead = true

  return (bytes) => {
    let rest = bytes
    while (rest.length > 0) {
      const taken = rest.subarray(0, need - have)
      rest = rest.subarray(taken.length)
      parts.push(taken)
      have += taken.length
      if (have < need) return
      const whole = Buffer.concat(parts)
      parts = []
      have = 0
      if (inHead) {
        need = readLength(whole)
        inHead = false
      } else {
        need = HEAD_BYTES
        inHead = true
        onFrame(whole.toString("utf8"))
      }
    }
  }
}

function readLength(head: Buffer): number {
  const length = head.readUInt32BE()
  if (length === 0 || length > MAX_FRAME_BYTES) throw frameError(length)
  return length
}

function frameError(length: number): AppError {
  return new AppError({
    code: "signer.frame",
    disposition: "refused",
    message:
      `a frame of ${length} bytes is outside 1 to ${MAX_FRAME_BYTES}, so the signer closes the ` +
      "connection",
    details: { length },
  })
}
