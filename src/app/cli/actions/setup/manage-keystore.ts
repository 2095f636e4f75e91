import { randomBytes } from "node:crypto"
import { FAMILIES } from "#chains/families.ts"
import { createMnemonic, isMnemonic, readMnemonic } from "#chains/mnemonic.ts"
import { formatMnemonic } from "#chains/mnemonic-text.ts"
import { decodeKeystore } from "#config/secrets/keystore.ts"
import { type KeystoreContent, sealKeystore } from "#config/secrets/sealed-keystore.ts"
import { findKeystorePassword } from "#config/secrets/secrets.ts"
import { EXIT } from "#daemon/start/exit-code.ts"
import { AppError } from "#lib/app-error.ts"
import { readUserFile } from "#lib/files/read-user-file.ts"
import { plainJson } from "#lib/json.ts"
import { Secret } from "#lib/secret.ts"
import { writeNewFile } from "#lib/write-new-file.ts"
import type { KeyAddress } from "#ports/key-holder.ts"
import type { CommandContext } from "../../define-command.ts"
import { formatTable } from "../../format/table.ts"
import { usageError } from "../../usage-error.ts"
import { readLine } from "../../wallet/read-line.ts"

type KeystoreRequest = {
  readonly action: "new" | "import" | "encrypt" | "random" | "show"
  readonly file: string | null
  readonly keystore: string | null
  readonly account: number
  readonly reveal: boolean
}

/**
 * Makes and shows encrypted keystores, and makes random texts. No file is ever overwritten, and a
 * mnemonic is printed on request only.
 */
export async function manageKeystore(
  context: CommandContext,
  request: KeystoreRequest,
): Promise<number> {
  const { action, file } = request
  if (file === null) throw usageError(`wallet ${action} needs the path of a keystore`)
  if (action === "show") return showKeystore(context, file, request)
  if (action === "random") return writeRandom(context, file)
  if (action === "encrypt" && request.keystore === null)
    throw usageError("wallet encrypt needs a key file and a keystore")
  const path = action === "encrypt" ? (request.keystore ?? "") : file
  const content = await findContent(action, file)
  save(path, sealKeystore(content, await choosePassword(context)))
  const addresses = await listAddresses(secretText(content), `keystore:${path}`)
  print(context, { keystore: path, kind: content.kind, use: `keystore:${path}`, addresses })
  if (action === "new") {
    process.stderr.write(
      `Write the words down and keep them apart: ballast wallet show ${path} --reveal prints ` +
        "them.\n",
    )
  }
  return EXIT.ok
}

async function findContent(
  action: "new" | "import" | "encrypt",
  file: string,
): Promise<KeystoreContent> {
  if (action === "new") return { kind: "mnemonic", text: createMnemonic() }
  const text = action === "import" ? await readLine("Mnemonic or key") : readKeyFile(file)
  const trimmed = text.trim()
  if (isMnemonic(trimmed)) return { kind: "mnemonic", text: trimmed }
  if (/\s/.test(trimmed) && !trimmed.startsWith("[")) {
    throw refused("the text is neither one key nor a mnemonic with a right checksum")
  }
  const content: KeystoreContent = { kind: "key", text: trimmed }
  // Throws for a text that no family takes for a key.
  await listAddresses(trimmed, "the given key")
  return content
}

/** For `secrets.key`, or a token. The text is in the file alone. */
function writeRandom({ json, print }: CommandContext, file: string): number {
  save(file, `${randomBytes(RANDOM_BYTES).toString("hex")}\n`)
  const use = `file:${file}`
  const advice = "Its text is on no screen and in no log; keep a copy apart from this machine."
  print(json ? plainJson({ file, use }, 2) : `Wrote ${file}, for the reference ${use}. ${advice}`)
  return EXIT.ok
}

const RANDOM_BYTES = 32

async function showKeystore(
  context: CommandContext,
  file: string,
  { account, reveal }: KeystoreRequest,
): Promise<number> {
  const password = findKeystorePassword(context.env) ?? (await readLine("Password"))
  const text = decodeKeystore(readKeyFile(file), password, account)
  const addresses = await listAddresses(text, `keystore:${file}`)
  print(context, {
    keystore: file,
    kind: readMnemonic(text) === null ? "key" : "mnemonic",
    addresses,
  })
  if (reveal) context.print(text.replace(/^bip39 \d+ /, ""))
  return EXIT.ok
}

/** The text of the content's secret, as a keystore gives it to a family. */
function secretText({ kind, text }: KeystoreContent): string {
  return kind === "mnemonic" ? formatMnemonic(text, 0) : text
}

/** The addresses in every family that takes the key. Throws `config.key` (fatal) when none does. */
async function listAddresses(text: string, reference: string): Promise<readonly KeyAddress[]> {
  const seeded = readMnemonic(text)
  const key = new Secret(text, reference)
  const lists = await Promise.all(
    FAMILIES.map(async (family) => {
      try {
        return await family.listAddresses(key, seeded)
      } catch (error) {
        if (error instanceof AppError && error.code.startsWith("config.")) return []
        throw error
      }
    }),
  )
  const addresses = lists.flat()
  if (addresses.length > 0) return addresses
  throw refused("the text is no private key in the form of any chain family")
}

/**
 * From the environment, or asked for and typed twice. A terminal asks again after a mistake,
 * because the answers before it would be lost. Throws `wallet.refused` (refused) for a short one,
 * or for too many mistakes.
 */
export async function choosePassword(
  { env, warn }: Pick<CommandContext, "env" | "warn">,
  ask: typeof readLine = readLine,
  terminal: boolean = process.stdin.isTTY === true,
): Promise<string> {
  const given = findKeystorePassword(env)
  if (given !== null) return given
  for (let tries = 1; ; tries += 1) {
    const password = await ask(`New password, at least ${MIN_PASSWORD} characters`)
    const problem =
      password.length < MIN_PASSWORD
        ? `a password needs at least ${MIN_PASSWORD} characters`
        : terminal && (await ask("Again")) !== password
          ? "the passwords differ"
          : null
    if (problem === null) return password
    if (!terminal || tries === MOST_TRIES) throw refused(problem)
    warn(`${problem}; try again`)
  }
}

const MIN_PASSWORD = 12
const MOST_TRIES = 5

function save(path: string, text: string): void {
  try {
    writeNewFile(path, text)
  } catch (error) {
    if (error instanceof AppError) throw error
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown error"
    throw refused(`${path} cannot be written (${code}); an existing file is never replaced`)
  }
}

function readKeyFile(path: string): string {
  try {
    return readUserFile(path).toString("utf8")
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown error"
    throw refused(`${path} cannot be read (${code})`)
  }
}

function print(
  context: CommandContext,
  shown: { addresses: readonly KeyAddress[] } & Record<string, unknown>,
): void {
  const rows = shown.addresses.map(({ what, path, address }) => [what, path ?? "", address])
  context.print(context.json ? plainJson(shown, 2) : formatTable(["for", "path", "address"], rows))
}

function refused(message: string): AppError {
  return new AppError({ code: "wallet.refused", disposition: "refused", message })
}
