import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http"
import { createRequire } from "node:module"
import type { AddressInfo } from "node:net"
import { Keypair } from "@solana/web3.js"
import { AppError } from "#lib/app-error.ts"

/**
 * A Solana validator for tests (surfpool: the real Solana VM behind the real JSON-RPC), offline, inside this process on
 * threads of its own. A slot every `slotTimeMs`, a confirmed block at once, finality 31 slots later, as on a real cluster.
 *
 * Surfpool picks its own port and cannot be told one, so a wanted port gets a small forwarder in front; port 0 means that any port will do.
 */
export async function startValidator(options: { port: number; slotTimeMs: number }): Promise<Validator> {
  const surfnet = loadSurfnet().startWithConfig({
    offline: true,
    slotTimeMs: options.slotTimeMs,
    blockProductionMode: "clock",
    airdropSol: PAYER_LAMPORTS,
  })
  const forwarder = options.port === 0 ? null : await startForwarder(options.port, surfnet.rpcUrl).catch(stopAndRethrow)
  return {
    url: forwarder === null ? surfnet.rpcUrl : `http://127.0.0.1:${options.port}`,
    payer: Keypair.fromSecretKey(Uint8Array.from(surfnet.payerSecretKey)),
    deploy: (programId, soPath) => void surfnet.deploy({ programId, soPath }),
    skipToSlot: (slot) => void surfnet.timeTravelToSlot(slot),
    stop: async () => {
      if (forwarder !== null) await stopForwarder(forwarder)
      surfnet.stop()
    },
  }
  function stopAndRethrow(error: unknown): never {
    surfnet.stop()
    throw error
  }
}

export type Validator = {
  readonly url: string
  /** Holds 100 000 SOL from the start. */
  readonly payer: Keypair
  deploy(programId: string, soPath: string): void
  /** Moves the slot number and the clock forward at once. Block height and blockhashes go on as if nothing had happened. */
  skipToSlot(slot: number): void
  stop(): Promise<void>
}

/** The name is surfpool's; the unit is lamports. Ten times more is refused at start-up. */
const PAYER_LAMPORTS = 100_000_000_000_000

function loadSurfnet(): SurfnetClass {
  try {
    // CAST: the package is a native module without type declarations; every member that we name is run by the tests.
    return (createRequire(import.meta.url)(PACKAGE) as { Surfnet: SurfnetClass }).Surfnet
  } catch (cause) {
    throw new AppError({
      code: "sandbox.solana_unavailable",
      disposition: "fatal",
      message: `the local Solana needs the optional package ${PACKAGE}, which exists for Linux on x86-64; leave Solana out of the sandbox or run it there`,
      cause,
    })
  }
}

const PACKAGE = "@solana/surfpool-linux-x64-gnu"

type SurfnetClass = {
  startWithConfig(config: {
    offline: boolean
    slotTimeMs: number
    blockProductionMode: "clock"
    airdropSol: number
  }): Surfnet
}

type Surfnet = {
  readonly rpcUrl: string
  readonly payerSecretKey: readonly number[]
  deploy(options: { programId: string; soPath: string }): string
  timeTravelToSlot(slot: number): unknown
  stop(): void
}

function startForwarder(port: number, target: string): Promise<Server> {
  const server = createServer((incoming, answer) => forward(incoming, answer, target))
  return new Promise((resolve, reject) => {
    server.once("error", reject)
    server.listen(port, "127.0.0.1", () => resolve(server))
  })
}

function forward(incoming: IncomingMessage, answer: ServerResponse, target: string): void {
  const outgoing = request(target, { method: incoming.method ?? "POST", headers: incoming.headers }, (response) => {
    answer.writeHead(response.statusCode ?? 502, response.headers)
    response.pipe(answer)
  })
  outgoing.once("error", (error) => {
    if (!answer.headersSent) answer.writeHead(502, { "content-type": "text/plain" })
    answer.end(error.message)
  })
  incoming.pipe(outgoing)
}

function stopForwarder(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}

/** A port that is free at this moment. For tests. */
export async function findFreePort(): Promise<number> {
  const server = await startForwarder(0, "")
  // CAST: a server that listens on TCP has an AddressInfo.
  const { port } = server.address() as AddressInfo
  await stopForwarder(server)
  return port
}
