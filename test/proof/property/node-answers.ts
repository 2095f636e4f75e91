import { base58 } from "@scure/base"
import { Keypair, PublicKey, SystemProgram, Transaction } from "@solana/web3.js"
import { address, networks, Transaction as Payment } from "bitcoinjs-lib"
import { GENESIS } from "#chains/bitcoin/nodes/genesis.ts"

const HASH = `0x${"5f".repeat(32)}`
const WORD = `0x${"0".repeat(63)}5`
const OWN = "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080"
const SYSTEM = "11111111111111111111111111111111"
const SOLANA_BYTES = makeSolanaBytes()
/** The first signature follows the number of signatures, which is one. */
const SIGNATURE = base58.encode(SOLANA_BYTES.subarray(1, 65))

const EVM_LOG = {
  address: `0x${"22".repeat(20)}`,
  blockNumber: "0x64",
  blockHash: HASH,
  transactionHash: HASH,
  removed: false,
  transactionIndex: "0x0",
  logIndex: "0x0",
  data: WORD,
  topics: ["0x01b41cbd4bbcc3c5b968a04d3fbdd8c1648a39ff6d9a3929b4840cea1142bc65", HASH, HASH],
}

/** The same initiation by a contract of version 3. */
const EVM_LOG_V3 = { ...EVM_LOG, logIndex: "0x1", data: "0x", topics: [...EVM_LOG.topics, WORD] }

/** A payment to our wallet from nowhere; its id follows from its bytes. */
const BITCOIN_RAW = new Payment()
BITCOIN_RAW.addInput(new Uint8Array(32).fill(1), 0)
BITCOIN_RAW.addOutput(address.toOutputScript(OWN, networks.regtest), 5_000n)
export const BITCOIN_TXID = BITCOIN_RAW.getId()
const TXID = BITCOIN_TXID

const BITCOIN_TX = {
  txid: TXID,
  version: 2,
  locktime: 0,
  size: 200,
  weight: 800,
  fee: 300,
  vin: [
    {
      txid: TXID,
      vout: 0,
      prevout: { scriptpubkey: "0014", scriptpubkey_address: OWN, value: 5_000 },
      witness: ["ab"],
      sequence: 1,
    },
  ],
  vout: [{ scriptpubkey: "0014", scriptpubkey_address: OWN, value: 1_000 }],
  status: { confirmed: true, block_height: 90, block_hash: TXID, block_time: 1_700_000_000 },
}

const SOLANA_TX = {
  slot: 50,
  blockTime: 1_700_000_000,
  version: "legacy",
  meta: {
    err: null,
    fee: 5_000,
    preBalances: [9, 1],
    postBalances: [3, 2],
    innerInstructions: [],
    logMessages: [],
    loadedAddresses: { readonly: [], writable: [] },
  },
  transaction: [SOLANA_BYTES.toString("base64"), "base64"],
}

function makeSolanaBytes(): Buffer {
  const payer = Keypair.fromSeed(Buffer.alloc(32))
  const key = new PublicKey(SYSTEM)
  const nothing = SystemProgram.transfer({
    fromPubkey: payer.publicKey,
    toPubkey: key,
    lamports: 1,
  })
  const transaction = new Transaction({ feePayer: payer.publicKey, recentBlockhash: SYSTEM }).add(
    nothing,
  )
  transaction.sign(payer)
  return transaction.serialize()
}

/** Minimal answers of an honest node of each family, by method or path. */
export const NODE_ANSWERS: Readonly<
  Record<"bitcoin" | "evm" | "solana" | "starknet", Readonly<Record<string, unknown>>>
