import { createRequire } from "node:module"
import { Keypair } from "@solana/web3.js"
import { AppError } from "#lib/app-error.ts"
import { startForwarder } from "./start-forwarder.ts"

/**
 * Starts surfpool, an offline Solana validator for tests: the real Solana VM and the real JSON-RPC, on threads of this process. It makes
 * a slot every `slotTimeMs`, confirms a block immediately, and finalises it 31 slots later, as on a real cluster.
 *
 * Surfpool queues an event for each step of its clock, each transaction and each skip. Its queue holds 1024. When it is full, the next skip
 * waits for room while it holds the lock that every request needs, and the validator never answers again. So the events are dropped here.
 *
 * Surfpool always chooses its own ports, one for HTTP and one for WebSocket. A forwarder serves both at `port`; 0 means any free port. So
 * a client that waits for confirmations through a subscription needs to know one address only.
 */
export async function startValidator(options: { port: number; slotTimeMs: number }): Promise<Validator> {
  const surfnet = loadSurfnet().startWithConfig({
    offline: true,
    slotTimeMs: options.slotTimeMs,
    blockProductionMode: "clock",
    airdropSol: PAYER_LAMPORTS,
  })
  const draining = setInterval(() => surfnet.drainEvents(), DRAIN_MS)
  draining.unref()
  const forwarder = await startForwarder(options.port, surfnet).catch(stopAndRethrow)
  return {
    url: forwarder.url,
    payer: Keypair.fromSecretKey(Uint8Array.from(surfnet.payerSecretKey)),
    deploy: (programId, soPath) => {
      surfnet.drainEvents()
      surfnet.deploy({ programId, soPath })
    },
    skipToSlot: (slot) => {
      // A busy process may be late with its timer.
      surfnet.drainEvents()
      surfnet.timeTravelToSlot(slot)
    },
    stop: async () => {
      await forwarder.stop()
      clearInterval(draining)
      // A queue that filled up while connections closed would stop this thread for ever.
      surfnet.drainEvents()
      surfnet.stop()
    },
  }
  function stopAndRethrow(error: unknown): never {
    clearInterval(draining)
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

const DRAIN_MS = 250

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
  readonly wsUrl: string
  readonly payerSecretKey: readonly number[]
  deploy(options: { programId: string; soPath: string }): string
  timeTravelToSlot(slot: number): unknown
  /** Takes all queued events. */
  drainEvents(): unknown
  stop(): void
}
