import { existsSync, globSync, statSync, writeFileSync } from "node:fs"
import { dirname, join, relative, resolve } from "node:path"
import type { Subject } from "#backtest/subject.ts"
import { readYamlSource } from "#config/yaml-source.ts"
import { EXIT } from "#daemon/start/exit-code.ts"
import { toScenarioTraits, toSubject } from "#daemon/study/to-subject.ts"
import { createDirectSolver } from "#engine/rules/solver/create-direct-solver.ts"
import { AppError } from "#lib/app-error.ts"
import { findEnvironmentFault } from "#lib/environment-fault.ts"
import { readUserFile } from "#lib/files/read-user-file.ts"
import { plainJson } from "#lib/json.ts"
import { formatExamples } from "#policy-test/format-examples.ts"
import { formatCount, formatJunit, formatResult } from "#policy-test/format-results.ts"
import { type PolicyTests, readTestFile } from "#policy-test/read-test-file.ts"
import type { Tested } from "#policy-test/run-scenario.ts"
import { runTests, type TestResult } from "#policy-test/run-tests.ts"
import type { CommandContext } from "../../define-command.ts"
import { findConfigFile, homeOf } from "../../open/find-config-file.ts"
import { openConfigForReading } from "../../open/open-config.ts"

type TestChoices = {
  readonly files: string | null
  readonly seed: number
  readonly worlds: number
  readonly junit: string | null
  readonly watch: boolean
  readonly init: boolean
}

const DEFAULT_FILE = "policy.test.yaml"
const WATCH_MS = 500

/**
 * Runs the policy tests of a configuration in the backtest; it needs neither network nor keys. Exit
 * 0 when all pass, 1 when one fails.
 *
 * Throws `policy_test.*` for a missing or invalid test file, and `config.*` for an invalid
 * configuration.
 */
export async function runPolicyTests(
  context: CommandContext,
  choices: TestChoices,
): Promise<number> {
  if (choices.init) return writeExamples(context)
  const solve = await createDirectSolver()
  if (!choices.watch) return runOnce(context, choices, solve)
  for (;;) {
    const stamp = stampOf(context, choices)
    try {
      runOnce(context, choices, solve)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      context.warn(error.message)
    }
    context.tell("The tests run again after the next change; Ctrl-C ends them")
    while (stampOf(context, choices) === stamp) await context.clock.sleep(WATCH_MS)
  }
}

function runOnce(context: CommandContext, choices: TestChoices, solve: Subject["solve"]): number {
  const tested = openTested(context, solve)
  const files = listFiles(context, choices.files)
  const names = { assets: tested.subject.assets, rules: tested.subject.settings.rules }
  // Every file is read before the first test runs, so that a mistake in the last one shows at once.
  const tests = files.map(
    (file): PolicyTests => readTestFile(readYamlSource(readText(file), file), file, names),
  )
  const results: TestResult[] = []
  for (const one of tests) {
    for (const result of runTests(tested, one, { seed: choices.seed, worlds: choices.worlds })) {
      results.push(result)
      if (!context.json) context.print(formatResult(result))
    }
  }
  if (choices.junit !== null) writeText(choices.junit, formatJunit(results))
  const ok = results.every((result) => result.ok)
  if (context.json)
    context.print(plainJson({ ok, seed: choices.seed, worlds: choices.worlds, results }, 2))
  else context.print(`${formatCount(results)} (seed ${choices.seed})`)
  return ok ? EXIT.ok : EXIT.refused
}

function openTested(context: CommandContext, solve?: Subject["solve"]): Tested {
  const config = openConfigForReading(context)
  return {
    subject: toSubject(context.config ?? "the configuration", config, solve),
    traits: config.chains.map(toScenarioTraits),
  }
}

/** Writes the examples, and never over a file. */
function writeExamples(context: CommandContext): number {
  const tested = openTested(context)
  const file = join(folderOf(context), DEFAULT_FILE)
  if (existsSync(file)) {
    throw new AppError({
      code: "policy_test.exists",
      disposition: "refused",
      message: `${file} exists already; remove it first, or write your tests into it`,
    })
  }
  writeText(file, formatExamples(tested))
  context.print(
    `Wrote three examples to ${relative(process.cwd(), file) || file}; \`ballast test\` runs them`,
  )
  return EXIT.ok
}

/**
 * The folder beside which the tests lie; the sandbox's configuration is a part of the program, so
 * its tests lie in the working directory.
 */
function folderOf(context: CommandContext): string {
  const config = findConfigFile(context)
  return homeOf(config).dataFrom ?? dirname(resolve(config))
}

/** Throws `policy_test.not_found` (fatal) when there is none. */
function listFiles(context: CommandContext, named: string | null): readonly string[] {
  if (named !== null) return named.split("\n")
  const folder = folderOf(context)
  const found = globSync([DEFAULT_FILE, `*.${DEFAULT_FILE}`], { cwd: folder }).sort()
  if (found.length === 0) {
    throw new AppError({
      code: "policy_test.not_found",
      disposition: "fatal",
      message:
        `There is no ${DEFAULT_FILE} in ${folder}; \`ballast test --init\` writes one with ` +
        "three examples",
    })
  }
  return found.map((file) => relative(process.cwd(), join(folder, file)))
}

function readText(file: string): string {
  try {
    return readUserFile(file).toString("utf8")
  } catch (error) {
    throw unusable("policy_test.unreadable", "fatal", `${file} cannot be read`, error)
  }
}

function writeText(file: string, text: string): void {
  try {
    writeFileSync(file, text)
  } catch (error) {
    throw unusable("policy_test.unwritable", "refused", `${file} cannot be written`, error)
  }
}

function unusable(
  code: string,
  disposition: "fatal" | "refused",
  what: string,
  error: unknown,
): AppError {
  const fault = findEnvironmentFault(error)
  if (fault !== null) return fault
  const cause = error instanceof Error && "code" in error ? String(error.code) : "unknown error"
  return new AppError({
    code,
    disposition,
    message: `${what} (${cause}); check the path`,
    cause: error,
  })
}

/**
 * Changes with the configuration, and with each test file. A missing file counts as such: it may
 * come back in a moment.
 */
function stampOf(context: CommandContext, choices: TestChoices): string {
  const folder = folderOf(context)
  const files =
    choices.files?.split("\n") ?? globSync([DEFAULT_FILE, `*.${DEFAULT_FILE}`], { cwd: folder })
  const paths = [
    findConfigFile(context),
    ...files.map((file) => (choices.files === null ? join(folder, file) : file)),
  ]
  return paths
    .map((path) => `${path} ${statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? "missing"}`)
    .join("\n")
}