> = {
  bitcoin: {
    "blocks/tip/height": 100,
    "fee-estimates": { "1": 2.5, "2": 2, "6": 1 },
    "address/utxo": [
      { txid: TXID, vout: 0, value: 5_000, status: { confirmed: true, block_height: 90 } },
    ],
    "address/txs": [BITCOIN_TX],
    "block-height/0": GENESIS.regtest,
    "block-height/90": TXID,
    tx: BITCOIN_TX,
    "tx/hex": BITCOIN_RAW.toHex(),
    "tx/status": BITCOIN_TX.status,
    "tx/outspends": [{ spent: true, txid: TXID, vin: 0, status: BITCOIN_TX.status }],
    "tx/outspend": { spent: true, txid: TXID, vin: 0, status: BITCOIN_TX.status },
  },
  evm: {
    eth_chainId: "0x14a34",
    eth_blockNumber: "0x64",
    eth_getBalance: "0x5",
    eth_getTransactionCount: "0x1",
    eth_gasPrice: "0x5",
    eth_maxPriorityFeePerGas: "0x5",
    eth_call: WORD,
    eth_getLogs: [EVM_LOG, EVM_LOG_V3],
    eth_getBlockByNumber: {
      number: "0x64",
      hash: HASH,
      parentHash: HASH,
      timestamp: "0x5",
      baseFeePerGas: "0x7",
      gasLimit: "0x5",
      gasUsed: "0x0",
      transactions: [HASH],
    },
    eth_feeHistory: {
      oldestBlock: "0x60",
      baseFeePerGas: ["0x5", "0x5"],
      gasUsedRatio: [0.5],
      reward: [["0x1"]],
    },
    eth_getTransactionReceipt: {
      transactionHash: HASH,
      blockHash: HASH,
      blockNumber: "0x64",
      status: "0x1",
      gasUsed: "0x5",
      effectiveGasPrice: "0x5",
      from: `0x${"33".repeat(20)}`,
      to: `0x${"22".repeat(20)}`,
      contractAddress: null,
      cumulativeGasUsed: "0x5",
      transactionIndex: "0x0",
      type: "0x2",
      logsBloom: "0x",
      logs: [EVM_LOG, EVM_LOG_V3],
    },
    eth_getTransactionByHash: {
      hash: HASH,
      blockHash: HASH,
      blockNumber: "0x64",
      from: `0x${"33".repeat(20)}`,
      to: `0x${"22".repeat(20)}`,
      nonce: "0x1",
      input: "0x97ffc7ae",
      value: "0x0",
      gas: "0x5",
      gasPrice: "0x5",
      type: "0x0",
      transactionIndex: "0x0",
      v: "0x1",
      r: "0x1",
      s: "0x1",
      chainId: "0x14a34",
    },
  },
  solana: {
    getSlot: 100,
    getBlockHeight: 90,
    getBalance: { context: { slot: 100 }, value: 5_000 },
    getMinimumBalanceForRentExemption: 890_880,
    getSignaturesForAddress: [
      { signature: SIGNATURE, slot: 50, err: null, confirmationStatus: "finalized", blockTime: 1 },
    ],
    getSignatureStatuses: {
      context: { slot: 100 },
      value: [{ slot: 50, confirmations: 5, err: null, confirmationStatus: "confirmed" }],
    },
    getTransaction: SOLANA_TX,
    getAccountInfo: { context: { slot: 100 }, value: null },
    getFirstAvailableBlock: 0,
    minimumLedgerSlot: 0,
    getLatestBlockhash: {
      context: { slot: 100 },
      value: { blockhash: SYSTEM, lastValidBlockHeight: 200 },
    },
  },
  starknet: {
    starknet_chainId: "0x534e5f5345504f4c4941",
    starknet_blockHashAndNumber: { block_number: 100, block_hash: "0x1" },
    starknet_call: ["0x5", "0x0"],
    starknet_getNonce: "0x1",
    starknet_getEvents: {
      events: [
        {
          from_address: "0x6666",
          keys: ["0x1", "0x2"],
          data: ["0x1"],
          transaction_hash: "0x1",
          block_number: 50,
          block_hash: "0x1",
        },
      ],
    },
    starknet_getTransactionReceipt: {
      transaction_hash: "0x1",
      execution_status: "SUCCEEDED",
      finality_status: "ACCEPTED_ON_L2",
      block_hash: "0x1",
      block_number: 50,
      actual_fee: { amount: "0x5", unit: "FRI" },
      events: [],
      messages_sent: [],
      type: "INVOKE",
    },
    starknet_getTransactionStatus: {
      finality_status: "ACCEPTED_ON_L2",
      execution_status: "SUCCEEDED",
    },
    starknet_getBlockWithTxHashes: {
      block_number: 100,
      block_hash: "0x1",
      timestamp: 1_700_000_000,
      transactions: [],
      l1_gas_price: { price_in_fri: "0x5", price_in_wei: "0x5" },
      l2_gas_price: { price_in_fri: "0x5", price_in_wei: "0x5" },
      l1_data_gas_price: { price_in_fri: "0x5", price_in_wei: "0x5" },
    },
  },
}
