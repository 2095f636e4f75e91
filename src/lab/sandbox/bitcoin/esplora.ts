import type { AddressInfo } from "node:net"
import { type ServerType, serve } from "@hono/node-server"
import { type Context, Hono } from "hono"
import { z } from "zod"
import { AppError } from "#lib/app-error.ts"
import { assert } from "#lib/assert.ts"
import { type BitcoinRpc, rpcErrorOf } from "./bitcoin-rpc.ts"
import type { BlockIndex, IndexedTx } from "./block-index.ts"
import {
  formatAddress,
  formatBlock,
  formatFeeEstimates,
  formatMempool,
  formatOutspend,
  formatStatus,
  formatTx,
  formatUnspent,
} from "./esplora-shapes.ts"
import { formatMerkleProof } from "./merkle-proof.ts"
import { outputOfAddress } from "./regtest-address.ts"

/**
 * Serves Blockstream's Esplora HTTP API over one bitcoind: paths, shapes, status codes and error
 * texts as in its API.md and electrs. Every request first updates the index from the node. Listens
 * on 127.0.0.1; `port` 0 means any free port.
 */
export async function startEsplora(options: {
  rpc: BitcoinRpc
  index: BlockIndex
  port: number
}): Promise<Esplora> {
  const app = createRoutes(options.rpc, options.index)
  const { server, port } = await listen(app, options.port)
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()))
        if ("closeAllConnections" in server) server.closeAllConnections()
      }),
  }
}

export type Esplora = { readonly url: string; stop(): Promise<void> }

/** Esplora's page sizes. */
const CHAIN_PAGE = 25
const MEMPOOL_PAGE = 50
const BLOCKS_PAGE = 10

function listen(app: Hono, port: number): Promise<{ server: ServerType; port: number }> {
  return new Promise((resolve, reject) => {
    const server = serve({ fetch: app.fetch, port, hostname: "127.0.0.1" }, (info: AddressInfo) =>
      resolve({ server, port: info.port }),
    )
    server.once("error", (error: Error) =>
      reject(
        new AppError({
          code: "sandbox.esplora_port",
          disposition: "fatal",
          message:
            `cannot listen on 127.0.0.1:${port}: ${error.message}; free that port or choose ` +
            "another",
          details: { port },
          cause: error,
        }),
      ),
    )
  })
}

function createRoutes(rpc: BitcoinRpc, index: BlockIndex): Hono {
  const app = new Hono()
  app.onError((error, context) => context.text(error.message, 500))
  app.notFound((context) => context.text("endpoint does not exist", 404))
  app.get("/fee-estimates", (context) => context.json(formatFeeEstimates()))
  app.post("/tx", (context) => acceptTx(rpc, context))
  app.use(async (_context, next) => {
    await index.sync()
    await next()
  })
  addBlockRoutes(app, index)
  addTxRoutes(app, index)
  addAddressRoutes(app, index)
  app.get("/mempool", (context) => context.json(formatMempool(index)))
  return app
}

async function acceptTx(rpc: BitcoinRpc, context: Context): Promise<Response> {
  const raw = (await context.req.text()).trim()
  try {
    return context.text(await rpc.call("sendrawtransaction", [raw], z.string()))
  } catch (error) {
    const refusal = rpcErrorOf(error)
    if (refusal === null) throw error
    return context.text(`sendrawtransaction RPC error: ${JSON.stringify(refusal)}`, 400)
  }
}

function addBlockRoutes(app: Hono, index: BlockIndex): void {
  const missing = (context: Context): Response => context.text("Block not found", 404)
  app.get("/blocks/tip/height", (context) => context.text(String(index.blocks.length - 1)))
  app.get("/blocks/tip/hash", (context) => context.text(tipOf(index).hash))
  app.get("/block-height/:height{[0-9]+}", (context) => {
    const block = index.blocks[Number(context.req.param("height"))]
    return block ? context.text(block.hash) : missing(context)
  })
  app.get("/block/:hash", (context) => {
    const block = index.findBlock(context.req.param("hash"))
    return block ? context.json(formatBlock(index, block)) : missing(context)
  })
  app.get("/block/:hash/header", (context) => {
    const block = index.findBlock(context.req.param("hash"))
    return block ? context.text(block.block.toHex(true)) : missing(context)
  })
  app.get("/block/:hash/raw", (context) => {
    const block = index.findBlock(context.req.param("hash"))
    return block ? context.body(Uint8Array.from(block.block.toBuffer())) : missing(context)
  })
  app.get("/block/:hash/txids", (context) => {
    const block = index.findBlock(context.req.param("hash"))
    return block ? context.json(block.txids) : missing(context)
  })
  const newestTo = (context: Context, height: number): Response => {
    const blocks = index.blocks
      .slice(Math.max(0, height + 1 - BLOCKS_PAGE), height + 1)
      .toReversed()
    return context.json(blocks.map((block) => formatBlock(index, block)))
  }
  app.get("/blocks", (context) => newestTo(context, index.blocks.length - 1))
  app.get("/blocks/:height{[0-9]+}", (context) =>
    newestTo(context, Number(context.req.param("height"))),
  )
}

