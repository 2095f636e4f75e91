import { lstatSync, type Stats } from "node:fs"
import { dirname } from "node:path"
import type { Config } from "#config/config.ts"
import { socketFile } from "#daemon/start/socket-file.ts"
import { AppError } from "#lib/app-error.ts"
import type { Secret } from "#lib/secret.ts"
import { formatIdempotencyKey } from "#ops/idempotency-key.ts"
import type { AnswerName, AnswerOf } from "#schema/answers/answers.ts"

export type DaemonAnswer = { readonly status: number; readonly body: unknown }

/** The body of a success. */
export function bodyOf<Name extends AnswerName>({
  body,
}: Pick<DaemonAnswer, "body">): AnswerOf<Name> {
  // CAST: the daemon's own answer: the same program made it, by the same schema.
  return body as AnswerOf<Name>
}

export type CallOptions = {
  /** The longest silence of the daemon. */
  readonly answerMs?: number
  /**
   * Of a POST whose answer is lost: whether a script may send it again without a look. `harmless`:
   * the second one does the same or is refused, whatever happened in between.
   */
  readonly repeat?: "harmless" | "uncertain"
  /** Requests with one idempotency key open one order. */
  readonly key?: string
  /** Without it the daemon knows the socket's user only. */
  readonly token?: Secret | null
}

/**
 * Sends one request to the running daemon of this configuration. A refusal is a normal answer with
 * its JSON.
 *
 * Throws `daemon.unreachable` (transient, exit 75) if nothing listens, or if a GET gets no answer;
 * `daemon.socket_foreign` (fatal) if another user may be behind the socket; and
 * `daemon.answer_lost` if a POST was sent and its answer is missing or no answer of a daemon:
 * uncertain (exit 76), or transient where a repeat is harmless.
 */
export function callDaemon(
  config: Pick<Config, "dataDir">,
  method: "GET" | "POST",
  path: string,
  body?: unknown,
  options?: CallOptions,
): Promise<DaemonAnswer> {
  return callSocket(socketFile(config), method, path, body, options)
}

const ANSWER_MS = 60_000

/**
 * The same, for a known socket. Without a token the permissions of the socket are the proof on both
 * sides.
 */
export async function callSocket(
  socket: string,
  method: "GET" | "POST",
  path: string,
  body?: unknown,
  { answerMs = ANSWER_MS, repeat = "uncertain", key, token = null }: CallOptions = {},
): Promise<DaemonAnswer> {
  checkOwner(socket)
  const text = body === undefined ? "" : JSON.stringify(body)
  const headers = {
    ...(key === undefined ? {} : { "idempotency-key": formatIdempotencyKey(key) }),
    ...(token === null ? {} : { authorization: `Bearer ${token.reveal()}` }),
  }
  const sent = await post({ socketPath: socket, method, path, answerMs, headers }, text)
  if (sent.kind === "unsent") throw unreachable(socket, sent.cause)
  const answer = sent.kind === "lost" ? sent : readAnswer(sent)
  if (answer.kind === "answer" && (method === "GET" || !isFailure(answer)))
    return { status: answer.status, body: answer.body }
  if (method === "GET") throw unanswered(socket, answerMs, answer)
  const disposition = repeat === "harmless" ? "transient" : "uncertain"
  throw lost({ socket, path, disposition, answer, answerMs })
}

type Answered = { readonly kind: "answer" } & DaemonAnswer
type Lost = { readonly kind: "lost"; readonly cause: unknown; readonly isLate: boolean }

/** A program between us and the daemon may answer in its place, and an answer may be cut off. */
function readAnswer({
  status,
  text,
}: {
  readonly status: number
  readonly text: string
}): Answered | Lost {
  try {
    const body: unknown = JSON.parse(text)
    if (typeof body === "object" && body !== null) return { kind: "answer", status, body }
    return {
      kind: "lost",
      isLate: false,
      cause: new Error(`The answer ${status} is no JSON object`),
    }
  } catch (cause) {
    return { kind: "lost", isLate: false, cause }
  }
}

/**
 * Neither a success nor a refusal. A standby refuses with 503 before it does anything; any other
 * failure may come after the act, such as that of the wait for the disk.
 */
function isFailure({ status, body }: DaemonAnswer): boolean {
  return status >= 500 && firstCode(body) !== "cluster.standby"
}

/** The code of the first reason; `null` for an answer that is no refusal of a daemon. */
export function firstCode(body: unknown): string | null {
  // CAST: every field is checked before its use.
  const { reasons } = body as { readonly reasons?: readonly { readonly code?: unknown }[] }
  const code = Array.isArray(reasons) ? reasons[0]?.code : undefined
  return typeof code === "string" ? code : null
}

type Call = {
  readonly socketPath: string
  readonly method: string
  readonly path: string
  readonly answerMs: number
  readonly headers: Readonly<Record<string, string>>
}

