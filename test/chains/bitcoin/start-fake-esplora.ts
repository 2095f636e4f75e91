import { createHash } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { text } from "node:stream/consumers"
import { address, networks, payments, Transaction } from "bitcoinjs-lib"
import { GENESIS } from "#chains/bitcoin/nodes/genesis.ts"
import { mustExist } from "#lib/assert.ts"
import { listen, stopServer } from "../../support/listen.ts"
import "#chains/bitcoin/keys/secp.ts"

/**
 * For tests: a thin Esplora on loopback over a chain in memory (regtest addresses). It keeps the
 * rules that planning relies on (missing inputs, conservation of value, BIP 125 fees, BIP 68 locks)
 * and knows nothing of scripts and signatures. `isRefused` says for each request whether a limit
 * refuses it.
 */
export async function startFakeEsplora(isRefused = (): boolean => false): Promise<FakeEsplora> {
  const ledger = createLedger()
  const faults = new Map<string, Fault>()
  const requests: string[] = []
  const server = createServer((incoming, response) => {
    // A mistake of the fake must show as an answer, not as silence that looks like a slow server.
    answer(incoming, response).catch((error: unknown) => response.writeHead(500).end(String(error)))
  })
  const { url } = await listen(server)

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = incoming.url ?? "/"
    requests.push(`${incoming.method} ${path}`)
    const fault = [...faults].find(([prefix]) => path.startsWith(prefix))?.[1]
    if (fault === "silent") return
    const limit = isRefused() ? { status: 429, body: "" } : undefined
    const reply =
      limit ?? fault ?? route(ledger, incoming.method ?? "GET", path, await text(incoming))
    response.writeHead(reply.status).end(reply.body)
  }

  return {
    url,
    ledger,
    faults,
    requests,
    stop: () => stopServer(server),
  }
}

export type Fault = { readonly status: number; readonly body: string } | "silent"

export type FakeEsplora = {
  readonly url: string
  readonly ledger: Ledger
  /** Other answers, by path prefix. */
  readonly faults: Map<string, Fault>
  readonly requests: string[]
  stop(): Promise<void>
}

type Entry = { readonly tx: Transaction; height: number | null }
export type Ledger = ReturnType<typeof createLedger>

function createLedger() {
  const entries = new Map<string, Entry>()
  let tip = 100
  let serial = 0
  /** Reorganisations so far, and the height from which blocks belong to the newest. */
  let branch = { number: 0, from: 0 }

  const spenderOf = (txid: string, vout: number): [string, Entry] | undefined =>
    [...entries].find(([, { tx }]) =>
      tx.ins.some((input) => idOf(input.hash) === txid && input.index === vout),
    )

  function feeOf(tx: Transaction): bigint {
    const inUnits = tx.ins.reduce((sum, { hash, index }) => {
      return sum + mustExist(entries.get(idOf(hash))?.tx.outs[index], "a spent output").value
    }, 0n)
    return inUnits - tx.outs.reduce((sum, { value }) => sum + value, 0n)
  }

  function refusal(tx: Transaction): string | null {
    if (entries.has(tx.getId())) return "txn-already-in-mempool"
    const conflicts = new Set<Entry>()
    for (const { hash, index, sequence } of tx.ins) {
      const parent = entries.get(idOf(hash))
      const spender = spenderOf(idOf(hash), index)?.[1]
      if (parent?.tx.outs[index] === undefined || typeof spender?.height === "number")
        return "bad-txns-inputs-missingorspent"
      if (spender !== undefined) conflicts.add(spender)
      if (sequence < 0xffff && (parent.height ?? tip + 1) + sequence > tip + 1)
        return "non-BIP68-final"
    }
    const fee = feeOf(tx)
    if (fee < 0n) return "bad-txns-in-belowout"
    if (fee < BigInt(tx.virtualSize())) return "min relay fee not met"
    const replacedFees = [...conflicts].reduce((sum, { tx: old }) => sum + feeOf(old), 0n)
    if (conflicts.size > 0 && fee < replacedFees + BigInt(tx.virtualSize()))
      return "insufficient fee, rejecting replacement"
    for (const { tx: old } of conflicts) entries.delete(old.getId())
    return null
  }

  return {
    entries,
    feeRates: { "2": 2 } as Record<string, number>, // CAST: tests write other targets.
    tip: () => tip,
    spenderOf,
    feeOf,
    blockHash(height: number): string {
      if (height === 0) return GENESIS.regtest
      return createHash("sha256")
        .update(`block ${height} ${height >= branch.from ? branch.number : 0}`)
        .digest("hex")
    },
    /** Creates new coins, in a block of their own unless `pending`. */
    fund(to: string, units: bigint, state: "confirmed" | "pending" = "confirmed"): string {
      const tx = coinTo(to, units, ++serial)
      entries.set(tx.getId(), { tx, height: state === "confirmed" ? ++tip : null })
      return tx.getId()
    },
    submit(raw: string): { txid: string } | { refused: string } {
      const tx = Transaction.fromHex(raw)
      const refused = refusal(tx)
      if (refused !== null) return { refused }
      entries.set(tx.getId(), { tx, height: null })
      return { txid: tx.getId() }
    },
    /** The first block takes the whole mempool. */
    mine(blocks = 1): void {
      for (const entry of entries.values()) entry.height ??= tip + 1
      tip += blocks
    },
    /** The newest blocks are gone; their transactions are not even in the mempool any more. */
    forget(blocks: number): void {
      tip -= blocks
      branch = { number: branch.number + 1, from: tip + 1 }
      for (const [id, { height }] of entries)
        if (height !== null && height > tip) entries.delete(id)
    },
  }
}

