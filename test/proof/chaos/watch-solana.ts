import { Connection, PublicKey, type VersionedTransactionResponse } from "@solana/web3.js"
import { mustExist } from "#lib/assert.ts"
import type { LocalAsset } from "#sandbox/local-chain.ts"
import { SANDBOX_WALLETS } from "#sandbox/sandbox-wallets.ts"
import { htlcProgram } from "#sandbox/solana/htlc-program.ts"
import type { Flow, Watch } from "./flow.ts"
import { auditVaults, readTokenFlows, tokenAccountsOf } from "./watch-solana-tokens.ts"

const OWN = new PublicKey(SANDBOX_WALLETS.solana)

/**
 * Reads the balances before and after each transaction of the wallet and its token accounts, and
 * the native program's instruction in it.
 */
export async function watchSolana(
  url: () => string,
  assets: readonly LocalAsset[],
): Promise<Watch> {
  const asset = mustExist(
    assets.find(({ token }) => token === null),
    "a native coin",
  ).id
  const before = new Set(await listSignatures(url(), assets))
  return {
    read: async (known) => {
      const connection = new Connection(url(), "confirmed")
      const fresh = (await listSignatures(url(), assets)).filter(
        (signature) => !before.has(signature),
      )
      const orders = new Set(known)
      const rent = BigInt(await connection.getMinimumBalanceForRentExemption(SWAP_ACCOUNT_BYTES))
      const steps = await Promise.all(
        fresh.map((signature) => readStep(connection, signature, { rent, assets })),
      )
      const foreign = steps.filter(({ signature, fee }) => fee > 0n && !orders.has(signature))
      return {
        flows: steps.flatMap(({ flow, tokens }) => [
          ...(flow === null ? [] : [{ ...flow, asset }]),
          ...tokens,
        ]),
        fees: { [asset]: steps.reduce((sum, { fee }) => sum + fee, 0n) },
        locked: { [asset]: steps.reduce((sum, { rent }) => sum + rent, 0n) },
        oddities: [
          ...foreign.map(
            ({ signature }) => `${signature} was signed with our key, and no order knows it`,
          ),
          ...(await auditVaults(connection, assets)),
        ],
      }
    },
  }
}

/** `flow` is one of the native coin, `tokens` are those of tokens. */
type Step = {
  signature: string
  fee: bigint
  rent: bigint
  flow: Omit<Flow, "asset"> | null
  tokens: Flow[]
}

/** The size of the native program's swap account. */
const SWAP_ACCOUNT_BYTES = 120

async function readStep(
  connection: Connection,
  signature: string,
  { rent: vaultRent, assets }: { rent: bigint; assets: readonly LocalAsset[] },
): Promise<Step> {
  const tx = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 })
  if (!tx?.meta) throw new Error(`the node does not show ${signature}, which it listed`)
  const keys = tx.transaction.message.staticAccountKeys
  const index = keys.findIndex((key) => key.equals(OWN))
  const delta = BigInt(tx.meta.postBalances[index] ?? 0) - BigInt(tx.meta.preBalances[index] ?? 0)
  const fee = index === 0 ? BigInt(tx.meta.fee) : 0n
  // The change without the fee: the amount, and the rent of the HTLC's account.
  const rest = delta + fee
  const call = tx.meta.err === null ? readCall(tx) : null
  const step = {
    signature,
    fee,
    rent: 0n,
    flow: null,
    tokens: readTokenFlows(tx.meta, signature, assets),
  }
  if (call === null) return rest === 0n ? step : { ...step, rent: -rest }
  if (call.kind === "initiate") {
    const rent = -rest - call.units
    return { ...step, rent, flow: { direction: "out", units: call.units, tx: signature } }
  }
  // A vault holds rent and amount. The initiator gets the rent, the payee the amount.
  const vault = call.vault
  const amount = BigInt(tx.meta.preBalances[vault] ?? 0) - vaultRent
  const flow = rest >= amount ? { direction: "in" as const, units: amount, tx: signature } : null
  return { ...step, rent: -(rest - (flow?.units ?? 0n)), flow }
}

type Call = { kind: "initiate"; units: bigint } | { kind: "redeem" | "refund"; vault: number }

function readCall({ transaction: { message } }: VersionedTransactionResponse): Call | null {
  for (const { programIdIndex, accountKeyIndexes, data } of message.compiledInstructions) {
    if (!message.staticAccountKeys[programIdIndex]?.equals(htlcProgram.id)) continue
    const call = htlcProgram.read(data)
    if (call?.kind === "initiate") return { kind: "initiate", units: call.terms.units }
    if (call) return { kind: call.kind, vault: accountKeyIndexes[0] ?? -1 }
  }
  return null
}

/** A redemption of a token names our token account only. */
async function listSignatures(url: string, assets: readonly LocalAsset[]): Promise<string[]> {
  const connection = new Connection(url, "confirmed")
  const lists = await Promise.all(
    [OWN, ...tokenAccountsOf(assets)].map((address) => listOne(connection, address)),
  )
  return [...new Set(lists.flat())]
}

async function listOne(connection: Connection, address: PublicKey): Promise<string[]> {
  const all: string[] = []
  for (;;) {
    const before = all.at(-1)
    const page = await connection.getSignaturesForAddress(address, {
      limit: 500,
      ...(before ? { before } : {}),
    })
    all.push(
      ...page.map(({ signature }) => signature).filter((signature) => !all.includes(signature)),
    )
    if (page.length < 500) return all
  }
}
