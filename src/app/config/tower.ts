import { dirname, resolve } from "node:path"
import { z } from "zod"
import type { ChainConfig } from "#chains/chain-config.ts"
import { findFamily } from "#chains/families.ts"
import { foreignName } from "#chains/foreign-families.ts"
import { Secret } from "#lib/secret.ts"
import { duration } from "#schema/leaves.ts"
import {
  configError,
  formatPath,
  formatPlace,
  type Path,
  type Problem,
  type Report,
} from "#schema/problem.ts"
import { createReferenceWorld } from "#schema/reference-world.ts"
import { required, section, withDefault } from "#schema/section.ts"
import { applyPresets } from "./build/apply-presets.ts"
import { buildChain } from "./build/build-config.ts"
import { reportIssues } from "./check/check-form.ts"
import { checkChains } from "./check/check-references.ts"
import { refuseUnsafe } from "./judge/judge-config.ts"
import { judgeDepths } from "./judge/judge-depths.ts"
import { placeFindings } from "./judge/place-findings.ts"
import { readConfigText } from "./read-config-text.ts"
import { type ChainFile, towerChainSchema } from "./schema/schema-chains.ts"
import { resolveSecrets } from "./secrets/resolve-secrets.ts"
import { createSecretLookup, type Environment } from "./secrets/secrets.ts"
import { readYamlSource } from "./yaml-source.ts"

/**
 * The configuration file of a watchtower (`ballast watch --rescue`). Assets and terms come from the
 * rescue file.
 */
export const towerFileSchema = section({
  chains: required(
    z.record(z.string(), towerChainSchema, { error: "expected a map of chain name to chain" }),
    "The chains of the guarded orders, by the names of the daemon's configuration, with " +
      "nodes of the tower's own. `key` pays the fees; Bitcoin has none.",
  ),
  check_every: withDefault(
    duration(1_000),
    "30s",
    "The interval between two observations of an order; at least 1s.",
  ),
})

export type TowerConfig = { readonly chains: readonly ChainConfig[]; readonly checkEveryMs: number }

/**
 * Throws `config.unreadable` and `config.invalid` (fatal) with all problems, each with its place,
 * and `config.unsafe` (fatal) for depths below the minimum of a main network.
 */
export function loadTower(path: string, env: Environment): TowerConfig {
  const source = readYamlSource(readConfigText(path), path)
  const problems: Problem[] = [...source.problems]
  const placeOf = (key: Path, at: "key" | "value") => ({
    file: path,
    ...source.positionOf(key, at),
    path: formatPath(key),
  })
  const report: Report = (key, message, at = "value", code) => {
    problems.push({ ...placeOf(key, at), message, ...(code === undefined ? {} : { code }) })
  }
  const { filled, sound } = applyPresets(source.value, report)
  const form = towerFileSchema.safeParse(sound)
  if (!form.success) reportIssues(form.error, sound, report)
  const addressForm = (family: string | null) => findFamily(family)?.addressForm ?? null
  const secrets = resolveSecrets(
    source.value,
    createSecretLookup(env, dirname(resolve(path))),
    report,
  )
  const world = { addressForm, unsupported: foreignName }
  checkChains(
    createReferenceWorld(filled, report, world),
    (text) => secrets.get(text)?.reveal() ?? text,
  )
  if (problems.length > 0 || !form.success) throw configError(problems)
  const chains = Object.entries(form.data.chains).map(([name, chain]) =>
    // CAST: a family without a key for a tower has every other key of its chains.
    buildChain(
      name,
      { key: NO_KEY.reference, ...chain } as ChainFile,
      new Map([...secrets, [NO_KEY.reference, NO_KEY]]),
      (key) => formatPlace(placeOf(key, "value")),
    ),
  )
  const depths = judgeDepths({ config: { chains }, written: source.value })
  refuseUnsafe(placeFindings(depths, source, path))
  return { chains, checkEveryMs: form.data.check_every }
}

const NO_KEY = new Secret("", "none")
