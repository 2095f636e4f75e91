import { randomBytes } from "node:crypto"
import { existsSync } from "node:fs"
import { basename, dirname, join, relative, resolve } from "node:path"
import { createMnemonic } from "#chains/mnemonic.ts"
import { formatMnemonic } from "#chains/mnemonic-text.ts"
import { parseConfig } from "#config/load.ts"
import { sealKeystore } from "#config/secrets/sealed-keystore.ts"
import { createSecretLookup, PASSWORD_VARIABLE } from "#config/secrets/secrets.ts"
import { Secret } from "#lib/secret.ts"
import type { CommandContext } from "../../define-command.ts"
import { chooseLimits, type FirstLimits, SMALLEST_LIMITS } from "../../init/choose-limits.ts"
import { findFreePort } from "../../init/find-free-port.ts"
import { type Answers, formatFirstConfig } from "../../init/format-first-config.ts"
import { listNativeAssets, listServiceAssets } from "../../init/list-assets.ts"
import {
  CHAIN_NAMES,
  type ChosenChain,
  parseChainNames,
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
import { listSandboxFiles, PLAY_FOLDER, tellSandbox } from "../../init/sandbox-treasury.ts"
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
  const desk = createQuestionDesk(context.interactive && !choices.yes)
  const treasury = await askTreasury(desk, choices, folder)
  const chains = await askChains(desk, choices, context.interactive || choices.yes)
  if (chains === SANDBOX) return await initSandbox(context, { ...place, treasury }, choices.listen)
  const answers = await askAll(context, desk, choices, { ...place, treasury, chains })
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

/** A treasury of the local sandbox, with play keys. */
async function initSandbox(
  context: CommandContext,
  place: Place & { readonly treasury: string },
  listen: string | null,
): Promise<number> {
  const { path, folder, token } = place
  const own = { ...place, listen: await chooseListen(listen) }
  const page = { path: join(folder, token), text: `${randomToken()}\n` }
  const files = [...(own.listen === null ? [] : [page]), ...listSandboxFiles(own)]
  refuseTaken(files.map((each) => each.path).filter((each) => dirname(each) === folder))
  parseConfig(files.at(-1)?.text ?? "", { file: path, secrets: (each) => new Secret("", each) })
  makePrivateFolder(join(folder, PLAY_FOLDER))
  placeFiles(files)
  makePrivateFolder(join(folder, "data"))
  const written = [...new Set(files.map((each) => relative(process.cwd(), each.path)))]
  const tokenFile = relative(process.cwd(), page.path)
  return tellSandbox(context, { listen: own.listen, tokenFile }, written)
}

/** `keystore` and `token` are the file names of a new keystore and of the page's token. */
type Place = {
  readonly path: string
  readonly folder: string
  readonly keystore: string
  readonly token: string
}

async function askTreasury(
  desk: QuestionDesk,
  { treasury }: InitChoices,
  folder: string,
): Promise<string> {
  return await desk.answer({
    option: "treasury",
    text: "1/5 The treasury's name",
    given: treasury,
    preset: basename(folder).replace(/[^A-Za-z0-9 ._-]/g, "") || "main",
    parse: parseTreasury,
  })
}

const SANDBOX = "sandbox"

/**
 * Names or numbers of the list, then a node of each; or names with their nodes. The sandbox is the
 * default, unless another answer is about real chains.
 */
async function askChains(
  desk: QuestionDesk,
  { chains: given, service }: InitChoices,
  hasDefault: boolean,
): Promise<readonly ChosenChain[] | typeof SANDBOX> {
  if (given !== null) return given.trim() === SANDBOX ? SANDBOX : parseChains(given)
  const chosen = await desk.answer({
    option: "chains",
    text:
      "2/5 The chains: sandbox for local chains with play money, or names or numbers of the " +
      `list, such as ${CHAIN_NAMES.slice(0, 2).join(",")}\n${listChainNames()}`,
    given: null,
    preset: hasDefault && service === null ? SANDBOX : null,
    parse: (text: string) => (text === SANDBOX ? SANDBOX : parseChainNames(text)),
  })
  if (chosen === SANDBOX) return SANDBOX
  const nodes: string[] = []
  for (const { name, url, example } of chosen) {
    if (url !== "") {
      nodes.push(`${name}=${url}`)
      continue
    }
    const typed = await desk.answer({
      option: "chains",
      text: `    The URL of a node of ${name}, such as ${example}; after a comma a second one`,
      given: null,
      preset: null,
      parse: (text: string) => {
        const own = text.split(",").map((each) => `${name}=${each.trim()}`)
        parseChains(own.join(","))
        return own
      },
    })
    nodes.push(...typed)
  }
  return parseChains(nodes.join(","))
}

async function askAll(
  { clock, warn }: CommandContext,
  desk: QuestionDesk,
  choices: InitChoices,
  { keystore, token, treasury, chains }: Place & Pick<Answers, "treasury" | "chains">,
): Promise<Answers> {
  const settings = await askSettings(desk, chains, choices.set)
  const service = await desk.answer({
    option: "service",
    text: "3/5 The URL of the swap service (https://swaps.example)",
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
  const listen = await chooseListen(choices.listen)
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

async function chooseListen(given: string | null): Promise<string | null> {
  return parseListen(given ?? `127.0.0.1:${await findFreePort(FIRST_PORT)}`)
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
  return `    ${CHAIN_NAMES.map((name, index) => `${index + 1} ${name}`).join(", ")}`
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
  const pageToken = randomToken()
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

function randomToken(): string {
  return randomBytes(TOKEN_BYTES).toString("hex")
}

const TOKEN_BYTES = 24
