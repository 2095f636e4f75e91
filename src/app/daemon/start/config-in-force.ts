import { readFileSync } from "node:fs"
import { join } from "node:path"
import { readConfigText } from "#config/read-config-text.ts"
import { readYamlSource } from "#config/yaml-source.ts"
import type { UnreadConfig } from "#health/readings.ts"
import { AppError } from "#lib/app-error.ts"
import type { Clock } from "#lib/clock.ts"
import { replaceFile } from "./runtime-file.ts"

/**
 * The text of the configuration that the daemon of a data directory last put in force, with the
 * path of its file.
 */
type ConfigInForce = { readonly file: string; readonly text: string }

const FILE = "config-in-force.json"

/**
 * Kept after the daemon ends: `order` and `rescue` read it when the configuration file is damaged.
 * Secrets are references in it.
 */
export function writeConfigInForce(dataDir: string, config: ConfigInForce): void {
  replaceFile(join(dataDir, FILE), JSON.stringify(config))
}

export function readConfigInForce(dataDir: string): ConfigInForce | null {
  try {
    // CAST: `writeConfigInForce` wrote it; a file in a closed directory has no other writer.
    return JSON.parse(readFileSync(join(dataDir, FILE), "utf8")) as ConfigInForce
  } catch {
    // No daemon has started here yet.
    return null
  }
}

const JUDGED_FOR_MS = 10_000
const MOST_SHOWN = 400

/**
 * The configuration file, if its text is not the one in force, and why a start would refuse it.
 * `check` throws as a start would: a variable that is missing, or a setting that contradicts
 * another one, is found before a restart finds it.
 */
export function openUnreadConfig(
  clock: Clock,
  check: () => void = () => undefined,
): (dataDir: string) => UnreadConfig | null {
  let judged: Judged | null = null
  return (dataDir) => {
    const inForce = readConfigInForce(dataDir)
    if (inForce === null) return null
    const { file } = inForce
    const read = readOrSay(() => readConfigText(file))
    if ("words" in read) return { file, mistake: read.words }
    const { found: text } = read
    if (text === inForce.text) return null
    const atMs = clock.now()
    const isFresh = judged?.text === text && Math.abs(atMs - judged.atMs) < JUDGED_FOR_MS
    const { mistake } =
      isFresh && judged !== null ? judged : { mistake: findMistake(text, file, check) }
    if (!isFresh) judged = { text, atMs, mistake }
    return { file, mistake }
  }
}

type Judged = { readonly text: string; readonly atMs: number; readonly mistake: string | null }

function findMistake(text: string, file: string, check: () => void): string | null {
  const [mistake] = readYamlSource(text, file).problems
  if (mistake !== undefined) return `it has a mistake in line ${mistake.line}: ${mistake.message}`
  const judged = readOrSay(check)
  if (!("words" in judged)) return null
  return `it has a mistake: ${judged.words.replace(/\s+/g, " ").slice(0, MOST_SHOWN)}`
}

/** The returned value, or the words of the thrown error. */
function readOrSay<T>(act: () => T): { readonly found: T } | { readonly words: string } {
  try {
    return { found: act() }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { words: error.message }
  }
}
