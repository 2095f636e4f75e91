/**
 * Balances by account and commodity of a plain-text ledger, parsed by a strict subset of hledger's
 * grammar.
 */
export type ParsedLedger = {
  readonly transactions: number
  /** The sum by `account commodity`, as an integer scaled to 18 digits. */
  readonly balances: ReadonlyMap<string, bigint>
}

const HEAD = /^\d{4}-\d{2}-\d{2} \* [^;|]+( \| [^;]+)?$/
const COMMENT = /^ {4}; [a-z]+: [^,;]+$/
const ACCOUNT = /([a-z][a-z0-9_:-]*)/.source
const AMOUNT = /(-?)(\d+)(?:\.(\d{1,18}))? "([a-z0-9_.:-]+)"/.source
const FIAT = /(?: {2}; fiat: -?\d+(\.\d{1,6})?)?/.source
const POSTING = new RegExp(`^ {4}${ACCOUNT} {2,}${AMOUNT}${FIAT}$`)

/**
 * Throws at the first line outside the grammar, and at the first transaction that does not balance
 * in each commodity.
 */
export function parseLedger(text: string): ParsedLedger {
  const balances = new Map<string, bigint>()
  const blocks = text.split("\n\n").map((block) => block.trim())
  let transactions = 0
  for (const block of blocks) {
    const lines = block.split("\n")
    if (lines.every((line) => line.startsWith(";") || line === "")) continue
    const [head = "", ...rest] = lines
    if (!HEAD.test(head)) throw new Error(`not the head of a transaction: ${head}`)
    const sums = new Map<string, bigint>()
    let count = 0
    for (const line of rest) {
      if (COMMENT.test(line)) continue
      const [, account, sign, whole, fraction = "", commodity] = POSTING.exec(line) ?? []
      if (account === undefined || commodity === undefined)
        throw new Error(`not a posting: ${line}`)
      const units = BigInt(`${whole}${fraction.padEnd(18, "0")}`) * (sign === "-" ? -1n : 1n)
      sums.set(commodity, (sums.get(commodity) ?? 0n) + units)
      const key = `${account} ${commodity}`
      balances.set(key, (balances.get(key) ?? 0n) + units)
      count += 1
    }
    if (count < 2) throw new Error(`fewer than two postings: ${head}`)
    for (const [commodity, sum] of sums)
      if (sum !== 0n) throw new Error(`${head} is ${sum} ${commodity} out of balance`)
    transactions += 1
  }
  return { transactions, balances }
}
