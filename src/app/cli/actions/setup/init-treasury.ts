import { randomBytes } from "node:crypto"
import { existsSync } from "node:fs"
import { basename, dirname, join, resolve } from "node:path"
import { createMnemonic } from "#chains/mnemonic.ts"
import { formatMnemonic } from "#chains/mnemonic-text.ts"
import { parseConfig } from "#config/load.ts"
import { sealKeystore } from "#config/secrets/sealed-keystore.ts"
import { createSecretLookup, PASSWORD_VARIABLE } from "#config/secrets/secrets.ts"
import { Secret } from "#lib/secret.ts"
import { openNetwork } from "#nodes/open-network.ts"
import type { CommandContext } from "../../define-command.ts"
import { chooseLimits, type FirstLimits, SMALLEST_LIMITS } from "../../init/choose-limits.ts"
import { findFreePort } from "../../init/find-free-port.ts"
import { type Answers, formatFirstConfig } from "../../init/format-first-config.ts"
import { listNativeAssets, listServiceAssets } from "../../init/list-assets.ts"
import {
  CHAIN_NAMES,
  type ChosenChain,
  parseChains,
  parseHold,
  parseKeys,
  parseListen,
  parseService,
  parseSettings,
  parseTreasury,
  suggestHold,
} from "../../init/parse-answers.ts"
import { makePrivateFolder, type NewFile, placeFiles, refuseTaken } from "../../init/place-files.ts"
import { createQuestionDesk, type QuestionDesk } from "../../init/question-desk.ts"
import { refuseAnswer } from "../../init/refuse-answer.ts"
import { tellNext } from "../../init/tell-next.ts"
import { askPassword } from "../../signer/provide-password.ts"
import { runPolicyTests } from "../rules/run-policy-tests.ts"
import { choosePassword } from "./manage-keystore.ts"

type InitChoices = {
  readonly treasury: string | null
  readonly chains: string | null
  readonly set: string | null
  readonly service: string | null
  readonly "app-id": string | null
  readonly keys: string | null
  readonly hold: string | null
  readonly listen: string | null
  readonly yes: boolean
  readonly "password-stdin": boolean
}

/**
 * Writes a first configuration in mode `observe`, an encrypted keystore, the token of the page and
 * three policy tests; then it checks them. Before the last answer it writes nothing. The exit code
 * is that of `ballast check`.
 *
 * Throws `init.*` (refused), and `config.*` (fatal) for answers that make no configuration; nothing
 * is written then.
 */
export async function initTreasury(
  context: CommandContext,
  file: string | null,
  choices: InitChoices,
): Promise<number> {
  const path = resolve(file ?? context.config ?? "ballast.yaml")
  const name = basename(path).replace(/\.ya?ml$/, "")
  const folder = dirname(path)
  const place = { path, folder, keystore: `${name}.keystore.json`, token: `${name}.ops-token` }
  refuseTaken([path])
  openNetwork()
  const desk = createQuestionDesk(context.interactive && !choices.yes)
  const answers = await askAll(context, desk, choices, place)
  const files = await buildFiles(context, answers, place, choices["password-stdin"])
  refuseTaken(files.map((each) => each.path))
  placeFiles(files)
  makePrivateFolder(join(place.folder, "data"))
  const written = { ...context, config: path, sandbox: false }
  // Tests of another configuration in this folder stay as they are.
  if (!existsSync(join(place.folder, "policy.test.yaml")))
    await runPolicyTests(written, { ...TEST_CHOICES, init: true })
  return tellNext(written, { files, answers })
}

const TEST_CHOICES = { files: null, seed: 1, worlds: 1, junit: null, watch: false }

/** `keystore` and `token` are the file names of a new keystore and of the page's token. */
type Place = {
  readonly path: string
  readonly folder: string
  readonly keystore: string
  readonly token: string
}

