import { cpSync, existsSync, rmSync } from "node:fs"
import { expect } from "vitest"
import type { AssetId } from "#domain/asset.ts"
import type { EngineContext } from "#engine/context.ts"
import { Secret } from "#lib/secret.ts"
import { createSecretKeeper } from "#lib/secret-keeper.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { Conduct } from "../../../support/fake-service.ts"
import {
  ARB,
  BTC,
  createWorld,
  type Daemon,
  defaultSettings,
  ETH,
  type StartOptions,
  type World,
} from "../../../support/fake-world.ts"
import { withCapability } from "../../../support/wrap-port.ts"
import { type Attack, attacksOn, type Target } from "./attacks.ts"

/*
 * One order whose payout of a told secret, or whose refund, is attacked from its weakest moment on.
 */

export const ID = "order-1"
const UNITS = 10_000n
export const MINUTE_MS = 60_000
const FILES = ["", "-wal", "-shm"]
const keeper = createSecretKeeper(new Secret("5e".repeat(32), "env:SECRET_KEY"), "test")
export const ownSecrets = { keeper, modeOf: () => "own" as const, maxServiceSecret: null }

/** The solver takes the deposit as soon as it knows the secret, and the payout back when it can. */
const THIEVES: Partial<Conduct> = { redeems: false, takesBack: true, takesSource: true }
const UNFILLED: Partial<Conduct> = { fills: false, takesSource: false, sourceTimelock: 200n }

const FAMILIES = ["evm", "solana", "starknet", "bitcoin"] as const
export const SIDES = ["destination", "source"] as const
export type Case = {
  readonly family: (typeof FAMILIES)[number]
  readonly side: (typeof SIDES)[number]
  readonly attack: Attack
}

/** Each attack on this leg in each family. */
export function casesOf(side: Case["side"]): readonly (Case & { readonly name: string })[] {
  return attacksOn(side).flatMap((attack) =>
    FAMILIES.map((family) => ({ name: attack.name, family, side, attack })),
  )
}

/** The daemons of one world. `more`: the additions of a test to each of them. */
export type Run = {
  readonly world: World
  readonly target: Target
  readonly start: (more?: StartOptions) => Promise<Daemon>
}

/** What outlives the daemons of a run, such as a signer. */
export type Beside = (world: World) => {
  readonly adaptPort: (port: ChainPort) => ChainPort
  readonly adaptContext: (context: EngineContext) => EngineContext
}

const ALONE: Beside = () => ({ adaptPort: (port) => port, adaptContext: (context) => context })

/** `isTowerDue`: attacks that end begin once a watchtower acts, and not at the daemon's turn. */
export function begin(
  { family, side, attack }: Case,
  openBeside: Beside = ALONE,
  isTowerDue: ((target: Target) => boolean) | null = null,
): Run {
  const world = createWorld({
    confirmations: 2,
    ...(family === "bitcoin" ? {} : { arbitrum: family }),
  })
  Object.assign(world.service.conduct, side === "destination" ? THIEVES : UNFILLED)
  // Bytes of Solana live for sixty slots here.
  if (family === "solana" && side === "destination")
    world.service.conduct.destinationTimelock = 400n
  const leg = family === "bitcoin" ? BTC : ARB
  const [from, to]: readonly [AssetId, AssetId] = side === "destination" ? [ETH, leg] : [leg, ETH]
  const ledgerOf = (asset: AssetId) =>
    asset === BTC ? world.bitcoin : asset === ARB ? world.arbitrum : world.evm
  let daemon: Daemon | null = null
  const isBegun = (): boolean => {
    if (daemon?.isAlive() !== true) return false
    const { journal } = daemon.context
    if (side === "destination") return journal.listSecretDecisions(ID).includes("reveal")
    return journal.findOrder(ID)?.state === "funded" || target.source.state().swaps.size > 0
  }
  let hasBegun = false
  let dueMs: number | null = null
  const isDue = (): boolean => {
    if (isTowerDue !== null) return isTowerDue(target)
    if (side === "destination") return target.isBegun()
    const [deposit] = target.source.state().swaps.values()
    if (deposit === undefined) return false
    return target.source.height() >= deposit.initiated.height + deposit.timelock
  }
  const target: Target = {
    world,
    from,
    to,
    source: ledgerOf(from),
    destination: ledgerOf(to),
    isBegun: () => {
      hasBegun ||= isBegun()
      return hasBegun
    },
    dueSeconds: () => {
      if (dueMs === null && !isDue()) return -1
      dueMs ??= world.clock.now()
      return Math.floor((world.clock.now() - dueMs) / 1_000)
    },
  }
  const beside = openBeside(world)
  const attacked = attack.adaptPort?.(target) ?? ((port: ChainPort) => port)
  const start = async (more: StartOptions = {}): Promise<Daemon> => {
    daemon = world.start({
      adaptContext: beside.adaptContext,
      ...more,
      settings: { ...defaultSettings(), ownSecrets },
      adaptPort: (port) => attacked(beside.adaptPort(withKey(port))),
    })
    return daemon
  }
  return { world, target, start }
}

