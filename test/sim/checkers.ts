import type { OrderRow, StepRow } from "#journal/port.ts"
import { decodeJson } from "#lib/json.ts"
import type { OrderFact } from "#order/events.ts"
import { isFinal } from "#order/states.ts"
import { decodeOrder, encodeOrder, step } from "#order/step.ts"
import { accountOf, hashOf, swapKey } from "../support/fake-chain.ts"
import type { FakeLedger, SwapState } from "../support/fake-ledger.ts"
import type { FakeOrder } from "../support/fake-service.ts"
import { START_UNITS, type Surroundings } from "./sim-world.ts"
import type { Swarm } from "./swarm.ts"
import type { Signature, Witness } from "./witness.ts"

export type Violation = { readonly checker: string; readonly message: string }

/** What must hold at every moment, told from the ledgers and the witness, and never from what the engine believes. */
export type Checkers = {
  readonly checkSignature: (signature: Signature, earlier: readonly Signature[]) => Violation[]
  readonly checkStep: (before: OrderRow, step: StepRow) => Violation[]
  readonly checkWorld: () => Violation[]
  /** After a long quiet time with an honest service. */
  readonly checkEnd: (options: { replays: boolean }) => Violation[]
}

export function createCheckers(world: Surroundings, witness: () => Witness, swarm: Swarm): Checkers {
  const { journal, service } = world
  const ledgerOf = (chain: string): FakeLedger => {
    const found = [...world.ledgers].find(([id]) => id === chain)
    if (!found) throw new Error(`no ledger ${chain}`)
    return found[1]
  }
  const isDeep = (ledger: FakeLedger, txid: string): boolean => {
    const mined = ledger.state().txs.get(txid)
    return mined !== undefined && Number(ledger.height() - mined.height) + 1 >= swarm.confirmations
  }

  /** The chain proves that nothing more can come of it. */
  function isOver(signature: Signature): boolean {
    const ledger = ledgerOf(signature.chain)
    const { used, txs } = ledger.state()
    const own = txs.get(signature.txid)
    if (own !== undefined) return isDeep(ledger, signature.txid) && (signature.purpose !== "deposit" || !own.ok)
    return signature.claims.some((claim) => isDeep(ledger, used.get(claim) ?? ""))
  }
  const hasLanded = ({ chain, txid }: Signature): boolean => ledgerOf(chain).state().txs.get(txid)?.ok === true
  const deposits = (): Signature[] => witness().signatures.filter(({ purpose }) => purpose === "deposit")

  function checkOneDeposit(): Violation[] {
    const counts = new Map<string, number>()
    for (const { orderId } of deposits().filter(hasLanded)) counts.set(orderId, (counts.get(orderId) ?? 0) + 1)
    for (const order of service.orders) {
      const row = rowOf(order)
      if (row && sourceOf(order)?.initiated.txid === relayTx(order)) counts.set(row.id, (counts.get(row.id) ?? 0) + 1)
    }
    const doubled = [...counts].filter(([, count]) => count > 1)
    return doubled.map(([id, count]) => violation("one deposit", `${id} has ${count} confirmed deposits`))
  }

  const listSwaps = (): SwapState[] => [...world.ledgers.values()].flatMap((l) => [...l.state().swaps.values()])

  function checkFunds(): Violation[] {
    const moved = new Map<string, bigint>()
    const add = (asset: string, units: bigint): void => void moved.set(asset, (moved.get(asset) ?? 0n) + units)
    // By who sent what: orders that share a secret may share a swap.
    const fills = new Set(service.orders.map(({ orderId }) => hashOf(`fill ${orderId}`)))
    const payouts = new Set(service.orders.map(({ orderId }) => hashOf(`pay ${orderId}`)))
    for (const { asset, units, initiated, redeemed, refunded } of listSwaps()) {
      if (!fills.has(initiated.txid)) add(asset, -units)
      if (redeemed && payouts.has(redeemed.txid)) add(asset, redeemed.paidUnits)
      if (refunded) add(asset, units)
    }
    for (const ledger of world.ledgers.values()) {
      for (const { fee } of ledger.state().txs.values()) add(ledger.native, -fee)
    }
    return [...world.ledgers.values()].flatMap((ledger) =>
      [...ledger.state().balances].flatMap(([asset, units]) => {
        const expected = START_UNITS + (moved.get(asset) ?? 0n)
        const message = `${asset}: the wallet has ${units}, and wallet, HTLCs and fees together say ${expected}`
        return units === expected ? [] : [violation("funds conserved", message)]
      }),
    )
  }

  function checkReservations(): Violation[] {
    const open = deposits().filter((one) => !isOver(one) && !isDeep(ledgerOf(one.chain), one.txid))
    const loose = open.filter(({ chain, claims }) => {
      const reserved = journal.listReserved(`${chain}/${accountOf(chain)}/`)
      return !claims.some((claim) => reserved.has(claim))
    })
    const shared = open.flatMap((one, index) =>
      open.slice(index + 1).filter((other) => {
        const same = one.chain === other.chain && one.orderId !== other.orderId
        return same && one.claims.some((claim) => other.claims.includes(claim))
      }),
    )
    return [
      ...loose.map((one) =>
        violation("reservation until proof", `${one.orderId} may still deposit with ${one.claims}`),
      ),
      ...shared.map((one) =>
        violation("claims are exclusive", `${one.orderId} shares ${one.claims} with another order`),
      ),
    ]
  }

  function checkOrders(): Violation[] {
    const rows = [...witness().rows.values()]
    const open = rows.filter(({ state }) => !isFinal(state))
    const landed = new Set(
      deposits()
        .filter(hasLanded)
        .map(({ orderId }) => orderId),
    )
    const relayed = service.orders.filter((order) => sourceOf(order)?.initiated.txid === relayTx(order)).map(rowOf)
    const given = rows.filter(({ state }) => state === "rejected" || state === "abandoned")
    const late = given.filter((row) => landed.has(row.id) || relayed.includes(row))
    const { maxInFlight } = swarm
    return [
      ...late.map(({ id, state }) => violation("ended means ended", `${id} is ${state}, and its deposit is on chain`)),
      ...(open.length > maxInFlight
        ? [violation("in-flight limit", `${open.length} orders are open, and ${maxInFlight} may be`)]
        : []),
    ]
  }

  function checkOutcome(row: OrderRow): Violation[] {
    if (!isFinal(row.state)) {
      if (row.state !== "held") return [violation("every order ends", `${row.id} is still ${row.state}`)]
      const alerted = journal.listAlerts(1_000).some(({ orderId }) => orderId === row.id)
      return alerted ? [] : [violation("held means heard", `${row.id} is held without an alert`)]
    }
    const order = service.orders.find((candidate) => rowOf(candidate)?.id === row.id)
    const { terms } = decodeOrder(row.snapshot).data
    const paid = (order && destinationOf(order)?.redeemed?.paidUnits) ?? 0n
    if (row.state === "completed" && paid < (terms?.destinationUnits ?? 1n)) {
      return [violation("outcome is true", `${row.id} is completed, and the wallet was paid ${paid}`)]
    }
    if (row.state === "refunded" && !(order && sourceOf(order)?.refunded)) {
      return [violation("outcome is true", `${row.id} is refunded, and no refund is on chain`)]
    }
    return []
  }

  function checkReplay(row: OrderRow): Violation[] {
    const opened = witness().opened.get(row.id)
    if (!opened) return [violation("replay", `${row.id} was never opened`)]
    let order = decodeOrder(opened.snapshot)
    for (const { atMs, type, body } of journal.listEvents(row.id)) {
      if (type === "order.opened") continue
      // CAST: written by the stepper.
      order = step(order, { ...(decodeJson(body) as OrderFact), at: atMs }).order
    }
    const same = encodeOrder(decodeOrder(encodeOrder(order))) === row.snapshot
    return same
      ? []
      : [violation("replay", `${row.id}: its events lead to ${order.state}, the journal says ${row.state}`)]
  }

  function checkKnowledge(before: OrderRow, { order }: StepRow): Violation[] {
    if (swarm.on.has("node lags") || swarm.on.has("reorganised")) return []
    const [old, now] = [decodeOrder(before.snapshot).data.seen, decodeOrder(order.snapshot).data.seen]
    const sides = ["sourceInitiated", "sourceRedeemed", "destinationInitiated", "destinationRedeemed"] as const
    return sides
      .filter((side) => old[side] !== null && now[side] === null)
      .map((side) => violation("knowledge is kept", `${order.id} forgot ${side}, which its chain still shows`))
  }

  function rowOf(order: FakeOrder): OrderRow | undefined {
    // One reused secret may stand for several orders of the service: only the one whose answer was taken is ours.
    return [...witness().rows.values()].find(
      ({ snapshot, secretHash }) => secretHash === order.secretHash && snapshot.includes(order.orderId),
    )
  }
  function sourceOf(order: FakeOrder): SwapState | undefined {
    return swapOf(order.from, order.secretHash, (chain) => accountOf(chain))
  }
  function destinationOf(order: FakeOrder): SwapState | undefined {
    return swapOf(order.to, order.secretHash, () => "solver")
  }
  function swapOf(
    asset: FakeOrder["from"],
    secretHash: string,
    by: (chain: Parameters<typeof accountOf>[0]) => string,
  ): SwapState | undefined {
    const [chain, ledger] = [...world.ledgers].find(([id]) => asset.startsWith(`${id}:`)) ?? []
    if (chain === undefined || ledger === undefined) return undefined
    return ledger.state().swaps.get(swapKey(ledger, chain, { secretHash, initiator: by(chain) }))
  }

  return {
    checkSignature: (signature, earlier) =>
      earlier
        .filter(({ orderId, purpose }) => orderId === signature.orderId && purpose === signature.purpose)
        .filter((old) => old.digest !== signature.digest && !isOver(old))
        .filter(({ claims }) => !claims.some((claim) => signature.claims.includes(claim)))
        .map((old) =>
          violation(
            "signatures exclude each other",
            `${signature.orderId}: a second ${signature.purpose} with ${signature.claims} beside ${old.claims}`,
          ),
        ),
    checkStep: checkKnowledge,
    checkWorld: () => [...checkOneDeposit(), ...checkFunds(), ...checkReservations(), ...checkOrders()],
    checkEnd: ({ replays }) =>
      [...witness().rows.values()].flatMap((row) => [...checkOutcome(row), ...(replays ? checkReplay(row) : [])]),
  }
}

function relayTx({ orderId }: FakeOrder): string {
  return hashOf(`relay ${orderId}`)
}

export function violation(checker: string, message: string): Violation {
  return { checker, message }
}