async function askAll(
  { clock, warn }: CommandContext,
  desk: QuestionDesk,
  choices: InitChoices,
  { folder, keystore, token }: Place,
): Promise<Answers> {
  const treasury = await desk.answer({
    option: "treasury",
    text: "1/5 The treasury's name",
    given: choices.treasury,
    preset: basename(folder).replace(/[^A-Za-z0-9 ._-]/g, "") || "main",
    parse: parseTreasury,
  })
  const chains = await desk.answer({
    option: "chains",
    text:
      "2/5 The chains with their nodes, as CHAIN=URL,CHAIN=URL, and a chain again for its " +
      `second node\n${listChainNames()}`,
    given: choices.chains,
    preset: null,
    parse: parseChains,
  })
  const settings = await askSettings(desk, chains, choices.set)
  const service = await desk.answer({
    option: "service",
    text: "3/5 The URL of the swap service",
    given: choices.service,
    preset: null,
    parse: parseService,
  })
  const appId = await desk.answer({
    option: "app-id",
    text: "    Our app id there, or a reference such as env:NAME; empty for none",
    given: choices["app-id"],
    preset: "",
    parse: (text: string) => text,
  })
  const keys = await desk.answer({
    option: "keys",
    text: `4/5 The keys: new for an encrypted keystore (${keystore}), or a reference`,
    given: choices.keys,
    preset: "new",
    parse: parseKeys,
  })
  const native = listNativeAssets(chains)
  const served = { url: service, appId: plainAppId(appId), clock }
  const known = [...native, ...(await listOtherAssets(served, chains, native, warn))]
  const listen = parseListen(choices.listen ?? `127.0.0.1:${await findFreePort(FIRST_PORT)}`)
  const key = keys === "new" ? `keystore:${keystore}` : keys
  const page = listen === null ? null : { listen, token: `file:${token}` }
  const others = { treasury, chains, settings, service, appId, key, page, isNew: keys === "new" }
  return await desk.answer({
    option: "hold",
    text:
      `5/5 The balance to hold, as "0.01 ASSET from ASSET"; none for no rule. Assets: ` +
      `${known.map(({ id }) => id).join(", ")}`,
    given: choices.hold,
    preset: suggestHold(native),
    parse: (text: string) => {
      const hold = parseHold(text, known)
      const assets = known.filter(
        ({ id }) =>
          native.some((coin) => coin.id === id) || id === hold?.asset || id === hold?.from,
      )
      return { ...others, hold, assets, limits: limitsFor({ ...others, hold, assets }) }
    },
  })
}

/** The assets of the service besides the native coins; none where it does not list them. */
async function listOtherAssets(
  service: Parameters<typeof listServiceAssets>[0],
  chains: readonly ChosenChain[],
  native: ReturnType<typeof listNativeAssets>,
  warn: CommandContext["warn"],
): Promise<ReturnType<typeof listNativeAssets>> {
  const listed = await listServiceAssets(service, chains)
  if (listed === null)
    warn(`The service does not list its assets now, so only native coins are known: ${service.url}`)
  return (listed ?? []).filter(({ id }) => native.every((asset) => asset.id !== id))
}

/** The sandbox has it too, so the next free one is taken. */
const FIRST_PORT = 7_070

function limitsFor(answers: Omit<Answers, "limits">): FirstLimits {
  const { hold } = answers
  if (hold === null) return SMALLEST_LIMITS
  const limits = chooseLimits((tried) => formatFirstConfig({ ...answers, limits: tried }))
  if (limits !== null) return limits
  throw refuseAnswer(
    "hold",
    `${hold.amount} ${hold.asset} is too little: a swap costs about one dollar and the ` +
      "network fees, so the simulator makes no move with it; give a larger amount",
  )
}

function listChainNames(): string {
  return `    Chains: ${CHAIN_NAMES.join(", ")}`
}

/**
 * A reference is not resolved here: a service that lists its assets only to known applications
 * lists none now.
 */
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
        option: "set",
        text: `    ${name} needs ${key}: ${about}`,
        given: settings.get(name)?.[key] ?? null,
        preset: null,
        parse: (text: string) => text,
      })
      settings.set(name, { ...settings.get(name), [key]: value })
    }
  }
  return settings
}

/**
 * The password goes into this process's own copy of the environment, for the check that follows.
 */
async function buildFiles(
  context: CommandContext,
  answers: Answers,
  { path, folder, keystore, token }: Place,
  passwordStdin: boolean,
): Promise<NewFile[]> {
  const { env } = context
  const { key, isNew, page } = answers
  const text = formatFirstConfig(answers)
  const lookup = createSecretLookup(env, folder)
  const pageToken = randomBytes(TOKEN_BYTES).toString("hex")
  const own = new Map(page === null ? [] : [[page.token, new Secret(pageToken, page.token)]])
  const secrets = (reference: string): Secret => own.get(reference) ?? lookup(reference)
  const files = [
    ...(page === null ? [] : [{ path: join(folder, token), text: `${pageToken}\n` }]),
    { path, text },
  ]
  refuseTaken(files.map((file) => file.path))
  if (!isNew) {
    if (key.startsWith("keystore:")) await askPassword(env, { passwordStdin })
    parseConfig(text, { file: path, secrets })
    return files
  }
  refuseTaken([join(folder, keystore)])
  const mnemonic = createMnemonic()
  own.set(key, new Secret(formatMnemonic(mnemonic, 0), key))
  parseConfig(text, { file: path, secrets })
  const password = await choosePassword(context)
  env[PASSWORD_VARIABLE] ??= password
  const sealed = sealKeystore({ kind: "mnemonic", text: mnemonic }, password)
  return [{ path: join(folder, keystore), text: sealed }, ...files]
}

const TOKEN_BYTES = 24
