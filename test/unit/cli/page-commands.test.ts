import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { COMMANDS } from "#cli/command-list.ts"
import { parseArguments } from "#cli/parse-arguments.ts"

const ROOT = join(import.meta.dirname, "../../..")
/** A changelog names commands of its time. */
const PAGES = globSync(["{README,CONTRIBUTING,SECURITY}.md", "docs/*.md"], { cwd: ROOT })
const TEXTS = new Map(PAGES.map((page) => [page, readFileSync(join(ROOT, page), "utf8")]))

/** The lines of the shell blocks that begin with `ballast`, without redirections. */
function typedIn(text: string): readonly string[] {
  const blocks = [...text.matchAll(/^ *```sh\n(.*?)^ *```$/gms)].map(([, block = ""]) => block)
  return blocks
    .flatMap((block) => block.replaceAll(/\\\n */g, "").split("\n"))
    .map((line) => line.replace(/\s+#.*$/, "").trim())
    .filter((line) => line.startsWith("ballast "))
    .map(untilShell)
}

/** Commands within a sentence. A choice of values is a description, and no command. */
function namedIn(text: string): readonly string[] {
  return [...text.matchAll(/`(ballast [^`]+)`/g)]
    .map(([, command = ""]) => command)
    .filter((command) => !/[[\]…]|\w\|\w|COMMAND/.test(command))
    .map(untilShell)
}

function untilShell(line: string): string {
  return line.replace(/\s+(\||>|<|&&|&).*$/, "")
}

/** Splits like a shell, for words, double quotes and the output of a command. */
function wordsOf(line: string): readonly string[] {
  const plain = line.slice("ballast ".length).replaceAll(/"?\$\([^)]*\)"?/g, "$SHELL")
  return [...plain.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? "")
}

function findMistake(line: string): string | null {
  try {
    parseArguments(wordsOf(line), COMMANDS)
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** A sentence may name a command or an option without its values. */
const WITHOUT_VALUES =
  /^expected: ballast [^;]*$|argument missing|^--\S+ expects .*found ("N"|""|nothing)/

test("the program takes each command that a block of a page types", () => {
  const typed = [...TEXTS].flatMap(([page, text]) => typedIn(text).map((line) => ({ page, line })))
  expect(typed.length).toBeGreaterThan(150)
  const wrong = typed.flatMap(({ page, line }) => {
    const mistake = findMistake(line)
    return mistake === null ? [] : [`${page}: ${line}: ${mistake}`]
  })
  expect(wrong).toEqual([])
})

test("the program has each command and option that a sentence of a page names", () => {
  const named = [...TEXTS].flatMap(([page, text]) => namedIn(text).map((line) => ({ page, line })))
  expect(named.length).toBeGreaterThan(150)
  const wrong = named.flatMap(({ page, line }) => {
    const mistake = findMistake(line)
    return mistake === null || WITHOUT_VALUES.test(mistake) ? [] : [`${page}: ${line}: ${mistake}`]
  })
  expect(wrong).toEqual([])
})

test("a wrong command, option, word or value is found", () => {
  for (const line of ["ballast wind", "ballast pause --chains a", "ballast wallet make f"]) {
    const mistake = findMistake(line) ?? ""
    expect(mistake).not.toBe("")
    expect(mistake).not.toMatch(WITHOUT_VALUES)
  }
  expect(typedIn("```sh\nballast swap a b \\\n  1 | cat # why\n```")).toEqual([
    "ballast swap a b 1",
  ])
})
