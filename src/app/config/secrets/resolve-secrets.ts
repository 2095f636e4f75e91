import { FAMILIES } from "#chains/families.ts"
import { AppError } from "#lib/app-error.ts"
import { Secret } from "#lib/secret.ts"
import { describeWrongKey } from "#lib/secret-keeper.ts"
import { hasReadableLogin, LOGIN_EXPECTED } from "#schema/address.ts"
import { SECRET_REFERENCE } from "#schema/leaves.ts"
import { formatPath, type Path, type Report } from "#schema/problem.ts"
import { entriesAt, itemsAt, textAt } from "#schema/read-path.ts"
import { KEYSTORE_LOCKED, type SecretLookup } from "./secrets.ts"

/**
 * Which secrets a process looks up. The others stay empty. `without_keys` is for a daemon, which
 * needs them without a signer process.
 */
export type SecretChoice = "all" | "without_keys" | "only_keys" | "never_keys"

/**
 * Looks up each chosen secret reference of the file once, and reports the ones that fail. The
 * result is keyed by reference.
 */
export function resolveSecrets(
  root: unknown,
  lookup: SecretLookup,
  report: Report,
  choice: SecretChoice = "all",
): ReadonlyMap<string, Secret> {
  const found = new Map<string, Secret>()
  const keys = keyPaths(root)
  const others = otherPaths(root)
  const wanted = {
    all: [...keys, ...others],
    without_keys: others,
    never_keys: others,
    only_keys: keys,
  }[choice]
  // A second try of a wrong password takes another half second.
  const failed = new Map<string, AppError>()
  for (const path of wanted) {
    const reference = referenceAt(root, path)
    if (reference === null || found.has(reference)) continue
    const secret = failed.get(reference) ?? findSecret(reference, lookup)
    if (secret instanceof AppError) {
      failed.set(reference, secret)
      report(
        path,
        secret.message,
        "value",
        secret.code === KEYSTORE_LOCKED ? secret.code : undefined,
      )
    } else found.set(reference, secret)
  }
  for (const path of [...keys, ...others]) {
    const reference = referenceAt(root, path)
    if (choice !== "all" && reference !== null && !found.has(reference))
      found.set(reference, new Secret("", reference))
  }
  checkSecretKey(root, found, report)
  checkOtlp(root, found, report)
  checkJournal(root, found, report)
  checkAddresses(root, found, report)
  checkSignatureKeys(root, found, report)
  const tokens = tokenPaths(root).map((path) => ({
    path,
    token: found.get(textAt(root, path) ?? ""),
  }))
  for (const { path, token } of tokens) checkToken(token, path, report)
  for (const [index, { path, token }] of tokens.entries()) {
    const isShared = (one: { readonly token: Secret | undefined }): boolean =>
      token?.isKnown() === true && one.token?.isSame(token) === true
    const twin = tokens.slice(0, index).find(isShared)
    if (twin !== undefined)
      report(path, `expected a token of its own, found that of ${formatPath(twin.path)}`)
  }
  return found
}

const OTLP: Path = ["telemetry", "otlp"]

