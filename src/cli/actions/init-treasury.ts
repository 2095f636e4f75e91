import { existsSync } from "node:fs"
import { basename, dirname, join, resolve } from "node:path"
import { familyOf } from "#chains/families.ts"
import { createMnemonic } from "#chains/mnemonic.ts"
import { formatMnemonic } from "#chains/mnemonic-text.ts"
import { loadConfig, parseConfig } from "#config/load.ts"
import { sealKeystore } from "#config/sealed-keystore.ts"
import { createSecretLookup, PASSWORD_VARIABLE } from "#config/secrets.ts"
import { createAsk } from "#daemon/create-ask.ts"
import { EXIT } from "#daemon/exit-code.ts"
import { refuseBrotli } from "#daemon/refuse-brotli.ts"
import { plainJson } from "#lib/json.ts"
import { Secret } from "#lib/secret.ts"
import type { CommandContext } from "../define-command.ts"
import { type Answers, formatFirstConfig } from "../init/format-first-config.ts"
import { listNativeAssets, listServiceAssets } from "../init/list-assets.ts"
import {
  CHAIN_NAMES,
  type ChosenChain,
  parseChains,
  parseHold,
  parseKeys,
  parseService,
  parseSettings,
  parseTreasury,
} from "../init/parse-answers.ts"
import { makePrivateFolder, type NewFile, placeFiles, refuseTaken } from "../init/place-files.ts"
import { createQuestionDesk, type QuestionDesk } from "../init/question-desk.ts"
import { refuseAnswer } from "../init/refuse-answer.ts"
import { checkConfig } from "./check-config.ts"
import { choosePassword } from "./manage-keystore.ts"
import { runDoctor } from "./run-doctor.ts"
import { runPolicyTests } from "./run-policy-tests.ts"

type InitChoices = {
  readonly treasury: string | null
  readonly chains: string | null
  readonly set: string | null
  readonly service: string | null
  readonly "app-id": string | null
  readonly keys: string | null
  readonly hold: string | null
  readonly yes: boolean
}

/**
 * Writes a first configuration in mode `observe`, an encrypted keystore and three policy tests; then it checks them. Before the last answer it
 * writes nothing. The exit code is that of `ballast check`.
 *
 * Throws `init.*` (refused), and `config.*` (fatal) for answers that make no configuration; nothing is written then.
 */
export async function initTreasury(
  context: CommandContext,
  file: string | null,
  choices: InitChoices,
): Promise<number> {
  const path = resolve(file ?? context.config ?? "ballast.yaml")
  const place = { path, folder: dirname(path), keystore: `${basename(path).replace(/\.ya?ml$/, "")}.keystore.json` }
  refuseTaken([path])
  refuseBrotli()
  const desk = createQuestionDesk(context.interactive && !choices.yes)
  const answers = await askAll(context, desk, choices, place)
  const files = await buildFiles(context, answers, place)
  refuseTaken(files.map((each) => each.path))
  placeFiles(files)
  makePrivateFolder(join(place.folder, "data"))
  const written = { ...context, config: path, sandbox: false }
  // Tests of another configuration in this folder stay as they are.
  if (!existsSync(join(place.folder, "policy.test.yaml")))
    await runPolicyTests(written, { ...TEST_CHOICES, init: true })
  return tellNext(written, files, answers)
}

const TEST_CHOICES = { files: null, seed: 1, worlds: 1, junit: null, watch: false }

/** `keystore` is the file name of a new keystore. */
type Place = { readonly path: string; readonly folder: string; readonly keystore: string }

async function askAll(
  { clock, warn }: CommandContext,
  desk: QuestionDesk,
  choices: InitChoices,
  { folder, keystore }: Place,
): Promise<Answers> {
  const treasury = await desk.answer({
    ...{ option: "treasury", text: "1/5 The treasury's name", given: choices.treasury },
    ...{ preset: basename(folder).replace(/[^A-Za-z0-9 ._-]/g, "") || "main", parse: parseTreasury },
  })
  const chains = await desk.answer({
    ...{
      option: "chains",
      text: `2/5 The chains with their nodes, as CHAIN=URL,CHAIN=URL, and a chain again for its second node\n${listChainNames()}`,
    },
    ...{ given: choices.chains, preset: null, parse: parseChains },
  })
  const settings = await askSettings(desk, chains, choices.set)
  const service = await desk.answer({
    ...{ option: "service", text: "3/5 The URL of the swap service", given: choices.service },
    ...{ preset: null, parse: parseService },
  })
  const appId = await desk.answer({
    ...{ option: "app-id", text: "    Our app id there, or a reference such as env:NAME; empty for none" },
    ...{ given: choices["app-id"], preset: "", parse: (text: string) => text },
  })
  const keys = await desk.answer({
    ...{ option: "keys", text: `4/5 The keys: new for an encrypted keystore (${keystore}), or a reference` },
    ...{ given: choices.keys, preset: "new", parse: parseKeys },
  })
  const native = listNativeAssets(chains)
  const listed = await listServiceAssets({ url: service, appId: plainAppId(appId), clock }, chains)
  if (listed === null) warn(`The service does not list its assets now, so only native coins are known: ${service}`)
  const known = [...native, ...(listed ?? []).filter(({ id }) => native.every((asset) => asset.id !== id))]
  const hold = await desk.answer({
    ...{
      option: "hold",
      text: `5/5 The balance to hold, as "0.01 ASSET from ASSET"; none for no rule. Assets: ${known.map(({ id }) => id).join(", ")}`,
    },
    ...{ given: choices.hold, preset: "none", parse: (text: string) => parseHold(text, known) },
  })
  const assets = known.filter(
    ({ id }) => native.some((coin) => coin.id === id) || id === hold?.asset || id === hold?.from,
  )
  const key = keys === "new" ? `keystore:${keystore}` : keys
  return { treasury, chains, settings, service, appId, key, assets, hold, isNew: keys === "new" }
}

