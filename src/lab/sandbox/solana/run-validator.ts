import { createRequire } from "node:module"

/*
 * The process of one local Solana validator. Its calls block their thread, and it stops for ever
 * when too many of its events wait, so it shares its thread with no other work. The parent starts
 * it with `ValidatorOptions` as JSON, and sends one command at a time.
 */

export type ValidatorCommand =
  | { readonly deploy: { programId: string; soPath: string } }
  | { readonly skipTo: number }

/** `ready`: after the start. `done`, `failed`: of the start or of a command. */
export type ValidatorAnswer =
  | { readonly ready: { rpcUrl: string; wsUrl: string; payer: readonly number[] } }
  | { readonly done: true }
  | { readonly failed: string }

export type ValidatorOptions = {
  /** The package with the native module of surfpool. */
  readonly package: string
  readonly slotTimeMs: number
}

/**
 * Surfpool calls the option `airdropSol`, but its unit is lamports. Surfpool refuses ten times this
 * value.
 */
const PAYER_LAMPORTS = 100_000_000_000_000
const DRAIN_MS = 100

type Surfnet = {
  readonly rpcUrl: string
  readonly wsUrl: string
  readonly payerSecretKey: readonly number[]
  deploy(options: { programId: string; soPath: string }): string
  timeTravelToSlot(slot: number): unknown
  /** Takes all queued events. */
  drainEvents(): unknown
}

process.once("disconnect", () => process.exit(0))
answer(() => {
  // CAST: the parent wrote it.
  const surfnet = start(JSON.parse(process.argv[2] ?? "") as ValidatorOptions)
  const { rpcUrl, wsUrl } = surfnet
  setInterval(() => surfnet.drainEvents(), DRAIN_MS)
  // CAST: the parent sends nothing else.
  process.on("message", (command) => answer(() => obey(surfnet, command as ValidatorCommand)))
  return { ready: { rpcUrl, wsUrl, payer: [...surfnet.payerSecretKey] } }
})

function start({ package: name, slotTimeMs }: ValidatorOptions): Surfnet {
  // CAST: the package is a native module without type declarations; the tests run every member of
  // this type.
  const { Surfnet } = createRequire(import.meta.url)(name) as {
    Surfnet: { startWithConfig(config: object): Surfnet }
  }
  return Surfnet.startWithConfig({
    offline: true,
    slotTimeMs,
    blockProductionMode: "clock",
    airdropSol: PAYER_LAMPORTS,
  })
}

function obey(surfnet: Surfnet, command: ValidatorCommand): ValidatorAnswer {
  surfnet.drainEvents()
  if ("deploy" in command) surfnet.deploy(command.deploy)
  else surfnet.timeTravelToSlot(command.skipTo)
  return { done: true }
}

function answer(act: () => ValidatorAnswer): void {
  try {
    process.send?.(act())
  } catch (error) {
    process.send?.({ failed: String(error) } satisfies ValidatorAnswer)
  }
}