/** A command that needs no secret has an empty text. */
function checkOtlp(root: unknown, found: ReadonlyMap<string, Secret>, report: Report): void {
  const written = textAt(root, OTLP) ?? ""
  const url = referenceAt(root, OTLP) === null ? written : (found.get(written)?.reveal() ?? "")
  if (url !== "" && !(/^https?:\/\/[^\s#?]+$/.test(url) && URL.canParse(url)))
    report(OTLP, "expected a URL that starts with http:// or https://, without a query")
}

const JOURNAL: Path = ["journal"]
/** With one host: the client for PostgreSQL knows no list of them. */
export const POSTGRES_URL = /^postgres(ql)?:\/\/([^/@\s#]*@)?[^\s#,/]*(\/[^\s#]*)?$/

/** The schema has checked a URL that the file itself holds. */
function checkJournal(root: unknown, found: ReadonlyMap<string, Secret>, report: Report): void {
  const url =
    referenceAt(root, JOURNAL) === null
      ? ""
      : (found.get(textAt(root, JOURNAL) ?? "")?.reveal() ?? "")
  if (url !== "" && !POSTGRES_URL.test(url))
    report(
      JOURNAL,
      "expected a URL that starts with postgres:// and names one host: that of the primary",
    )
}

const SECRET_KEY: Path = ["secrets", "key"]

/** A wallet key would tell its holder the secrets of all our swaps, and a weak one to all. */
function checkSecretKey(root: unknown, found: ReadonlyMap<string, Secret>, report: Report): void {
  const reference = referenceAt(root, SECRET_KEY)
  const key = reference === null ? undefined : found.get(reference)
  if (key === undefined || key.reveal() === "") return
  const wrong = describeWrongKey(key)
  if (wrong !== null) report(SECRET_KEY, wrong)
  for (const path of keyPaths(root)) {
    const wallet = referenceAt(root, path)
    const isSame =
      wallet === reference || (wallet !== null && found.get(wallet)?.isSame(key) === true)
    if (isSame) report(SECRET_KEY, `expected a key of its own, found the wallet key of ${path[1]}`)
  }
}

/** The characters that no base64 has would be left out, and each signature would be another one. */
function checkSignatureKeys(
  root: unknown,
  found: ReadonlyMap<string, Secret>,
  report: Report,
): void {
  for (const [name] of entriesAt(root, ["alerts", "receivers"])) {
    const path = ["alerts", "receivers", name, "key"]
    const key = found.get(referenceAt(root, path) ?? "")?.reveal() ?? ""
    if (key !== "" && !/^(whsec_)?[\w+/-]+={0,2}$/.test(key))
      report(path, "expected a key in base64, with or without whsec_")
  }
}

function referenceAt(root: unknown, path: Path): string | null {
  const reference = textAt(root, path)
  return reference !== null && SECRET_REFERENCE.test(reference) ? reference : null
}

/**
 * With five guesses before the first pause (`src/app/ops/attempts.ts`), sixteen characters are
 * beyond guessing.
 */
const MIN_TOKEN_LENGTH = 16

/** A command that needs no token reads an absent one as an empty text. */
function checkToken(token: Secret | undefined, path: Path, report: Report): void {
  const text = token?.reveal() ?? ""
  if (text === "") return
  if (text.length < MIN_TOKEN_LENGTH) {
    report(
      path,
      `expected a token of at least ${MIN_TOKEN_LENGTH} characters, found ${text.length}; ` +
        "make one with `ballast wallet random FILE`",
    )
  } else if (!/^[\x21-\x7e]+$/.test(text))
    report(path, "expected a token of printable ASCII without spaces")
}

function tokenPaths(root: unknown): readonly Path[] {
  const named = itemsAt(root, ["ops", "tokens"]).map(
    (_token, index): Path => ["ops", "tokens", index, "token"],
  )
  const agents = itemsAt(root, ["ops", "agents"]).map(
    (_agent, index): Path => ["ops", "agents", index, "token"],
  )
  return [["ops", "token"], ...named, ...agents]
}

function keyPaths(root: unknown): readonly Path[] {
  return entriesAt(root, ["chains"]).map(([name]) => ["chains", name, "key"])
}

/** The places of addresses: each is a text, or a map of `url` and `headers`. */
function addressPaths(root: unknown): readonly Path[] {
  const services = entriesAt(root, ["services"]).map(([name]): Path => ["services", name, "url"])
  const keys = [...new Set(FAMILIES.flatMap(({ endpointKey }) => endpointKey ?? []))]
  const nodes = entriesAt(root, ["chains"]).flatMap(([name]) =>
    keys.flatMap((key) =>
      itemsAt(root, ["chains", name, key]).map((_one, index): Path => ["chains", name, key, index]),
    ),
  )
  const prices = itemsAt(root, ["prices", "sources"]).map(
    (_source, index): Path => ["prices", "sources", index, "url"],
  )
  return [["service", "url"], ...services, ...nodes, ...prices]
}

function partsOfAddress(root: unknown, path: Path): readonly Path[] {
  const headers = entriesAt(root, [...path, "headers"]).map(([name]) => [...path, "headers", name])
  return [path, [...path, "url"], ...headers]
}

/** A command that needs no secret has an empty text. */
function checkAddresses(root: unknown, found: ReadonlyMap<string, Secret>, report: Report): void {
  const receivers = receiverPaths(root)
  for (const path of [...addressPaths(root), ...receivers])
    for (const at of [path, [...path, "url"]]) {
      const url = found.get(referenceAt(root, at) ?? "")?.reveal() ?? ""
      const isUrl = /^https?:\/\/[^\s#]+$/.test(url) && URL.canParse(url)
      if (url !== "" && !isUrl && !receivers.includes(path))
        report(at, "expected a reference to a URL that starts with http:// or https://")
      else if (!hasReadableLogin(url)) report(at, LOGIN_EXPECTED)
    }
}

function otherPaths(root: unknown): readonly Path[] {
  const services = entriesAt(root, ["services"]).map(([name]) => ["services", name, "app_id"])
  const tls = [
    ["ops", "tls", "cert"],
    ["ops", "tls", "key"],
  ]
  return [
    ...tokenPaths(root),
    ...tls,
    SECRET_KEY,
    ["service", "app_id"],
    ...services,
    ...alertPaths(root),
    ...[...addressPaths(root), ...receiverPaths(root)].flatMap((path) =>
      partsOfAddress(root, path),
    ),
    OTLP,
    JOURNAL,
  ]
}

function receiverPaths(root: unknown): readonly Path[] {
  const receivers = entriesAt(root, ["alerts", "receivers"]).flatMap(([name]) =>
    ["url", "api"].map((key): Path => ["alerts", "receivers", name, key]),
  )
  return [...receivers, ["alerts", "heartbeat", "url"]]
}

function alertPaths(root: unknown): readonly Path[] {
  return entriesAt(root, ["alerts", "receivers"]).flatMap(([name]) =>
    ["key", "token", "password"].map((key): Path => ["alerts", "receivers", name, key]),
  )
}

function findSecret(reference: string, lookup: SecretLookup): Secret | AppError {
  try {
    return lookup(reference)
  } catch (error) {
    if (error instanceof AppError && error.disposition === "fatal") return error
    throw error
  }
}