/** A transaction that pays `to` from nowhere; `serial` makes it unique. */
function coinTo(to: string, units: bigint, serial: number): Transaction {
  const tx = new Transaction()
  tx.addInput(
    Uint8Array.from({ length: 32 }, (_, index) => (index === 0 ? serial % 256 : serial >> 8)),
    serial,
  )
  tx.addOutput(address.toOutputScript(to, networks.regtest), units)
  return tx
}

function route(
  ledger: Ledger,
  method: string,
  path: string,
  body: string,
): { status: number; body: string } {
  const json = (value: unknown) => ({ status: 200, body: JSON.stringify(value) })
  if (method === "POST" && path === "/tx") return submit(ledger, body)
  if (path === "/blocks/tip/height") return { status: 200, body: String(ledger.tip()) }
  if (path === "/fee-estimates") return json(ledger.feeRates)
  const [, kind, id = "", what, index, last] = path.split("/")
  if (kind === "block-height")
    return Number(id) > ledger.tip()
      ? { status: 404, body: "Block not found" }
      : { status: 200, body: ledger.blockHash(Number(id)) }
  if (kind === "address" && what === "utxo") return json(utxosOf(ledger, id))
  if (kind === "address" && what === "txs") return json(txsOf(ledger, id, last))
  const entry = kind === "tx" ? ledger.entries.get(id) : undefined
  // As in electrs, these two also answer for unknown transactions.
  if (kind === "tx" && what === "status") return json(statusOf(ledger, entry?.height ?? null))
  if (kind === "tx" && what === "outspend") return json(outspendOf(ledger, id, Number(index)))
  if (entry === undefined) return { status: 404, body: "Transaction not found" }
  return what === "hex" ? { status: 200, body: entry.tx.toHex() } : json(describe(ledger, entry))
}

function submit(ledger: Ledger, raw: string): { status: number; body: string } {
  const result = ledger.submit(raw)
  if ("txid" in result) return { status: 200, body: result.txid }
  const body = `sendrawtransaction RPC error: {"code":-26,"message":"${result.refused}"}`
  return { status: 400, body }
}

function utxosOf(ledger: Ledger, owner: string): unknown[] {
  return [...ledger.entries].flatMap(([txid, { tx, height }]) =>
    tx.outs.flatMap(({ script, value }, vout) =>
      addressOf(script) === owner && ledger.spenderOf(txid, vout) === undefined
        ? [{ txid, vout, value: Number(value), status: statusOf(ledger, height) }]
        : [],
    ),
  )
}

/** The mempool and a page of confirmed ones, or the page after `last`. */
function txsOf(ledger: Ledger, owner: string, last: string | undefined): unknown[] {
  const touches = ({ tx }: Entry) =>
    tx.outs.some(({ script }) => addressOf(script) === owner) ||
    tx.ins.some(({ hash, index }) => {
      const spent = ledger.entries.get(idOf(hash))?.tx.outs[index]
      return spent !== undefined && addressOf(spent.script) === owner
    })
  const all = [...ledger.entries.values()].filter(touches)
  const waiting = last === undefined ? all.filter(({ height }) => height === null) : []
  const confirmed = all.filter(({ height }) => height !== null)
  const from = confirmed.findIndex(({ tx }) => tx.getId() === last) + 1
  return [...waiting, ...confirmed.slice(from, from + 25)].map((entry) => describe(ledger, entry))
}

function outspendOf(ledger: Ledger, txid: string, vout: number): unknown {
  const spender = ledger.spenderOf(txid, vout)
  if (spender === undefined) return { spent: false }
  return { spent: true, txid: spender[0], vin: 0, status: statusOf(ledger, spender[1].height) }
}

function describe(ledger: Ledger, { tx, height }: Entry): unknown {
  return {
    txid: tx.getId(),
    version: tx.version,
    vin: tx.ins.map(({ hash, index, witness }) => ({
      txid: idOf(hash),
      vout: index,
      witness: witness.map((item) => Buffer.from(item).toString("hex")),
    })),
    vout: tx.outs.map(({ script, value }) => ({
      scriptpubkey_address: addressOf(script),
      value: Number(value),
    })),
    status: statusOf(ledger, height),
  }
}

function statusOf(ledger: Ledger, height: number | null): unknown {
  if (height === null) return { confirmed: false }
  return { confirmed: true, block_height: height, block_hash: ledger.blockHash(height) }
}

function addressOf(script: Uint8Array): string | undefined {
  for (const payment of [payments.p2wpkh, payments.p2tr]) {
    try {
      return payment({ output: script, network: networks.regtest }).address
    } catch {
      // Not of this kind; the next one is tried.
    }
  }
  return undefined
}

function idOf(hash: Uint8Array): string {
  return Buffer.from(hash).reverse().toString("hex")
}
