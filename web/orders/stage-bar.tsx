import type { JSX } from "preact"
import { toneOfState } from "../format.ts"

const FIRST = ["quoted", "ordered", "verified", "signed"] as const
const HTLC = { deposit: "deposited", voucher: "solver deposited", payout: "paid out" } as const

/** The number of passed stages in each state of the machine. */
const PASSED: Readonly<Record<string, number>> = {
  quoting: 0,
  creating: 1,
  verifying: 2,
  "awaiting-approval": 3,
  allowing: 3,
  "gasless-signing": 3,
  "deposit-planning": 3,
  "deposit-signing": 3,
  "deposit-sending": 4,
  "gasless-submitting": 4,
  "deposit-confirming": 4,
  "gasless-confirming": 4,
  funded: 5,
  revealing: 6,
  revealed: 6,
  "redeem-reported": 6,
  completed: 7,
}

/** How far an order is, in seven steps; the words are its state's. */
export function StageBar(props: {
  state: string
  deposited: boolean
  /** The words of the order's route; absent for two HTLCs. */
  parts?: Readonly<Record<keyof typeof HTLC, string>> | undefined
}): JSX.Element {
  const { state, deposited, parts = HTLC } = props
  const stages = [...FIRST, parts.deposit, parts.voucher, parts.payout]
  const passed = PASSED[state] ?? (deposited ? 5 : 3)
  const isOver = ["completed", "refunded", "rejected", "abandoned"].includes(state)
  const tone = toneOfState(state)
  const next = stages[passed]
  return (
    <svg
      class={`steps ${tone}`}
      viewBox="0 0 69 6"
      role="img"
      aria-label={
        isOver || next === undefined
          ? `${passed} of ${stages.length} stages`
          : `${passed} of ${stages.length} stages, next: ${next}`
      }
    >
      {stages.map((name, index) => (
        <rect
          key={name}
          class={index < passed ? "passed" : index === passed && !isOver ? "next" : "track"}
          x={index * 10}
          width="9"
          height="6"
          rx="1"
        />
      ))}
    </svg>
  )
}
