import { Transaction } from "bitcoinjs-lib"
import { z } from "zod"
import type { BitcoinRpc } from "./bitcoin-rpc.ts"
import { formatBtc } from "./btc-amount.ts"
import { outpointOf } from "./outpoint.ts"

/**
 * Opens the wallet inside bitcoind that pays for the faucet and the solver. The node selects the
 * coins but does not reserve them until it sends the payment, so the caller must run only one
 * payment at a time.
 */
export async function openSolverWallet(rpc: BitcoinRpc): Promise<SolverWallet> {
  await openWallet(rpc)
  const address = await rpc.call("getnewaddress", ["", "bech32"], z.string(), WALLET)
  return {
    address,
    fetchBalance: () => rpc.call("getbalance", [], z.bigint(), WALLET),
    send: async (to, units) => {
      // Set no lock time. The wallet's default is the current height, and a reorganisation would
      // then remove the payment from the mempool permanently.
      const options = { fee_rate: FEE_RATE, locktime: 0 }
      const sent = await rpc.call(
        "send",
        [[{ [to]: formatBtc(units) }], null, "unset", null, options],
        Sent,
        WALLET,
      )
      return sent.txid
    },
    addFeeInput: async (spend, foreignInputWeight) => {
      const input_weights = spend.ins.map((input) => ({
        ...outpointOf(input),
        weight: foreignInputWeight,
      }))
      const options = { input_weights, fee_rate: FEE_RATE, changePosition: spend.outs.length }
      const funded = await rpc.call(
        "fundrawtransaction",
        [spend.toHex(), options, true],
        WithHex,
        WALLET,
      )
      const signed = await rpc.call("signrawtransactionwithwallet", [funded.hex], WithHex, WALLET)
      return Transaction.fromHex(signed.hex)
    },
  }
}

export type SolverWallet = {
  /** The address for its income. */
  readonly address: string
  fetchBalance(): Promise<bigint>
  send(to: string, units: bigint): Promise<string>
  /**
   * Adds coins of the wallet for the network fee, and puts the change after the existing outputs,
   * which keep their amounts. The wallet signs its own inputs. `foreignInputWeight` is an upper
   * bound for the weight of each existing input with its witness.
   */
  addFeeInput(spend: Transaction, foreignInputWeight: number): Promise<Transaction>
}

const WALLET = "solver"

/** Satoshis per virtual byte: above the relay minimum of any node. */
const FEE_RATE = 2

const Sent = z.object({ txid: z.string() })

const WithHex = z.object({ hex: z.string() })

async function openWallet(rpc: BitcoinRpc): Promise<void> {
  const loaded = await rpc.call("listwallets", [], z.array(z.string()))
  if (loaded.includes(WALLET)) return
  const { wallets } = await rpc.call(
    "listwalletdir",
    [],
    z.object({ wallets: z.array(z.object({ name: z.string() })) }),
  )
  const known = wallets.some((wallet) => wallet.name === WALLET)
  await rpc.call(known ? "loadwallet" : "createwallet", [WALLET], z.unknown())
}
