import { SANDBOX_WALLETS } from "#sandbox/sandbox-wallets.ts"
import type { Flow, Watch } from "./flow.ts"

const OWN = SANDBOX_WALLETS.bitcoin

/** Reads Esplora's list of the address's transactions. */
export async function watchBitcoin(url: () => string, asset: string): Promise<Watch> {
  const before = new Set((await listTransactions(url())).map(({ txid }) => txid))
  return {
    read: async (known) => {
      const fresh = (await listTransactions(url())).filter(({ txid }) => !before.has(txid))
      const parts = fresh.map((tx) => readOne(tx, asset, new Set(known)))
      return {
        flows: parts.flatMap(({ flows }) => flows),
        fees: { [asset]: parts.reduce((sum, { fee }) => sum + fee, 0n) },
        locked: {},
        oddities: parts.flatMap(({ oddities }) => oddities),
      }
    },
  }
}

type Tx = {
  readonly txid: string
  readonly fee: number
  readonly status: { readonly confirmed: boolean }
  readonly vin: readonly { readonly prevout: Output }[]
  readonly vout: readonly Output[]
}
type Output = { readonly scriptpubkey_address?: string; readonly value: number }

/**
 * A transaction from our coins: each output to another address is an initiation. A transaction from
 * an HTLC: a redemption, for which the service pays the fee, or our own refund.
 */
function readOne(
  tx: Tx,
  asset: string,
  known: ReadonlySet<string>,
): { flows: Flow[]; fee: bigint; oddities: string[] } {
  const isOwn = ({ scriptpubkey_address: address }: Output): boolean => address === OWN
  const sum = (outputs: readonly Output[]): bigint =>
    outputs.reduce((total, { value }) => total + BigInt(value), 0n)
  const inputs = tx.vin.map(({ prevout }) => prevout)
  const foreign = inputs.filter((output) => !isOwn(output))
  const oddities = tx.status.confirmed ? [] : [`${tx.txid} is still not in a block`]
  if (foreign.length === 0) {
    const flows = tx.vout
      .filter((output) => !isOwn(output))
      .map(({ value }) => ({ asset, direction: "out" as const, units: BigInt(value), tx: tx.txid }))
    if (!known.has(tx.txid))
      oddities.push(`${tx.txid} was sent from our coins, and no order knows it`)
    return { flows, fee: BigInt(tx.fee), oddities }
  }
  const own = known.has(tx.txid)
  const net = sum(tx.vout.filter(isOwn)) - sum(inputs.filter(isOwn))
  const fee = own ? BigInt(tx.fee) : 0n
  return { flows: [{ asset, direction: "in", units: net + fee, tx: tx.txid }], fee, oddities }
}

async function listTransactions(url: string): Promise<Tx[]> {
  const all: Tx[] = []
  let page = await get(`${url}/address/${OWN}/txs`)
  while (page.length > 0) {
    all.push(...page)
    page = await get(`${url}/address/${OWN}/txs/chain/${page.at(-1)?.txid}`)
  }
  return [...new Map(all.map((tx) => [tx.txid, tx])).values()]
}

async function get(url: string): Promise<Tx[]> {
  const answer = await fetch(url)
  if (answer.status !== 200) throw new Error(`${url}: ${await answer.text()}`)
  // CAST: Esplora's list of transactions.
  return (await answer.json()) as Tx[]
}
