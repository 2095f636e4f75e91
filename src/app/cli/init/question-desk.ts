import { createInterface } from "node:readline/promises"
import { AppError } from "#lib/app-error.ts"

/**
 * Asks a person on a terminal, one question after another. Without one (`null`) each question takes
 * the given text or its default.
 */
export type QuestionDesk = {
  /**
   * The parsed answer. `given` comes from an option and is never asked for. A wrong typed answer is
   * asked again; a wrong given one throws. Throws `init.missing_answer` (refused) where no answer
   * and no default exist, and `init.aborted` (refused) after Ctrl-C.
   */
  answer<T>(question: Question<T>): Promise<T>
}

type Question<T> = {
  readonly option: string
  readonly text: string
  readonly given: string | null
  readonly preset: string | null
  readonly parse: (text: string) => T
}

export function createQuestionDesk(interactive: boolean): QuestionDesk {
  return {
    answer: async ({ option, text, given, preset, parse }) => {
      if (given !== null) return parse(given.trim())
      if (!interactive) {
        if (preset !== null) return parse(preset)
        const [question] = text.split("\n")
        const message = `${question} needs an answer: give --${option}`
        throw new AppError({ code: "init.missing_answer", disposition: "refused", message })
      }
      for (;;) {
        const typed = (
          await ask(`${text}${preset === null || preset === "" ? "" : ` [${preset}]`}\n> `)
        ).trim()
        if (typed === "" && preset === null) {
          process.stderr.write(
            "This question needs an answer; Ctrl-C ends without writing a file\n",
          )
          continue
        }
        try {
          return parse(typed === "" && preset !== null ? preset : typed)
        } catch (error) {
          if (!(error instanceof AppError)) throw error
          process.stderr.write(`${error.message}\n`)
        }
      }
    },
  }
}

/**
 * Unlike `askTerminal`, the end of the input is no empty answer: an empty answer takes the default.
 */
async function ask(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  const ended = Promise.withResolvers<never>()
  lines.once("close", () => ended.reject(aborted()))
  try {
    return await Promise.race([
      lines.question(question).catch(() => Promise.reject(aborted())),
      ended.promise,
    ])
  } finally {
    ended.promise.catch(() => undefined)
    lines.close()
  }
}

function aborted(): AppError {
  const message = "Interrupted, so no file was written; start again with `ballast init`"
  return new AppError({ code: "init.aborted", disposition: "refused", message })
}
