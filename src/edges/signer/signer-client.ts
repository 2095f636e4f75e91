import { connect, type Socket } from "node:net"
import { AppError } from "#lib/app-error.ts"
import type { Clock } from "#lib/clock.ts"
import type { KeyHolder } from "#ports/key-holder.ts"
import { createFrameReader, encodeFrame } from "./frames.ts"
import { shortPath } from "./short-path.ts"
import {
  encodeRequest,
  fromFailure,
  parseAnswer,
  parseResult,
  type SignerAnswer,
  type SignerAnswers,
  type SignerQuestion,
} from "./wire.ts"

/**
 * The daemon's end of the socket. It connects when it has a request, and again after a connection
 * broke.
 */
export type SignerClient = {
  /**
   * Throws the signer's own refusal, or `signer.unavailable` (transient) without an answer. To ask
   * again is safe: the signer gives the same bytes for the same content.
   */
  ask<const Kind extends keyof SignerAnswers>(
    question: Extract<SignerQuestion, { kind: Kind }>,
  ): Promise<SignerAnswers[Kind]>
  close(): void
}

/** A signature takes milliseconds; a queue of them a few seconds. */
const TIMEOUT_MS = 20_000

export function createSignerClient(path: string, clock: Clock): SignerClient {
  let connection: Promise<Connection> | null = null
  let nextId = 1

  function open(): Promise<Connection> {
    // Outside the connection, so that a folder that is not there yet is looked for again.
    const address = shortOrUnavailable(path)
    connection ??= openConnection(path, address, () => {
      connection = null
    })
    return connection
  }

  return {
    ask: async <const Kind extends keyof SignerAnswers>(
      question: Extract<SignerQuestion, { kind: Kind }>,
    ) => {
      const id = nextId++
      const answer = await exchange(open, encodeRequest(id, question), id, clock)
      if (!answer.ok) throw fromFailure(answer.error)
      return parseResult<Kind>(question.kind, answer.result)
    },
    close: () => {
      void connection?.then(({ socket }) => socket.destroy()).catch(() => undefined)
      connection = null
    },
  }
}

/** The key of one chain behind the socket. */
export function holdRemotely(client: SignerClient, publicKey: string): KeyHolder {
  return {
    publicKey,
    signTransaction: async (plan, { order, deposit, worthUnits }) => {
      const worth = worthUnits === undefined ? {} : { worthUnits }
      const { raw, txid } = await client.ask({
        kind: "transaction",
        order,
        plan,
        deposit,
        ...worth,
      })
      return { plan, raw, txid }
    },
    signTypedData: (deposit, { order }) => client.ask({ kind: "typedData", order, deposit }),
  }
}

type Connection = {
  readonly socket: Socket
  readonly waiting: Map<
    number,
    { resolve: (answer: SignerAnswer) => void; reject: (error: AppError) => void }
  >
}

function openConnection(path: string, address: string, onClose: () => void): Promise<Connection> {
  return new Promise((resolve, reject) => {
    const socket = connect(address)
    const waiting: Connection["waiting"] = new Map()
    const read = createFrameReader((text) => {
      const answer = parseAnswer(text)
      waiting.get(answer.id)?.resolve(answer)
      waiting.delete(answer.id)
    })
    socket.on("data", (bytes: Buffer) => {
      try {
        read(bytes)
      } catch {
        // Not our signer's protocol: the end of the connection fails every request that waits on
        // it.
        socket.destroy()
      }
    })
    socket.once("connect", () => resolve({ socket, waiting }))
    socket.on("error", (cause) => reject(unavailable(path, cause.message, cause)))
    socket.on("close", () => {
      onClose()
      for (const { reject: fail } of waiting.values())
        fail(unavailable(path, "the connection ended"))
      reject(unavailable(path, "the connection ended"))
    })
  })
}

/**
 * A deep folder is opened for its descriptor, and before the first start of the signer it is not
 * there yet: a signer that does not answer.
 */
function shortOrUnavailable(path: string): string {
  try {
    return shortPath(path)
  } catch (error) {
    if (error instanceof AppError) throw error
    const problem = error instanceof Error ? error.message : String(error)
    throw unavailable(path, problem, error)
  }
}

async function exchange(
  open: () => Promise<Connection>,
  text: string,
  id: number,
  clock: Clock,
): Promise<SignerAnswer> {
  const frame = encodeFrame(text)
  const { socket, waiting } = await open()
  const late = new AbortController()
  const answer = new Promise<SignerAnswer>((resolve, reject) => {
    waiting.set(id, { resolve, reject })
    socket.write(frame)
    void clock.sleep(TIMEOUT_MS, late.signal).then(() => {
      if (!late.signal.aborted) socket.destroy()
    })
  })
  try {
    return await answer
  } finally {
    late.abort()
  }
}

function unavailable(path: string, problem: string, cause?: unknown): AppError {
  return new AppError({
    code: "signer.unavailable",
    disposition: "transient",
    message: `the signer does not answer on ${path} (${problem}); Ballast asks again`,
    details: { path },
    cause,
  })
}
