import { createInterface } from "node:readline/promises"

/**
 * Asks on standard error, because standard output may go to a file, and returns the typed line. The
 * end of the input is an empty answer.
 */
export async function askTerminal(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  const ended = new Promise<string>((resolve) => lines.once("close", () => resolve("")))
  try {
    return await Promise.race([lines.question(question), ended])
  } finally {
    lines.close()
  }
}
