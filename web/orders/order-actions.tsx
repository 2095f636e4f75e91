import type { JSX } from "preact"
import type { OrderAnswer } from "../answers.ts"
import { Act, type Change } from "../confirm.tsx"
import { When } from "../parts.tsx"
import { Approve } from "./approve.tsx"

type Props = {
  readonly order: OrderAnswer
  readonly scopes: readonly string[]
  /** The approval is open at once. */
  readonly opens: boolean
}

/** The verbs that the order's state allows. The daemon judges each again. */
export function OrderActions({ order, scopes, opens }: Props): JSX.Element | null {
  if (order.state === "awaiting-approval")
    return <Approval order={order} scopes={scopes} opens={opens} />
  if (!order.held && order.state !== "disarmed") return null
  const verb = (word: "retry" | "refund" | "abandon", says: string): Change => {
    const button = word.slice(0, 1).toUpperCase() + word.slice(1)
    return {
      title: `${button} this order?`,
      word,
      button,
      path: `orders/${order.id}/${word}`,
      body: {},
      danger: word === "abandon",
      children: <p>{says}</p>,
    }
  }
  const abandon = verb(
    "abandon",
    "You answer for the end of this order: Ballast ends it once no deposit can land.",
  )
  return (
    <div class="actions">
      {order.held ? (
        <>
          <Act
            change={verb("retry", "Ballast goes on from where the order was held.")}
            scope="operate"
            scopes={scopes}
            main
          />
          <Act
            change={verb("refund", "Ballast takes the deposit back as soon as the HTLC allows it.")}
            scope="operate"
            scopes={scopes}
          />
        </>
      ) : null}
      <Act change={abandon} scope="operate" scopes={scopes} />
    </div>
  )
}

/** The people that have approved, and how many must still. */
function peopleOf({ people }: Props["order"]): string {
  if (people === undefined) return ""
  const names = people.approved.map(({ by }) => by).join(", ")
  const left = people.needed - people.approved.length
  return ` · approved by ${names === "" ? "none" : names}; ${left} more must approve`
}

function Approval({ order, scopes, opens }: Props): JSX.Element {
  return (
    <div class="actions">
      <Approve order={order} scopes={scopes} opens={opens} />
      <span class="note">
        Approve before <When at={order.approveBefore} clock /> (<When at={order.approveBefore} />)
        {peopleOf(order)}
      </span>
    </div>
  )
}