function tipOf(index: BlockIndex): { hash: string } {
  const tip = index.blocks.at(-1)
  assert(tip !== undefined, "a synced index has at least the genesis block")
  return tip
}

function addTxRoutes(app: Hono, index: BlockIndex): void {
  app.use("/tx/:txid/*", rejectBadTxid)
  const withTx = (path: string, answer: (entry: IndexedTx, context: Context) => Response): void => {
    app.get(path, (context) => {
      const entry = index.findTx(context.req.param("txid") ?? "")
      return entry ? answer(entry, context) : context.text("Transaction not found", 404)
    })
  }
  withTx("/tx/:txid", (entry, context) => context.json(formatTx(index, entry)))
  withTx("/tx/:txid/hex", (entry, context) => context.text(entry.tx.toHex()))
  withTx("/tx/:txid/raw", (entry, context) => context.body(Uint8Array.from(entry.tx.toBuffer())))
  withTx("/tx/:txid/merkle-proof", (entry, context) => {
    const proof = formatMerkleProof(entry)
    return proof === null
      ? context.text("Transaction not found or is unconfirmed", 404)
      : context.json(proof)
  })
  withTx("/tx/:txid/outspends", (entry, context) =>
    context.json(entry.tx.outs.map((_, vout) => formatOutspend(index, entry.txid, vout))),
  )
  // These two endpoints also answer for unknown transactions, as in electrs.
  app.get("/tx/:txid/status", (context) =>
    context.json(formatStatus(index.findTx(context.req.param("txid")))),
  )
  app.get("/tx/:txid/outspend/:vout{[0-9]+}", (context) =>
    context.json(
      formatOutspend(index, context.req.param("txid"), Number(context.req.param("vout"))),
    ),
  )
}

async function rejectBadTxid(
  context: Context,
  next: () => Promise<void>,
): Promise<Response | undefined> {
  if (!/^[0-9a-f]{64}$/.test(context.req.param("txid") ?? ""))
    return context.text("Invalid hex string", 400)
  await next()
  return undefined
}

function addAddressRoutes(app: Hono, index: BlockIndex): void {
  const withScript = (
    path: string,
    answer: (output: Uint8Array, context: Context) => unknown,
  ): void => {
    app.get(path, (context) => {
      const output = outputOfAddress(context.req.param("address") ?? "")
      return output === null
        ? context.text("Invalid Bitcoin address", 400)
        : context.json(answer(output, context))
    })
  }
  const waiting = (output: Uint8Array): IndexedTx[] =>
    index
      .history(output)
      .filter((entry) => entry.block === null)
      .slice(0, MEMPOOL_PAGE)
  const confirmed = (output: Uint8Array, lastSeen?: string): IndexedTx[] => {
    const all = index.history(output).filter((entry) => entry.block !== null)
    const from = lastSeen === undefined ? 0 : all.findIndex((entry) => entry.txid === lastSeen) + 1
    return lastSeen !== undefined && from === 0 ? [] : all.slice(from, from + CHAIN_PAGE)
  }
  const formatAll = (entries: readonly IndexedTx[]): unknown =>
    entries.map((entry) => formatTx(index, entry))

  withScript("/address/:address", (output, context) =>
    formatAddress(index, context.req.param("address") ?? "", output),
  )
  withScript("/address/:address/utxo", (output) => formatUnspent(index, output))
  withScript("/address/:address/txs", (output) =>
    formatAll([...waiting(output), ...confirmed(output)]),
  )
  withScript("/address/:address/txs/mempool", (output) => formatAll(waiting(output)))
  withScript("/address/:address/txs/chain", (output) => formatAll(confirmed(output)))
  withScript("/address/:address/txs/chain/:last", (output, context) =>
    formatAll(confirmed(output, context.req.param("last"))),
  )
}
