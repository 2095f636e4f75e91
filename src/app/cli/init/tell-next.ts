import { basename, dirname, join, relative, resolve } from "node:path"
import { familyOf } from "#chains/families.ts"
import type { Config } from "#config/config.ts"
import { loadConfig } from "#config/load.ts"
import { EXIT } from "#daemon/start/exit-code.ts"
import { readAccounts } from "#daemon/views/read-accounts.ts"
import { plainJson } from "#lib/json.ts"
import { createAsk } from "#nodes/create-ask.ts"
import { checkConfig } from "../actions/setup/check-config.ts"
import { runDoctor } from "../actions/setup/run-doctor.ts"
import type { CommandContext } from "../define-command.ts"
import type { Answers } from "./format-first-config.ts"
import type { NewFile } from "./place-files.ts"

type Written = { readonly files: readonly NewFile[]; readonly answers: Answers }
type Context = CommandContext & { readonly config: string }

/**
 * Runs `check`, and `doctor` where a node answers; then it says what the treasury needs from a
 * person, and the next commands. The exit code is that of `check`.
 */
export async function tellNext(context: Context, { files, answers }: Written): Promise<number> {
  const { json, print, clock } = context
  const quiet = { ...context, json: false, print: json ? () => undefined : print }
  const code = await checkConfig(quiet, { file: null, explain: false }, HAS_PASSWORD)
  const { config } = loadConfig(context.config, context.env)
  const answering = await findAnsweringChains(config)
  const doctor = answering.length === 0 ? null : await runDoctor(quiet, HAS_PASSWORD)
  const accounts = await readAccounts(config)
  const written = files.map(({ path }) => path)
  const next = listNext(context.config, answers)
  if (json) {
    const shown = {
      ok: code === EXIT.ok,
      written,
      at: new Date(clock.now()).toISOString(),
      answering,
      doctor,
      addresses: Object.fromEntries(accounts),
      page:
        answers.page === null
          ? null
          : { url: urlOf(answers.page), tokenFile: tokenFileOf(context, answers.page) },
      next: next.map(({ command }) => command),
    }
    print(plainJson(shown, 2))
    return code
  }
  if (doctor === null) print("No node answers yet, so `ballast doctor` was left out.")
  print(
    [
      `Wrote ${written.join(" and ")}.`,
      "Fund these addresses with the native coin for fees, and with the assets to sell:",
      ...alignRows([...accounts]),
      ...describeBackup(context.config, answers),
      ...describePage(context, answers.page),
      "Next:",
      ...alignRows(next.map(({ command, purpose }) => [command, purpose])),
    ].join("\n"),
  )
  return code
}

/** The password of the keystore is in this process's environment already. */
const HAS_PASSWORD = { passwordStdin: false }

function alignRows(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([first]) => first.length))
  return rows.map(([first, second]) => `  ${first.padEnd(width)}  ${second}`)
}

async function findAnsweringChains({ chains }: Config): Promise<readonly string[]> {
  const ask = createAsk(NODE_TIMEOUT_MS)
  const found = await Promise.all(
    chains.map(async (chain) => {
      const { doctor } = familyOf(chain)
      const tips = doctor.endpointsOf(chain).map((url) => doctor.readTip(chain, url, ask))
      const answered = await Promise.allSettled(tips)
      return answered.some(({ status }) => status === "fulfilled") ? [chain.chain] : []
    }),
  )
  return found.flat()
}

const NODE_TIMEOUT_MS = 5_000

function describeBackup(path: string, { isNew, key }: Answers): string[] {
  if (!isNew) return [`Back up the key behind ${key}: nothing else can move this money.`]
  const keystore = fromHere(path, key.slice("keystore:".length))
  return [
    `Back up ${keystore} and its password, apart from this machine: nothing else can move ` +
      "this money.",
    `\`ballast wallet show ${keystore} --reveal\` prints the words to write down.`,
  ]
}

function describePage(context: Context, page: Answers["page"]): string[] {
  if (page === null) return []
  return [
    `The page is ${urlOf(page)} once Ballast runs; log in with the token: cat ` +
      `${tokenFileOf(context, page)}`,
  ]
}

type Page = NonNullable<Answers["page"]>

function urlOf({ listen }: Page): string {
  return `http://${listen}`
}

function tokenFileOf({ config }: Context, { token }: Page): string {
  return fromHere(config, token.slice("file:".length))
}

/** The path of a file beside the configuration, as a person types it here. */
function fromHere(config: string, name: string): string {
  return relative(process.cwd(), join(dirname(config), basename(name)))
}

type NextStep = { readonly command: string; readonly purpose: string }

/** Without a rule the simulator has nothing to show. */
function listNext(path: string, { hold }: Answers): readonly NextStep[] {
  const config =
    path === resolve("ballast.yaml") ? "" : ` --config ${relative(process.cwd(), path)}`
  return [
    { command: `ballast doctor${config}`, purpose: "check keys, nodes, clocks and disk" },
    hold === null
      ? { command: `ballast discover${config}`, purpose: "find the contracts of the assets" }
      : { command: `ballast simulate${config}`, purpose: "see what the rule would do in a season" },
    { command: `ballast run${config}`, purpose: "start: it observes, and signs nothing" },
  ]
}
