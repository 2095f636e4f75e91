import { Transaction } from "bitcoinjs-lib"
import fc from "fast-check"
import { expect, it } from "vitest"
import { verifySpend } from "#chains/bitcoin/legs/verify-spend.ts"
import { SPENDS } from "./sample-spends.ts"

it.each(SPENDS)(
  "a spend by $name is refused after any change of a bit",
  ({ transaction, prevouts }) => {
    const raw = Buffer.from(transaction.toHex(), "hex")
    fc.assert(
      fc.property(fc.nat(raw.length * 8 - 1), (bit) => {
        const changed = Buffer.from(raw)
        changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
        let parsed: Transaction
        try {
          parsed = Transaction.fromHex(changed.toString("hex"))
        } catch {
          return
        }
        const verified = parsed.ins.map((_, vin) => verifySpend(parsed, vin, prevouts))
        // A change outside the first input's witness may leave that input valid only where no
        // signature covers it: in the other's witness.
        const whole =
          verified.length === transaction.ins.length && verified.every((spend) => spend !== null)
        expect(whole).toBe(false)
      }),
      { numRuns: 200 },
    )
  },
)
