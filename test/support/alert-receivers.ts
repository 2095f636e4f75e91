import { createServer, type IncomingHttpHeaders, type Server } from "node:http"
import { type ParsedMail, simpleParser } from "mailparser"
import { SMTPServer } from "smtp-server"
import { listen } from "./listen.ts"

export type HttpCall = {
  readonly path: string
  readonly method: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly atMs: number
}

export type HttpReceiver = {
  readonly url: string
  readonly calls: HttpCall[]
  status: number
  readonly close: () => Promise<void>
}

/** A plain HTTP server that keeps every call, and answers with `status`. */
export async function startHttpReceiver(): Promise<HttpReceiver> {
  const calls: HttpCall[] = []
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const { url: path = "", method = "", headers } = request
      calls.push({
        path,
        method,
        headers,
        body: Buffer.concat(chunks).toString(),
        atMs: Date.now(),
      })
      response
        .writeHead(receiver.status, { "content-type": "application/json" })
        .end(`{"path":"${path}"}`)
    })
  })
  const { url } = await listen(server)
  const receiver: HttpReceiver = {
    url,
    calls,
    status: 200,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
  return receiver
}

export type MailReceiver = {
  readonly port: number
  readonly mails: ParsedMail[]
  readonly logins: string[]
  readonly close: () => Promise<void>
}

export const MAIL_PASSWORD = "a-mail-password-for-tests"

/** A real SMTP server (smtp-server) with a login; mailparser reads the mails that it takes. */
export async function startMailReceiver(): Promise<MailReceiver> {
  const mails: ParsedMail[] = []
  const logins: string[] = []
  const server = new SMTPServer({
    hideSTARTTLS: true,
    allowInsecureAuth: true,
    onAuth: ({ username = "", password = "" }, _session, done) => {
      logins.push(username)
      if (password === MAIL_PASSWORD) done(null, { user: username })
      else done(new Error("wrong password"))
    },
    onData: (stream, _session, done) => {
      simpleParser(stream).then((mail) => {
        mails.push(mail)
        done()
      }, done)
    },
  })
  const { port } = await listen(server.server)
  return {
    port,
    mails,
    logins,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
