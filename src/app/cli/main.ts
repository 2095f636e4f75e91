import { EXIT, exitCodeOf } from "#daemon/start/exit-code.ts"
import { AppError, toAppError } from "#lib/app-error.ts"
import { systemClock } from "#lib/clock.ts"
import { findEnvironmentFault } from "#lib/environment-fault.ts"
import { plainJson } from "#lib/json.ts"
import { printable } from "#lib/printable.ts"
import { askTerminal } from "./ask-terminal.ts"
import { COMMANDS } from "./command-list.ts"
import type { CommandContext } from "./define-command.ts"
import { followParent } from "./follow-parent.ts"
import { fitWidth } from "./format/fit-width.ts"
import { formatCommandHelp, formatOverview } from "./format/format-help.ts"
import { shortenAmounts } from "./format/short-amounts.ts"
import { columnsOf, rowsOf } from "./format/terminal-size.ts"
import { colour, usesColour } from "./format/tone.ts"
import { parseArguments } from "./parse-arguments.ts"
import { translateSystemError } from "./translate-system-error.ts"

// Everything that Ballast writes is for its own user: journal, backups, exports, sockets.
process.umask(0o077)
followParent(process.env)
process.stdout.on("error", (error: Error) => process.exit(loseOutput(error)))
// A closed terminal must not end a command.
process.stderr.on("error", () => undefined)
// Every command awaits its own work. An open channel to a supervisor, or a keep-alive connection,
// must not hold the process after that.
const exitCode = await runBallast(process.argv.slice(2))
// An answer that the disk refused is told in the next turn; without it the command has not
// succeeded.
await new Promise<void>((resolve) => process.nextTick(resolve))
// A socket, as another program's child has it, takes a long answer in parts; an exit would cut the
// rest off.
await Promise.all([process.stdout, process.stderr].map(writeRest))
process.exit(exitCode)

/** Also ends when the reader is gone: the callback then gets the error. */
function writeRest(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) =>
    stream.writableLength === 0 ? resolve() : stream.write("", () => resolve()),
  )
}

async function runBallast(argv: readonly string[]): Promise<number> {
  let failing: Failing = { json: false, isService: false }
  let daemon: CommandContext | null = null
  try {
    const request = parseArguments(argv, COMMANDS)
    if (request.kind === "version") return answer((await import("./version.ts")).version())
    const { command } = request
    if (request.kind === "help")
      return answer(command ? formatCommandHelp(command) : formatOverview(COMMANDS))
    const { config, sandbox, json, input } = request
    failing = { json, isService: request.command.isService === true }
    const terminal = process.stdout.isTTY === true
    const columns = columnsOf(process.stdout)
    const isExact =
      json || request.command.options["exact"] === undefined || input.options["exact"] === true
    const toText = isExact ? printable : (text: string) => shortenAmounts(printable(text))
    const write = createPrint(toText, json ? null : columns, usesColour(process.env, terminal))
    const print: CommandContext["print"] = (...text) => {
      failing = { json: false, isService: failing.isService }
      write(...text)
    }
    const interactive = terminal && process.stdin.isTTY === true
    const redraw = createRedraw(toText, columns, usesColour(process.env, terminal))
    const output = {
      print,
      tell,
      warn,
      progress,
      redraw,
      terminal,
      columns,
      interactive,
      ask: askTerminal,
    }
    const context = {
      config,
      sandbox,
      json,
      env: process.env,
      clock: systemClock,
      ...output,
      commands: COMMANDS,
    }
    if (request.command.name === "run") daemon = context
    return await request.command.run(context, input)
  } catch (error) {
    const coded =
      translateSystemError(error) ??
      toAppError(error, { code: "cli.unexpected", disposition: "bug" })
    if (daemon !== null) (await import("./open/keep-last-exit.ts")).keepLastExit(daemon, coded)
    return fail(coded, failing)
  }
}

/** `json`: a program reads the output, and nothing was written yet. */
type Failing = { readonly json: boolean; readonly isService: boolean }

/** JSON keeps its lines: another program reads it, also from a terminal. */
function createPrint(
  toText: (text: string) => string,
  columns: number | null,
  colours: boolean,
): CommandContext["print"] {
  return (text, tone) => {
    const fitted = fitWidth(toText(text), columns)
    process.stdout.write(`${tone !== undefined && colours ? colour(fitted, tone) : fitted}\n`)
  }
}

/**
 * Moves the cursor home, writes as many lines as the terminal has, and erases what was below
 * (ECMA-48, 8.3.21 and 8.3.39).
 */
function createRedraw(
  toText: (text: string) => string,
  columns: number | null,
  colours: boolean,
): CommandContext["redraw"] {
  return (parts) => {
    const lines = parts.flatMap(({ text, tone }) =>
      fitWidth(toText(text), columns)
        .split("\n")
        .map((line) => (tone !== undefined && colours ? colour(line, tone) : line)),
    )
    const shown = lines.slice(0, Math.max(1, rowsOf(process.stdout) - 1))
    process.stdout.write(`\u001b[H${shown.map((line) => `${line}\u001b[K`).join("\n")}\n\u001b[J`)
  }
}

function progress(text: string | null): void {
  if (process.stderr.isTTY === true)
    process.stderr.write(`\r\u001b[K${text === null ? "" : printable(text)}`)
}

function tell(text: string): void {
  if (process.stderr.isTTY === true) warn(text)
}

function warn(text: string): void {
  process.stderr.write(`${printable(text)}\n`)
}

function answer(text: string): number {
  process.stdout.write(`${fitWidth(printable(text), columnsOf(process.stdout))}\n`)
  return EXIT.ok
}

/** A reader that went away (`| head`) needs no message. */
function loseOutput(error: Error): number {
  if ("code" in error && error.code === "EPIPE") return EXIT.refused
  const place = "standard output"
  const lost = {
    code: "cli.output",
    disposition: "refused",
    message: `${place}: ${error.message}`,
  } as const
  return fail(findEnvironmentFault(error, place) ?? new AppError(lost), {
    json: false,
    isService: false,
  })
}

function fail(error: AppError, { json, isService }: Failing): number {
  if (json && !isService) {
    const { code, disposition, message, details } = error
    process.stdout.write(
      `${printable(plainJson({ error: { ...details, code, disposition, message } }))}\n`,
    )
  }
  const text = printable(`ballast: ${error.message} [${error.code}]`)
  process.stderr.write(`${fitWidth(text, columnsOf(process.stderr))}\n`)
  if (error.disposition === "bug") {
    const cause = error.cause instanceof Error ? error.cause.stack : ""
    process.stderr.write(`${printable(`${error.stack ?? ""}\n${String(cause)}`)}\n`)
  }
  if (error.code.startsWith("cli.usage")) return EXIT.usage
  return exitCodeOf(error, isService)
}
