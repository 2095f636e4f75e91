import { once } from "node:events"
import { readSync } from "node:fs"
import { AppError } from "#lib/app-error.ts"

/**
 * Reads one line of standard input. On a terminal it asks on standard error and shows nothing of
 * the answer. Throws `cli.usage_input` (refused) at the end of the input.
 */
export async function readLine(question: string): Promise<string> {
  if (process.stdin.isTTY !== true) return readPlainLine(question)
  // The terminal shows what is typed until this, so it comes before the question.
  process.stdin.setRawMode(true)
  process.stderr.write(`${question}: `)
  process.stdin.resume()
  try {
    return await readHidden(question)
  } finally {
    process.stdin.setRawMode(false)
    process.stdin.pause()
    process.stderr.write("\n")
  }
}

const CTRL_C = "\u0003"
const CTRL_D = "\u0004"
const BACKSPACE = "\u007f"

async function readHidden(question: string): Promise<string> {
  let line = ""
  for (;;) {
    const [chunk] = await once(process.stdin, "data")
    for (const letter of String(chunk)) {
      if (letter === CTRL_C || letter === CTRL_D) throw noInput(question)
      if (letter === "\r" || letter === "\n") return line
      line = letter === BACKSPACE ? line.slice(0, -1) : line + letter
    }
  }
}

/** Byte by byte, so that the next line stays for the next question. */
function readPlainLine(question: string): string {
  const bytes: number[] = []
  const byte = Buffer.alloc(1)
  while (readSync(0, byte) > 0) {
    if (byte[0] === 10) return Buffer.from(bytes).toString("utf8").replace(/\r$/, "")
    bytes.push(byte[0] ?? 0)
  }
  if (bytes.length > 0) return Buffer.from(bytes).toString("utf8")
  throw noInput(question)
}

function noInput(question: string): AppError {
  return new AppError({
    code: "cli.usage_input",
    disposition: "refused",
    message: `no ${question.toLowerCase()} was given; type it, or write it to standard input`,
  })
}