/** Bitcoin's payout has the wallet's own key. */
export function withKey(port: ChainPort): ChainPort {
  return port.family === "bitcoin"
    ? withCapability({ ...port, destinationExtras: { delegate: "de".repeat(32) } }, "outputs", {
        estimatePayoutFee: async () => 20n,
      })
    : port
}

/** All three coins count alike here. */
function lostIn({ evm, arbitrum, bitcoin }: World): bigint {
  const units = [evm.state(), arbitrum.state(), bitcoin.state()].map(
    ({ balances }, index) => balances.get([ETH, ARB, BTC][index] ?? ETH) ?? 0n,
  )
  return 3_000_000n - units.reduce((sum, each) => sum + each, 0n)
}

/** Lets time pass until `done`, with the attack running. `eachSecond`: what a person does. */
export async function underAttack(
  { world, target }: Run,
  attack: Attack,
  daemon: () => Daemon,
  done: () => boolean,
  eachSecond: (second: number) => void = () => undefined,
): Promise<void> {
  let sinceMs: number | null = null
  let lastSecond = -1
  let isPaused = false
  await world.run(() => {
    if (target.isBegun()) {
      sinceMs ??= world.clock.now()
      const second = Math.floor((world.clock.now() - sinceMs) / 1_000)
      if (attack.isHasty === true || second !== lastSecond) attack.act?.(target, second)
      if (second !== lastSecond) eachSecond(second)
      lastSecond = second
      if (attack.isPaused === true && !isPaused && daemon().isAlive()) {
        isPaused = true
        // It is a write, at which the process may die.
        daemon()
          .engine.pause({ kind: "all" })
          .catch(() => undefined)
      }
    }
    return done()
  }, 120 * MINUTE_MS)
}

const ENDED = ["completed", "refunded", "rejected"]

/** The money of the order is back, and no reorganisation follows. */
export function isBack({ target: { source, destination } }: Run): boolean {
  return [source, destination].some(({ mined, state, height }) =>
    [...mined("redeem"), ...mined("refund")].some(
      ({ ok, txid }) => ok && (state().txs.get(txid)?.height ?? 0n) + 40n <= height(),
    ),
  )
}

/** The order has ended, or its money is back. */
export function isOver(run: Run, daemon: Daemon): boolean {
  if (!daemon.isAlive()) return false
  return isBack(run) || ENDED.includes(daemon.state(ID))
}

export function copyJournal(from: string, to: string): void {
  for (const end of FILES) {
    rmSync(to + end, { force: true })
    if (existsSync(from + end)) cpSync(from + end, to + end)
  }
}

export async function submit({ target }: Run, daemon: Daemon): Promise<boolean> {
  const { from, to } = target
  const answer = await daemon.engine.submit({ from, to, sourceUnits: UNITS }).catch(() => null)
  return answer?.ok === true
}

export function expectNothingLost({ world, target }: Run): void {
  expect(target.source.mined("initiate").length).toBeGreaterThan(0)
  expect(lostIn(world)).toBeLessThan(1_500n)
  const signed = world.signatures.map((entry) => entry.split(" ")[0])
  expect(signed.includes("refund") && world.service.reveals.length > 0).toBe(false)
}
