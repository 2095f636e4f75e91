import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

/**
 * A node over HTTP that answers at once, and counts its requests. Its chain has blocks and no
 * transactions.
 */
export type FakeNode = {
  readonly url: string
  readonly requests: () => number
  readonly close: () => void
}

const HEIGHT = 5_000
const HASH = "ab".repeat(32)
const NOW_HEX = `0x${Math.floor(Date.now() / 1_000).toString(16)}`

type Call = { readonly id: unknown; readonly method: string; readonly params: readonly unknown[] }

const EVM: { readonly [method: string]: (params: readonly unknown[]) => unknown } = {
  eth_chainId: () => "0x1",
  eth_getBlockByNumber: ([block]) => ({
    number:
      typeof block === "string" && block.startsWith("0x") ? block : `0x${HEIGHT.toString(16)}`,
    hash: `0x${HASH}`,
    transactions: [],
    timestamp: NOW_HEX,
    baseFeePerGas: "0x1",
  }),
  // The contract stores no such order.
  eth_call: () => `0x${"0".repeat(6 * 64)}`,
  eth_getLogs: () => [],
}

const inContext = (value: unknown) => ({ context: { slot: HEIGHT }, value })
const SOLANA: { readonly [method: string]: (params: readonly unknown[]) => unknown } = {
  getSlot: () => HEIGHT,
  getFirstAvailableBlock: () => 0,
  getAccountInfo: () => inContext(null),
  getMultipleAccounts: ([addresses]) =>
    inContext((Array.isArray(addresses) ? addresses : []).map(() => null)),
  getSignaturesForAddress: () => [],
}

export function startEvmNode(): Promise<FakeNode> {
  return startNode((incoming, outgoing) => answerRpc(EVM, incoming, outgoing))
}

export function startSolanaNode(): Promise<FakeNode> {
  return startNode((incoming, outgoing) => answerRpc(SOLANA, incoming, outgoing))
}

/** An Esplora server with addresses without history. */
export function startEsploraNode(genesis: string): Promise<FakeNode> {
  return startNode(async ({ url = "" }, outgoing) => {
    const text = url.endsWith("/blocks/tip/height")
      ? String(HEIGHT)
      : url.endsWith("/block-height/0")
        ? genesis
        : url.includes("/block-height/") || url.endsWith("/blocks/tip/hash")
          ? HASH
          : "[]"
    outgoing.end(text)
  })
}

async function answerRpc(
  methods: { readonly [method: string]: (params: readonly unknown[]) => unknown },
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  // CAST: the calls come from the code that is measured.
  const body = JSON.parse(Buffer.concat(chunks).toString()) as Call | Call[]
  const answer = ({ id, method, params }: Call) => ({
    jsonrpc: "2.0",
    id,
    result: methods[method]?.(params) ?? null,
  })
  outgoing.setHeader("content-type", "application/json")
  outgoing.end(JSON.stringify(Array.isArray(body) ? body.map(answer) : answer(body)))
}

async function startNode(
  answer: (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>,
) {
  let requests = 0
  const server = createServer((incoming, outgoing) => {
    requests++
    answer(incoming, outgoing).catch(() => outgoing.destroy())
  })
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  // CAST: it listens on TCP.
  const { port } = server.address() as AddressInfo
  const close = (): void => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${port}`, requests: () => requests, close }
}
