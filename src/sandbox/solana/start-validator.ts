import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http"
import { createRequire } from "node:module"
import { Keypair } from "@solana/web3.js"
import { AppError } from "#lib/app-error.ts"

/**
 * Starts surfpool, an offline Solana validator for tests: the real Solana VM and the real JSON-RPC, on threads of this process. It makes
 * a slot every `slotTimeMs`, confirms a block immediately, and finalises it 31 slots later, as on a real cluster.
 *
 * Surfpool always chooses its own port, so a forwarder listens on a given `port`; 0 means any free port.
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
  /** Advances the slot number and the clock together. Block height and blockhashes continue without a jump. */
  skipToSlot(slot: number): void
  stop(): Promise<void>
}

/** Surfpool calls the option `airdropSol`, but its unit is lamports. Surfpool refuses ten times this value. */
const PAYER_LAMPORTS = 100_000_000_000_000

function loadSurfnet(): SurfnetClass {
  try {
    // CAST: the package is a native module without type declarations; the tests run every member of this type.
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
