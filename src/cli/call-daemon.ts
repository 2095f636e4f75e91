import { lstatSync, type Stats } from "node:fs"
import { dirname } from "node:path"
import type { Config } from "#config/config.ts"
import { socketFile } from "#daemon/socket-file.ts"
import { AppError } from "#lib/app-error.ts"

export type DaemonAnswer = { readonly status: number; readonly body: unknown }

/**
 * Sends one request to the running daemon of this configuration. A refusal is a normal answer with its JSON. Throws `daemon.unreachable` (transient,
 * exit 75) if nothing listens, or if no answer comes within `answerMs`; `daemon.socket_foreign` (fatal) if another user may be behind the socket.
 */
export function callDaemon(
  config: Pick<Config, "dataDir">,
  method: "GET" | "POST",
  path: string,
  body?: unknown,
  answerMs: number = ANSWER_MS,
): Promise<DaemonAnswer> {
  return callSocket(socketFile(config), method, path, body, answerMs)
}

const ANSWER_MS = 60_000

/** The same, for a known socket. No token is sent: the permissions of the socket are the proof on both sides. */
export async function callSocket(
  socket: string,
  method: "GET" | "POST",
  path: string,
  body?: unknown,
  answerMs: number = ANSWER_MS,
): Promise<DaemonAnswer> {
  checkOwner(socket)
  try {
    const text = body === undefined ? "" : JSON.stringify(body)
    const answer = await post({ socketPath: socket, method, path, answerMs }, text)
    return { status: answer.status, body: JSON.parse(answer.text) }
  } catch (error) {
    throw error === UNANSWERED ? unanswered(socket, answerMs, error) : unreachable(socket, error)
  }
}

type Call = { readonly socketPath: string; readonly method: string; readonly path: string; readonly answerMs: number }

const UNANSWERED = new Error("no answer in time")

/**
 * Node's own client, because undici takes a fifth of a second to load, and so does an `import` of `node:http`: it reads every export, and one of them
 * is Node's own copy of undici. `answerMs` is the longest silence.
 */
function post(
  { answerMs: timeout, ...call }: Call,
  text: string,
): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(text) }
    const sent = process
      .getBuiltinModule("node:http")
      .request({ ...call, headers, timeout, agent: false }, (answer) => {
        const chunks: Buffer[] = []
        answer.on("data", (chunk: Buffer) => chunks.push(chunk))
        answer.on("error", reject)
        answer.on("end", () => resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString() }))
      })
    sent.on("timeout", () => sent.destroy(UNANSWERED))
    sent.on("error", reject)
    sent.end(text)
  })
}

/** The socket must be ours, and its folder closed to writers of other users: otherwise another program could answer in the daemon's place. */
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
function unanswered(socket: string, answerMs: number, cause: unknown): AppError {
  return new AppError({
    code: "daemon.unreachable",
    disposition: "transient",
    message: `The daemon at ${socket} took the request and gave no answer within ${answerMs / 1_000} s; \`ballast status\` shows which part is slow`,
    details: { socket },
    cause,
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
