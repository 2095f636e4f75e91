import { chmodSync, lstatSync, rmSync, statSync } from "node:fs"
import { createServer, type Socket } from "node:net"
import { dirname } from "node:path"
import { AppError, toAppError } from "#lib/app-error.ts"
import { findEnvironmentFault, throwFault } from "#lib/environment-fault.ts"
import type { Logger } from "#lib/log.ts"
import { makeFolder } from "#lib/make-folder.ts"
import type { SigningDesk } from "./create-signing-desk.ts"
import { createFrameReader, encodeFrame } from "./frames.ts"
import { shortPath } from "./short-path.ts"
import { encodeAnswer, parseRequest, type SignerAnswer, toFailure } from "./wire.ts"

/** More clients than the daemon and a few commands need. */
const MAX_CONNECTIONS = 16

type SignerServer = { readonly stop: () => Promise<void> }

/**
 * Listens on a Unix socket that only this user can open: mode 0600 in a directory of mode 0700. A
 * socket that a killed signer left is replaced; the caller holds the lock of the data directory.
 * `inherited` is the descriptor of a socket that a service manager has opened.
 *
 * Throws `signer.listen` (fatal), and `system.*` (transient) for trouble of the machine.
 */
export async function serveSigner(
  desk: SigningDesk,
  options: { readonly path: string; readonly inherited: number | null; readonly log: Logger },
): Promise<SignerServer> {
  const { path, inherited, log } = options
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on("close", () => sockets.delete(socket))
    answerClient(socket, desk, log)
  })
  server.maxConnections = MAX_CONNECTIONS
  const target = inherited === null ? { path: prepareOrFault(path) } : { fd: inherited }
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause) => reject(listenError(path, cause.message, cause)))
    server.listen(target, resolve)
  })
  if (inherited === null) chmodSync(path, 0o600)
  return {
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

/** Requests of one connection run one after another, in their order. */
function answerClient(socket: Socket, desk: SigningDesk, log: Logger): void {
  let last: Promise<void> = Promise.resolve()
  const read = createFrameReader((text) => {
    last = last.then(() => answer(text))
  })

  async function answer(text: string): Promise<void> {
    if (socket.destroyed) return
    socket.write(encodeFrame(encodeAnswer(await answerText(text, desk, log))))
  }

  socket.on("data", (bytes: Buffer) => {
    try {
      read(bytes)
    } catch (error) {
      log.warn(
        { err: toAppError(error, { code: "signer.frame", disposition: "refused" }) },
        "A client broke the protocol",
      )
      socket.destroy()
    }
  })
  // A client that goes away needs no answer.
  socket.on("error", () => socket.destroy())
}

/** Never throws. */
async function answerText(text: string, desk: SigningDesk, log: Logger): Promise<SignerAnswer> {
  let id = -1
  try {
    const request = parseRequest(text)
    id = request.id
    return { id, ok: true, result: await desk(request) }
  } catch (error) {
    const known = toAppError(error, { code: "signer.failed", disposition: "bug" })
    // An unknown error's text could quote what it failed on, so only its kind goes out.
    const shown =
      error instanceof AppError
        ? known
        : new AppError({ ...FAILED, details: { kind: nameOf(error) } })
    log.warn({ code: shown.code, reason: shown.message }, "Refuses a request")
    return { id, ok: false, error: toFailure(shown) }
  }
}

const FAILED = {
  code: "signer.failed",
  disposition: "bug",
  message: "the signer failed on this request",
} as const

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error
}

function prepareOrFault(path: string): string {
  try {
    return prepare(path)
  } catch (error) {
    return throwFault(error, path)
  }
}

function prepare(path: string): string {
  const directory = dirname(path)
  makeFolder(directory)
  if ((statSync(directory).mode & 0o077) !== 0) {
    throw listenError(path, `its directory is open to other users; run: chmod 700 ${directory}`)
  }
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found !== undefined && !found.isSocket())
    throw listenError(path, "a file of another kind is there; remove it")
  rmSync(path, { force: true })
  return shortPath(path)
}

function listenError(path: string, problem: string, cause?: unknown): AppError {
  const fault = findEnvironmentFault(cause, path)
  if (fault !== null) return fault
  return new AppError({
    code: "signer.listen",
    disposition: "fatal",
    message: `the signer cannot listen on ${path}: ${problem}`,
    details: { path },
    cause,
  })
}
