import { nearestName } from "#lib/nearest-name.ts"
import { checkTimezone } from "#schema/check-timezone.ts"
import { showKey } from "#schema/problem.ts"
import { entriesAt, itemsAt, textAt } from "#schema/read-path.ts"
import type { ReferenceWorld } from "#schema/reference-world.ts"

const LOOPBACK = /^(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|::1)$/

/** Escalations go to known receivers, and a password goes over the network only encrypted. */
export function checkAlerts(world: ReferenceWorld): void {
  const { root, report } = world
  checkTimezone(world, ["alerts", "daily"])
  const names = entriesAt(root, ["alerts", "receivers"]).map(([name]) => name)
  itemsAt(root, ["alerts", "escalate_to"]).forEach((name, index) => {
    if (typeof name !== "string" || names.includes(name)) return
    const near = nearestName(name, names)
    const hint =
      near === null ? `expected one of ${names.join(", ") || "none yet"}` : `did you mean ${near}?`
    report(["alerts", "escalate_to", index], `there is no receiver ${showKey(name)}; ${hint}`)
  })
  const isEscalating = textAt(root, ["alerts", "escalate_after"]) !== null
  if (isEscalating && itemsAt(root, ["alerts", "escalate_to"]).length === 0)
    report(
      ["alerts", "escalate_after"],
      "expected escalate_to with at least one receiver, found none",
    )
  checkApprovers(world, names)
  for (const name of names) {
    const path = ["alerts", "receivers", name]
    const host = textAt(root, [...path, "host"])
    const tls = textAt(root, [...path, "tls"])
    if (tls === "none" && host !== null && !LOOPBACK.test(host))
      report(
        [...path, "tls"],
        "expected tls or starttls for a server on another machine, found none",
      )
    const user = textAt(root, [...path, "user"])
    const password = textAt(root, [...path, "password"])
    if ((user === null) !== (password === null) && textAt(root, [...path, "kind"]) === "email")
      report(path, "expected user and password together, found only one of them")
  }
}

/** One chat approves, a private one or a group, and each of its people has a token of their own. */
function checkApprovers({ root, report }: ReferenceWorld, names: readonly string[]): void {
  const people = itemsAt(root, ["ops", "tokens"])
    .filter((token) => itemsAt(token, ["scopes"]).includes("approve"))
    .map((token) => textAt(token, ["name"]))
  const paths = names
    .map((name) => ["alerts", "receivers", name, "approvers"])
    .filter((path) => entriesAt(root, path).length > 0)
  for (const path of paths.slice(1))
    report(path, "expected approvers of one receiver only, found those of several")
  for (const path of paths) {
    const chat = textAt(root, [...path.slice(0, -1), "chat"])
    if (chat?.startsWith("@"))
      report(path, "expected a chat id for approvals, found a public name of a chat")
    for (const [account, person] of entriesAt(root, path))
      if (typeof person === "string" && !people.includes(person))
        report(
          [...path, account],
          `expected a name of ops.tokens with the scope approve, found ${showKey(person)}`,
        )
  }
}