type Sent =
  | { readonly kind: "unsent"; readonly cause: unknown }
  | { readonly kind: "text"; readonly status: number; readonly text: string }
  | Lost

/**
 * Node's own client, because undici takes a fifth of a second to load, and so does an `import` of
 * `node:http`: it reads every export, and one of them is Node's own copy of undici. Once the
 * connection stands, an error says nothing about the other side.
 */
function post({ answerMs: timeout, headers: more, ...call }: Call, text: string): Promise<Sent> {
  return new Promise((resolve) => {
    let isConnected = false
    const fail = (cause: unknown, isLate = false): void =>
      resolve(isConnected ? { kind: "lost", cause, isLate } : { kind: "unsent", cause })
    const headers = {
      ...more,
      "content-type": "application/json",
      "content-length": Buffer.byteLength(text),
    }
    const sent = process
      .getBuiltinModule("node:http")
      .request({ ...call, headers, timeout, agent: false }, (answer) => {
        const chunks: Buffer[] = []
        answer.on("data", (chunk: Buffer) => chunks.push(chunk))
        answer.on("error", fail)
        answer.on("end", () =>
          resolve({
            kind: "text",
            status: answer.statusCode ?? 0,
            text: Buffer.concat(chunks).toString(),
          }),
        )
      })
    sent.on("socket", (socket) => {
      const note = (): void => {
        isConnected = true
      }
      if (socket.connecting) socket.once("connect", note)
      else note()
    })
    sent.on("timeout", () => {
      const cause = new Error("no answer in time")
      fail(cause, true)
      sent.destroy(cause)
    })
    sent.on("error", fail)
    sent.end(text)
  })
}

/**
 * The socket must be ours, and its folder closed to writers of other users: otherwise another
 * program could answer in the daemon's place.
 */
function checkOwner(socket: string): void {
  const found = lstatSync(socket, { throwIfNoEntry: false })
  if (found === undefined) throw unreachable(socket)
  const folder = lstatSync(dirname(socket))
  const ours = process.getuid?.() ?? found.uid
  // The superuser may use every daemon; socket and folder must then have one owner.
  const isOurs = ({ uid }: Stats): boolean => uid === ours || (ours === 0 && uid === folder.uid)
  const problem = !found.isSocket()
    ? "it is not a socket"
    : !isOurs(found) || (!isOurs(folder) && folder.uid !== 0)
      ? "it belongs to another user; run this command as the daemon's user"
      : (found.mode & 0o077) !== 0 || (folder.mode & 0o022) !== 0
        ? `other users may change it; run chmod go-w ${dirname(socket)} and restart the daemon`
        : null
  if (problem === null) return
  throw new AppError({
    code: "daemon.socket_foreign",
    disposition: "fatal",
    message: `The daemon's socket ${socket} is not used: ${problem}`,
    details: { socket },
  })
}

/** The daemon took the request, so it runs; a node that hangs can make it slow. */
function unanswered(socket: string, answerMs: number, answer: Answered | Lost): AppError {
  return new AppError({
    code: "daemon.unreachable",
    disposition: "transient",
    message:
      `The daemon at ${socket} took the request and ${describeLoss(answer, answerMs)}; ` +
      `\`ballast status\` shows which part is slow`,
    details: { socket },
    cause: answer.kind === "lost" ? answer.cause : undefined,
  })
}

function describeLoss(answer: Answered | Lost, answerMs: number): string {
  if (answer.kind === "answer")
    return `failed with ${answer.status} (${firstCode(answer.body) ?? "without a reason"})`
  return answer.isLate ? `gave no answer within ${answerMs / 1_000} s` : "its answer was lost"
}

type LostChange = {
  readonly socket: string
  readonly path: string
  readonly disposition: "transient" | "uncertain"
  readonly answer: Answered | Lost
  readonly answerMs: number
}

/**
 * The same words as for a service whose answer is lost: it may have happened, so observe before
 * repeating.
 */
function lost({ socket, path, disposition, answer, answerMs }: LostChange): AppError {
  const advice =
    disposition === "transient"
      ? "it may have happened, and it is safe to repeat"
      : "it may have happened: look at the state before you repeat it"
  return new AppError({
    code: "daemon.answer_lost",
    disposition,
    message:
      `The daemon at ${socket} took the request and ${describeLoss(answer, answerMs)}; ` +
      `${advice}`,
    details: { socket, request: path },
    cause: answer.kind === "lost" ? answer.cause : undefined,
  })
}

function unreachable(socket: string, cause?: unknown): AppError {
  return new AppError({
    code: "daemon.unreachable",
    disposition: "transient",
    message: `No daemon answers at ${socket}; start it with \`ballast run\``,
    details: { socket },
    cause,
  })
}
