import { cpSync, existsSync, rmSync } from "node:fs"
import { describe, expect, test } from "vitest"
import type { AssetId } from "#domain/asset.ts"
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
 * A process that dies at any write, while strangers, nodes and the service attack the leg that
 * brings the money: the payout of a told secret, or the refund of a deposit. Each family, and a
 * journal from before the reveal too.
 */

const ID = "order-1"
const UNITS = 10_000n
const MINUTE_MS = 60_000
const FILES = ["", "-wal", "-shm"]
const keeper = createSecretKeeper(new Secret("5e".repeat(32), "env:SECRET_KEY"), "test")
const ownSecrets = { keeper, modeOf: () => "own" as const, maxServiceSecret: null }

/** The solver takes the deposit as soon as it knows the secret, and the payout back when it can. */
const THIEVES: Partial<Conduct> = { redeems: false, takesBack: true, takesSource: true }
const UNFILLED: Partial<Conduct> = { fills: false, takesSource: false, sourceTimelock: 200n }

type Case = {
  readonly family: "evm" | "solana" | "starknet" | "bitcoin"
  readonly side: "source" | "destination"
  readonly attack: Attack
}

type Run = {
  readonly world: World
  readonly target: Target
  readonly start: (more?: StartOptions) => Promise<Daemon>
}

function begin({ family, side, attack }: Case): Run {
  const world = createWorld({
    confirmations: 2,
    ...(family === "bitcoin" ? {} : { arbitrum: family }),
  })
  Object.assign(world.service.conduct, side === "destination" ? THIEVES : UNFILLED)
  // Bytes of Solana live for sixty slots here.
  if (family === "solana") world.service.conduct.destinationTimelock = 400n
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
  }
  const withKey = (port: ChainPort): ChainPort =>
    port.family === "bitcoin"
      ? withCapability({ ...port, destinationExtras: { delegate: "de".repeat(32) } }, "outputs", {
          estimatePayoutFee: async () => 20n,
        })
      : port
  const attacked = attack.adaptPort?.(target) ?? ((port: ChainPort) => port)
  const start = async (more: StartOptions = {}): Promise<Daemon> => {
    daemon = world.start({
      ...more,
      settings: { ...defaultSettings(), ownSecrets },
      adaptPort: (port) => attacked(withKey(port)),
    })
    return daemon
  }
  return { world, target, start }
}

/** All three coins count alike here. */
function lostIn({ evm, arbitrum, bitcoin }: World): bigint {
  const units = [evm.state(), arbitrum.state(), bitcoin.state()].map(
    ({ balances }, index) => balances.get([ETH, ARB, BTC][index] ?? ETH) ?? 0n,
  )
  return 3_000_000n - units.reduce((sum, each) => sum + each, 0n)
}

/** Lets time pass until `done`, with the attack running. */
async function underAttack(
  { world, target }: Run,
  attack: Attack,
  daemon: () => Daemon,
  done: () => boolean,
): Promise<void> {
  let sinceMs: number | null = null
  let lastSecond = -1
  let isPaused = false
  await world.run(() => {
    if (target.isBegun()) {
      sinceMs ??= world.clock.now()
      const second = Math.floor((world.clock.now() - sinceMs) / 1_000)
      if (attack.isHasty === true || second !== lastSecond) attack.act?.(target, second)
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

/** The order has ended, or the money is back and no reorganisation follows. */
function isOver({ target: { source, destination } }: Run, daemon: Daemon): boolean {
  if (!daemon.isAlive()) return false
  const isBack = [source, destination].some(({ mined, state, height }) =>
    [...mined("redeem"), ...mined("refund")].some(
      ({ ok, txid }) => ok && (state().txs.get(txid)?.height ?? 0n) + 40n <= height(),
    ),
  )
  return isBack || ENDED.includes(daemon.state(ID))
}

function copyJournal(from: string, to: string): void {
  for (const end of FILES) {
    rmSync(to + end, { force: true })
    if (existsSync(from + end)) cpSync(from + end, to + end)
  }
}

async function submit({ target }: Run, daemon: Daemon): Promise<boolean> {
  const { from, to } = target
  const answer = await daemon.engine.submit({ from, to, sourceUnits: UNITS }).catch(() => null)
  return answer?.ok === true
}

function expectNothingLost({ world }: Run): void {
  expect(lostIn(world)).toBeLessThan(1_500n)
  const signed = world.signatures.map((entry) => entry.split(" ")[0])
  expect(signed.includes("refund") && world.service.reveals.length > 0).toBe(false)
}

async function dieAt(one: Case, at: number, when: "before" | "after"): Promise<void> {
  const run = begin(one)
  let daemon = await run.start({ dies: { at, when } })
  const isStored = await submit(run, daemon)
  await underAttack(
    run,
    one.attack,
    () => daemon,
    () => !daemon.isAlive() || isOver(run, daemon),
  )
  daemon.kill()
  daemon = await run.start()
  if (!isStored && daemon.state(ID) === "none") {
    run.world.forgetIds()
    expect(await submit(run, daemon)).toBe(true)
  }
  await underAttack(
    run,
    one.attack,
    () => daemon,
    () => isOver(run, daemon),
  )
  expectNothingLost(run)
}

async function restoreJournal(one: Case, from: string): Promise<void> {
  const run = begin(one)
  let daemon = await run.start()
  await submit(run, daemon)
  await daemon.reach(from)
  daemon.kill()
  const { journalFile } = run.world
  copyJournal(journalFile, `${journalFile}.old`)
  daemon = await run.start()
  const isTold = () => daemon.context.journal.listSecretDecisions(ID).includes("reveal")
  await run.world.run(() => isTold() || isOver(run, daemon))
  daemon.kill()
  copyJournal(`${journalFile}.old`, journalFile)
  daemon = await run.start()
  await underAttack(
    run,
    one.attack,
    () => daemon,
    () => isOver(run, daemon),
  )
  expectNothingLost(run)
}

const FAMILIES = ["evm", "solana", "starknet", "bitcoin"] as const
/** Each case dies at every so many writes, and the cases begin at different ones. */
const STRIDE = Number(process.env["BALLAST_KILL_STRIDE"] ?? 16)

const SIDES = ["destination", "source"] as const
const CASES = SIDES.flatMap((side) =>
  attacksOn(side).flatMap((attack) =>
    FAMILIES.map((family, index) => ({ name: attack.name, family, side, attack, index })),
  ),
)
const writes = (offset: number): readonly number[] =>
  Array.from({ length: 48 }, (_, index) => index + 1).filter(
    (at) => at % STRIDE === offset % STRIDE,
  )

describe.each(CASES)("$side leg on $family while $name", (one) => {
  const offset = CASES.indexOf(one)
  test.each(writes(offset).map((at) => ({ at, when: at % 2 === 0 ? "before" : "after" }) as const))(
    "a process that dies $when write $at loses nothing",
    async ({ at, when }) => dieAt(one, at, when),
  )
})

describe.each(CASES.filter(({ side }) => side === "destination"))(
  "a journal from before the reveal on $family while $name",
  (one) => {
    test("loses nothing", async () => restoreJournal(one, "deposit-confirming"))
  },
)
