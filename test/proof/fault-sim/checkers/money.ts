import { accountOf, hashOf } from "../../../support/fake-chain.ts"
import { type Checker, type Violation, violation } from "../checker.ts"
import type { GroundTruth } from "../ground-truth.ts"
import { UNKNOWN_ORDER } from "../signature-recorder.ts"
import { START_UNITS } from "../treasury.ts"

/**
 * An order has at most one deposit, no funds appear or disappear, and a resource stays reserved
 * while a signature can still use it.
 */
export function checkMoney(truth: GroundTruth): Checker {
  const { world, deposits, hasLanded, isOver, isDeep, ledgerOf, rowOf, isRelayed } = truth
  const { journal, service } = world

  /**
   * The solver's transactions. Swaps are told apart by the sender of each transaction, because
   * orders that share a secret can share a swap.
   */
  const sent = { orders: 0, fills: new Set<string>(), payouts: new Set<string>() }

  function noteSent(): void {
    for (const { orderId } of service.orders.slice(sent.orders)) {
      for (const what of ["fill", "twice"])
        for (const txid of namesOf(what, orderId)) sent.fills.add(txid)
      for (const txid of namesOf("pay", orderId)) sent.payouts.add(txid)
    }
    sent.orders = service.orders.length
  }

  function checkOneDeposit(): Violation[] {
    const counts = new Map<string, number>()
    for (const { orderId } of deposits().filter(hasLanded))
      counts.set(orderId, (counts.get(orderId) ?? 0) + 1)
    for (const order of service.orders) {
      const row = rowOf(order)
      if (row && isRelayed(order)) counts.set(row.id, (counts.get(row.id) ?? 0) + 1)
    }
    const doubled = [...counts].filter(([, count]) => count > 1)
    return doubled.map(([id, count]) =>
      violation("one deposit", `${id} has ${count} confirmed deposits`),
    )
  }

  function checkFunds(): Violation[] {
    const changes = new Map<string, bigint>()
    const add = (asset: string, units: bigint): void =>
      void changes.set(asset, (changes.get(asset) ?? 0n) + units)
    noteSent()
    const own = truth.recorder.signatures
      .filter(({ call }) => call === "redeem")
      .map(({ txid }) => txid)
    const { fills } = sent
    const payouts = new Set([...sent.payouts, ...own, ...(truth.adversary?.tower.txids ?? [])])
    for (const { asset, units, initiated, redeemed, refunded } of truth.listSwaps()) {
      const isOurs = !fills.has(initiated.txid)
      if (isOurs) add(asset, -units)
      if (redeemed && payouts.has(redeemed.txid)) add(asset, redeemed.paidUnits)
      if (refunded && isOurs) add(asset, units)
    }
    for (const ledger of world.ledgers.values()) {
      const { burns, mints } = ledger.state()
      for (const { payer, asset, units } of burns.values())
        if (payer === "wallet") add(asset, -units)
      for (const { burn, units } of mints.values()) add(burn.to, units)
      for (const { fee } of ledger.state().txs.values()) add(ledger.native, -fee)
    }
    return [...world.ledgers.values()].flatMap((ledger) =>
      [...ledger.state().balances].flatMap(([asset, units]) => {
        const expected = START_UNITS + (changes.get(asset) ?? 0n)
        const booked = `swaps and fees add up to ${expected}`
        const message = `${asset}: the wallet has ${units}, and ${booked}`
        return units === expected ? [] : [violation("funds conserved", message)]
      }),
    )
  }

  function checkReservations(): Violation[] {
    const open = deposits().filter((one) => !isOver(one) && !isDeep(ledgerOf(one.chain), one.txid))
    const chains = new Set(open.map(({ chain }) => chain))
    const reserved = new Map(
      [...chains].map((chain) => [chain, journal.listReserved(`${chain}/${accountOf(chain)}/`)]),
    )
    const loose = open.filter(
      ({ chain, resources }) =>
        !resources.some((resource) => reserved.get(chain)?.has(resource) === true),
    )
    const shared = open.flatMap((one, index) =>
      open.slice(index + 1).filter((other) => {
        const same = one.chain === other.chain && one.orderId !== other.orderId
        return same && one.resources.some((resource) => other.resources.includes(resource))
      }),
    )
    return [
      ...loose.map((one) =>
        violation(
          "reservation until proof",
          `${one.orderId} may still deposit with ${one.resources}`,
        ),
      ),
      ...shared.map((one) =>
        violation(
          "resources are exclusive",
          `${one.orderId} shares ${one.resources} with another order`,
        ),
      ),
    ]
  }

  return {
    onSignature: (signature, earlier) =>
      earlier
        .filter(
          ({ orderId, purpose }) => orderId === signature.orderId && purpose === signature.purpose,
        )
        // Voids of unknown orders close the nonces of different deposits.
        .filter(({ orderId, purpose }) => orderId !== UNKNOWN_ORDER || purpose !== "void")
        // An order's deposit never gets a signature that does not exclude every earlier one, even
        // if that seems to be over.
        .filter(
          (old) => old.digest !== signature.digest && (old.purpose === "deposit" || !isOver(old)),
        )
        .filter(
          ({ resources }) => !resources.some((resource) => signature.resources.includes(resource)),
        )
        // Bytes that expire bind nothing. A told secret's lock waits for no proof of it, nor does a
        // refund that one endpoint alone shows in a block, and the HTLC pays once.
        .filter(
          ({ purpose, resources }) =>
            (purpose !== "redeem" && purpose !== "refund") || resources.length > 0,
        )
        .map((old) =>
          violation(
            "signatures exclude each other",
            `${signature.orderId}: a second ${signature.purpose} with ${signature.resources} ` +
              `beside ${old.resources}`,
          ),
        ),
    afterTurn: () => [...checkOneDeposit(), ...checkFunds(), ...checkReservations()],
  }
}

function namesOf(what: string, orderId: string): readonly string[] {
  return [hashOf(`${what} ${orderId}`), hashOf(`${what} short ${orderId}`)]
}
