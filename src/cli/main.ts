import { EXIT, exitCodeOf } from "#daemon/exit-code.ts"
import { AppError, toAppError } from "#lib/app-error.ts"
import { systemClock } from "#lib/clock.ts"
import { type Arguments, parseArguments } from "./arguments.ts"
import { COMMANDS, usage } from "./command-table.ts"
import { followParent } from "./follow-parent.ts"

/** What a command is given: parsed arguments and the process's own things, so that none reads them by itself. */
export type Invocation = Arguments & {
  readonly env: NodeJS.ProcessEnv
  readonly clock: typeof systemClock
  readonly print: (text: string) => void
  readonly terminal: boolean
}

followParent(process.env)
// An open channel to a supervisor, or a keep-alive connection, would hold the process; everything worth waiting for is awaited by now.
process.exit(await runCommand(process.argv.slice(2)))

async function runCommand(argv: readonly string[]): Promise<number> {
  try {
    const parsed = parseArguments(argv)
    if (parsed.version) return answer((await import("./version.ts")).version())
    const command = COMMANDS[parsed.command]
    if (parsed.help || parsed.command === "help") return answer(usage(command ? parsed.command : null))
    if (!command) throw unknownCommand(parsed.command)
    const print = (text: string): void => void process.stdout.write(`${text}\n`)
    const invocation = {
      ...parsed,
      env: process.env,
      clock: systemClock,
      print,
      terminal: process.stdout.isTTY === true,
    }
    return await (await command.load())(invocation)
  } catch (error) {
    return fail(toAppError(error, { code: "cli.unexpected", disposition: "bug" }))
  }
}

function answer(text: string): number {
  process.stdout.write(`${text}\n`)
  return EXIT.ok
}

function fail(error: AppError): number {
  process.stderr.write(`ballast: ${error.message} [${error.code}]\n`)
  if (error.disposition === "bug")
    process.stderr.write(`${error.stack ?? ""}\n${String(error.cause instanceof Error ? error.cause.stack : "")}\n`)
  return error.code.startsWith("cli.usage") ? EXIT.usage : exitCodeOf(error)
}

function unknownCommand(command: string): AppError {
  const message =
    command === ""
      ? `expected a command\n\n${usage(null)}`
      : `there is no command "${command}"; \`ballast help\` lists them`
  return new AppError({ code: "cli.usage", disposition: "refused", message })
}