function listChainNames(): string {
  return `    Chains: ${CHAIN_NAMES.join(", ")}`
}

/** A reference is not resolved here: a service that lists its assets only to known applications lists none now. */
function plainAppId(appId: string): string {
  return /^(env|file|credential):/.test(appId) ? "" : appId
}

/** Keys without which a chain cannot be opened, such as the address of an account contract. */
async function askSettings(
  desk: QuestionDesk,
  chains: readonly ChosenChain[],
  given: string | null,
): Promise<Answers["settings"]> {
  const settings = new Map(parseSettings(given))
  const stray = [...settings.keys()].find((name) => chains.every((chain) => chain.name !== name))
  if (stray !== undefined) throw refuseAnswer("set", `${stray} is none of the chains`)
  for (const { name, needs } of chains) {
    for (const { key, about } of needs) {
      const value = await desk.answer({
        ...{ option: "set", text: `    ${name} needs ${key}: ${about}` },
        ...{ given: settings.get(name)?.[key] ?? null, preset: null, parse: (text: string) => text },
      })
      settings.set(name, { ...settings.get(name), [key]: value })
    }
  }
  return settings
}

/** The password goes into this process's own copy of the environment, for the check that follows. */
async function buildFiles(
  context: CommandContext,
  answers: Answers,
  { path, folder, keystore }: Place,
): Promise<NewFile[]> {
  const { env } = context
  const text = formatFirstConfig(answers)
  const config = { path, text }
  const secrets = createSecretLookup(env, folder)
  if (!answers.isNew) {
    parseConfig(text, { file: path, secrets })
    return [config]
  }
  refuseTaken([join(folder, keystore)])
  const mnemonic = createMnemonic()
  const own = new Secret(formatMnemonic(mnemonic, 0), answers.key)
  parseConfig(text, { file: path, secrets: (reference) => (reference === answers.key ? own : secrets(reference)) })
  const password = await choosePassword(context)
  env[PASSWORD_VARIABLE] ??= password
  return [{ path: join(folder, keystore), text: sealKeystore({ kind: "mnemonic", text: mnemonic }, password) }, config]
}

/** Runs `check`, and `doctor` where a node answers. */
async function tellNext(
  context: CommandContext & { config: string },
  files: readonly NewFile[],
  answers: Answers,
): Promise<number> {
  const { json, print, clock } = context
  const quiet = { ...context, json: false, print: json ? () => undefined : print }
  const code = await checkConfig(quiet, { file: null, explain: false })
  const answering = await findAnsweringChains(context)
  const doctor = answering.length === 0 ? null : await runDoctor(quiet)
  const next = listNext(context.config, answers)
  const written = files.map(({ path }) => path)
  if (json)
    print(
      plainJson(
        {
          ok: code === EXIT.ok,
          written,
          at: new Date(clock.now()).toISOString(),
          answering,
          doctor,
          next: next.map(({ command }) => command),
        },
        2,
      ),
    )
  else {
    if (doctor === null) print("No node answers yet, so `ballast doctor` was left out.")
    const width = Math.max(...next.map(({ command }) => command.length))
    const lines = next.map(({ command, purpose }) => `  ${command.padEnd(width)}  ${purpose}`)
    print([`Wrote ${written.join(" and ")}.`, "Next:", ...lines].join("\n"))
  }
  return code
}

async function findAnsweringChains({
  config: file,
  env,
}: CommandContext & { config: string }): Promise<readonly string[]> {
  const { config } = loadConfig(file, env)
  const ask = createAsk(NODE_TIMEOUT_MS)
  const found = await Promise.all(
    config.chains.map(async (chain) => {
      const { doctor } = familyOf(chain)
      const tips = doctor.endpointsOf(chain).map((url) => doctor.readTip(chain, url, ask))
      const answered = await Promise.allSettled(tips)
      return answered.some(({ status }) => status === "fulfilled") ? [chain.chain] : []
    }),
  )
  return found.flat()
}

const NODE_TIMEOUT_MS = 5_000

type NextStep = { readonly command: string; readonly purpose: string }

function listNext(path: string, { isNew, key }: Answers): readonly NextStep[] {
  const config = path === resolve("ballast.yaml") ? "" : ` --config ${path}`
  const reveal = {
    command: `ballast wallet show ${key.slice("keystore:".length)} --reveal`,
    purpose: "write the words down",
  }
  return [
    ...(isNew ? [reveal] : []),
    { command: `ballast discover${config}`, purpose: "find the contracts of the assets" },
    { command: `ballast run${config}`, purpose: "start: it observes, and signs nothing" },
    { command: `ballast status${config}`, purpose: "see how it is" },
  ]
}
