import { readdirSync, readFileSync } from "node:fs"
import { createServer } from "node:http"
import { join } from "node:path"
import { mustExist } from "#lib/assert.ts"
import { listen, stopServer } from "./listen.ts"

/**
 * Decides the fee rates of a sandbox's Bitcoin: the estimates of its Esplora, and the rate below
 * which no block takes a transaction.
 */
export type BitcoinFeeMarket = {
  /** The Esplora with this market's estimates. */
  readonly url: string
  /**
   * From now on the estimates are `factor` times the usual ones, and miners take nothing below
   * `floorRate` sat/vB.
   */
  readonly set: (factor: number, floorRate: number) => void
  /** The fee rate in sat/vB of each waiting transaction, by id. */
  readonly readMempool: () => Promise<ReadonlyMap<string, number>>
  readonly stop: () => void
}

export async function startBitcoinFeeMarket(
  sandboxDir: string,
  esplora: string,
): Promise<BitcoinFeeMarket> {
  const call = connect(join(sandboxDir, "chains", "bitcoin"))
  const ignored = new Set<string>()
  let factor = 1
  let floorRate = 0
  const server = createServer(async (request, response) => {
    const { method = "GET", url = "/" } = request
    const chunks: Buffer[] = []
    // CAST: a stream without an encoding.
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = method === "GET" ? {} : { body: Buffer.concat(chunks).toString() }
    const answer = await fetch(`${esplora}${url}`, { method, ...body }).catch(() => null)
    if (answer === null) return response.destroy()
    const text = await answer.text()
    const type = answer.headers.get("content-type") ?? "text/plain"
    response
      .writeHead(answer.status, { "content-type": type })
      .end(url === "/fee-estimates" ? raise(text) : text)
  })
  const { url } = await listen(server)
  const timer = setInterval(() => void ignoreCheap().catch(() => undefined), 200)

  function raise(estimates: string): string {
    // CAST: Esplora's estimates: sat/vB by target.
    const rates = Object.entries(JSON.parse(estimates) as Record<string, number>)
    return JSON.stringify(
      Object.fromEntries(rates.map(([target, rate]) => [target, rate * factor])),
    )
  }

  async function readMempool(): Promise<ReadonlyMap<string, number>> {
    // CAST: Bitcoin Core's own answer; fees are in bitcoin.
    const pool = (await call("getrawmempool", [true])) as Record<
      string,
      { vsize: number; fees: { base: number } }
    >
    return new Map(
      Object.entries(pool).map(([txid, { vsize, fees }]) => [txid, (fees.base * 1e8) / vsize]),
    )
  }

  /** Miners leave such a transaction out of their blocks, and it stays in the mempool. */
  async function ignoreCheap(): Promise<void> {
    for (const [txid, rate] of await readMempool())
      if (rate < floorRate && !ignored.has(txid)) {
        ignored.add(txid)
        await call("prioritisetransaction", [txid, 0, -10_000_000])
      }
  }

  return {
    url,
    set: (nextFactor, nextFloor) => {
      ;[factor, floorRate] = [nextFactor, nextFloor]
    },
    readMempool,
    stop: () => {
      clearInterval(timer)
      void stopServer(server)
    },
  }
}

/** Calls the bitcoind with its data in `dir`. Its port is in its command line. */
function connect(dir: string): (method: string, params: readonly unknown[]) => Promise<unknown> {
  const commands = readdirSync("/proc").flatMap((pid) =>
    /^\d+$/.test(pid) ? [readCommand(pid)] : [],
  )
  const own = commands.find((words) => words.includes(`-datadir=${dir}`))
  const port = mustExist(
    own?.find((word) => word.startsWith("-rpcport=")),
    "the sandbox's bitcoind",
  ).split("=")[1]
  return async (method, params) => {
    const cookie = readFileSync(join(dir, "regtest", ".cookie"), "utf8")
    const headers = { authorization: `Basic ${Buffer.from(cookie).toString("base64")}` }
    const body = JSON.stringify({ id: 1, method, params })
    const answer = await fetch(`http://127.0.0.1:${port}`, { method: "POST", headers, body })
    // CAST: JSON-RPC.
    const { result, error } = (await answer.json()) as {
      result: unknown
      error: { message: string } | null
    }
    if (error !== null) throw new Error(`${method}: ${error.message}`)
    return result
  }
}

function readCommand(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0")
  } catch {
    // The process has ended.
    return []
  }
}
