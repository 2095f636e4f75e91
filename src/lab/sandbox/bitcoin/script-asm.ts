import { opcodes } from "bitcoinjs-lib"

/**
 * Prints a script as Esplora does: `OP_PUSHNUM_1 OP_PUSHBYTES_32 0f0e…`.
 *
 * Esplora uses the names of rust-bitcoin; `toASM` of bitcoinjs-lib prints other names and omits the
 * push opcodes.
 */
export function formatScriptAsm(script: Uint8Array): string {
  const words: string[] = []
  for (let at = 0; at < script.length; ) {
    const code = script[at] ?? 0
    const push = pushAt(script, at)
    if (push === null) {
      words.push(opcodeName(code))
      at++
      continue
    }
    const data = script.slice(push.start, push.start + push.length)
    words.push(push.word)
    if (data.length < push.length) return [...words, "<push past end>"].join(" ")
    words.push(Buffer.from(data).toString("hex"))
    at = push.start + push.length
  }
  return words.join(" ")
}

/** The type of an output script, with Esplora's names. */
export function scriptTypeOf(script: Uint8Array): string {
  const text = Buffer.from(script).toString("hex")
  return PATTERNS.find(([pattern]) => pattern.test(text))?.[1] ?? "unknown"
}

const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/^$/, "empty"],
  [/^6a/, "op_return"],
  [/^0014.{40}$/, "v0_p2wpkh"],
  [/^0020.{64}$/, "v0_p2wsh"],
  [/^5120.{64}$/, "v1_p2tr"],
  [/^76a914.{40}88ac$/, "p2pkh"],
  [/^a914.{40}87$/, "p2sh"],
  [/^(21.{66}|41.{130})ac$/, "p2pk"],
]

function pushAt(
  script: Uint8Array,
  at: number,
): { word: string; start: number; length: number } | null {
  const code = script[at] ?? 0
  if (code >= 1 && code <= 75) return { word: `OP_PUSHBYTES_${code}`, start: at + 1, length: code }
  const sizeBytes = { 76: 1, 77: 2, 78: 4 }[code]
  if (sizeBytes === undefined) return null
  const size = Buffer.alloc(4)
  size.set(script.slice(at + 1, at + 1 + sizeBytes))
  return { word: `OP_PUSHDATA${sizeBytes}`, start: at + 1 + sizeBytes, length: size.readUInt32LE() }
}

const RENAMED: Readonly<Record<string, string>> = {
  OP_FALSE: "OP_0",
  OP_1NEGATE: "OP_PUSHNUM_NEG1",
  OP_NOP2: "OP_CLTV",
  OP_CHECKLOCKTIMEVERIFY: "OP_CLTV",
  OP_NOP3: "OP_CSV",
  OP_CHECKSEQUENCEVERIFY: "OP_CSV",
}

function opcodeName(code: number): string {
  if (code === 0) return "OP_0"
  if (code >= 0x51 && code <= 0x60) return `OP_PUSHNUM_${code - 0x50}`
  const name = opcodes[code]
  return name === undefined ? `OP_RETURN_${code}` : (RENAMED[name] ?? name)
}
