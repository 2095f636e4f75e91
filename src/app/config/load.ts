import { dirname, resolve } from "node:path"
import {
  configError,
  formatPath,
  formatPlace,
  type Path,
  type Problem,
  type Report,
} from "#schema/problem.ts"
import { applyPresets } from "./build/apply-presets.ts"
import { buildConfig } from "./build/build-config.ts"
import { keepsKeysApart } from "./build/build-signer.ts"
import { checkForm } from "./check/check-form.ts"
import { checkReferences } from "./check/check-references.ts"
import type { Config } from "./config.ts"
import type { PlacedFinding } from "./judge/finding.ts"
import { judgeConfig } from "./judge/judge-config.ts"
import { placeFindings } from "./judge/place-findings.ts"
import { readConfigText } from "./read-config-text.ts"
import { resolveSecrets, type SecretChoice } from "./secrets/resolve-secrets.ts"
import { createSecretLookup, type Environment, type SecretLookup } from "./secrets/secrets.ts"
import { readYamlSource, type YamlSource } from "./yaml-source.ts"

/**
 * A configuration, the text and the plain data of its file, which a reload compares, and everything
 * in it that is dangerous.
 */
export type LoadedConfig = {
  readonly config: Config
  readonly written: unknown
  readonly text: string
  readonly findings: readonly PlacedFinding[]
}

/**
 * Reads the configuration file (YAML, also in flow style) with its secrets.
 *
 * `choice: "without_keys"` leaves the keys alone if a signer process holds them. Throws
 * `config.unreadable` (fatal) for an unreadable file, and the errors of `parseConfig`.
 */
export function loadConfig(
  path: string,
  env: Environment,
  options: { dataFrom?: string; choice?: SecretChoice } = {},
): LoadedConfig {
  const text = readConfigText(path)
  const secrets = createSecretLookup(env, dirname(resolve(path)))
  const source = readYamlSource(text, path)
  const config = parseSource(source, { file: path, secrets, ...options })
  const findings = placeFindings(judgeConfig(config, source.value), source, path)
  return { config, written: source.value, text, findings }
}

/**
 * Reads a configuration text. It is pure except for the lookup of secrets. A relative `data_dir`
 * starts at `dataFrom`; without it, at the folder of the file.
 *
 * Throws `config.keystore_locked` (fatal) if nothing but a password is missing, and
 * `config.invalid` (fatal) with all problems of the text, each with file, line, column, and path.
 * No message repeats the value in place of a secret reference.
 */
export function parseConfig(text: string, options: ParseOptions): Config {
  return parseSource(readYamlSource(text, options.file), options)
}

type ParseOptions = {
  readonly file: string
  readonly secrets: SecretLookup
  readonly dataFrom?: string
  readonly choice?: SecretChoice
}

function parseSource(source: YamlSource, options: ParseOptions): Config {
  if (source.problems.length > 0) throw configError(source.problems)
  const problems: Problem[] = []
  const placeOf = (path: Path, at: "key" | "value") => ({
    file: options.file,
    ...source.positionOf(path, at),
    path: formatPath(path),
  })
  const report: Report = (path, message, at = "value", code) => {
    problems.push({ ...placeOf(path, at), message, ...(code === undefined ? {} : { code }) })
  }
  const { filled, sound } = applyPresets(source.value, report)
  const file = checkForm(sound, report)
  // Without a signer process the daemon needs the keys itself.
  const needsKeys = options.choice === "without_keys" && (file === null || !keepsKeysApart(file))
  const choice = needsKeys ? "all" : (options.choice ?? "all")
  const secrets = resolveSecrets(source.value, options.secrets, report, choice)
  checkReferences(filled, report, (text) => secrets.get(text)?.reveal() ?? text)
  if (file === null || problems.length > 0) throw configError(problems)
  const home = { file: options.file, dataFrom: options.dataFrom ?? dirname(resolve(options.file)) }
  return buildConfig(file, secrets, (path) => formatPlace(placeOf(path, "value")), home)
}
