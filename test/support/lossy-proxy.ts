import {
  createServer,
  type IncomingMessage,
  type RequestOptions,
  type ServerResponse,
  request as send,
} from "node:http"
import { setTimeout as sleep } from "node:timers/promises"

/**
 * An HTTP proxy that loses requests and answers, brings a request twice or after its caller gave
 * up, lets others overtake it, cuts an answer off, and calls `kill` in the midst of a request.
 */
export type LossyProxy = {
  /** From now on it changes nothing; resolves when the late requests have come. */
  readonly calm: () => Promise<void>
  /** How often each fate befell a request. */
  readonly counts: () => Readonly<Record<string, number>>
  readonly stop: () => void
}

type Place = { readonly host: string; readonly port: number } | { readonly socketPath: string }

type ProxyOptions = {
  readonly listen: Place
  /** The place of the server behind. */
  readonly to: Place
  readonly dice: (below: number) => number
  readonly kill: () => void
  /** Every so many changes the server is killed in the midst of one. */
  readonly killEach: number
}

const FATES = ["lost", "late", "unanswered", "doubled", "overtaken", "cut"] as const
/** One request of so many has a bad fate, but for kills. */
const BAD_OF = 16
const LATE_MS = 2_000
const OVERTAKEN_MS = 500
const KILL_WITHIN_MS = 40

export async function startLossyProxy(options: ProxyOptions): Promise<LossyProxy> {
  const { listen, to, dice, kill, killEach } = options
  const counts = new Map<string, number>()
  const late: Promise<unknown>[] = []
  let changes = 0
  let isCalm = false

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat(await request.toArray())
    const ask = (): Promise<Answer> => forward(to, request, body)
    const drop = (): void => void request.socket.destroy()
    const fate = isCalm ? "passed" : (FATES[dice(BAD_OF)] ?? "passed")
    counts.set(fate, (counts.get(fate) ?? 0) + 1)
    if (fate === "lost") return drop()
    if (fate === "late") {
      late.push(
        sleep(dice(LATE_MS))
          .then(ask)
          .catch(() => undefined),
      )
      return drop()
    }
    if (fate === "overtaken") await sleep(dice(OVERTAKEN_MS))
    const asked = fate === "doubled" ? [ask(), ask()] : [ask()]
    if (request.method === "POST" && ++changes % killEach === 0)
      void sleep(dice(KILL_WITHIN_MS)).then(() => isCalm || kill())
    const answers = await Promise.all(asked)
    const answer = answers[dice(answers.length)]
    if (answer === undefined || fate === "unanswered") return drop()
    response.writeHead(answer.status, answer.headers)
    if (fate !== "cut") response.end(answer.body)
    else response.write(answer.body.subarray(0, answer.body.length / 2), drop)
  }

  const server = createServer((request, response) => {
    // The server behind is gone: so is the connection.
    serve(request, response).catch(() => request.socket.destroy())
  })
  await new Promise<void>((resolve) =>
    "socketPath" in listen
      ? server.listen(listen.socketPath, resolve)
      : server.listen(listen.port, listen.host, resolve),
  )
  return {
    calm: async () => {
      isCalm = true
      await Promise.all(late)
    },
    counts: () => Object.fromEntries(counts),
    stop: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

type Answer = {
  readonly status: number
  readonly headers: IncomingMessage["headers"]
  readonly body: Buffer
}

function forward(to: Place, { method, url, headers }: IncomingMessage, body: Buffer) {
  const host = "port" in to ? { host: `${to.host}:${to.port}` } : {}
  const options: RequestOptions = { ...to, method, path: url, headers: { ...headers, ...host } }
  return new Promise<Answer>((resolve, reject) => {
    const asked = send({ ...options, agent: false }, (answer) => {
      const { statusCode: status = 0, headers } = answer
      answer
        .toArray()
        .then((chunks) => resolve({ status, headers, body: Buffer.concat(chunks) }), reject)
    })
    asked.on("error", reject).end(body)
  })
}
