import { itemsAt, readPath, textAt } from "#schema/read-path.ts"
import { checkAssetKnown, type ReferenceWorld } from "#schema/reference-world.ts"

/** Names that tell agents and people apart, and limits for each agent that may ask for swaps. */
export function checkAgents(world: ReferenceWorld): void {
  const { root, report } = world
  const agents = itemsAt(root, ["ops", "agents"])
  const people = itemsAt(root, ["ops", "tokens"])
  const taken = people.map((token) => textAt(token, ["name"]))
  const tokens = [textAt(root, ["ops", "token"]), ...people.map((one) => textAt(one, ["token"]))]
  const canApprove = people.some((token) => itemsAt(token, ["scopes"]).includes("approve"))
  agents.forEach((agent, index) => {
    const path = ["ops", "agents", index]
    const name = textAt(agent, ["name"])
    const token = textAt(agent, ["token"])
    if (name !== null && taken.includes(name))
      report([...path, "name"], `expected a name of its own, found ${name} twice`)
    if (token !== null && tokens.includes(token))
      report([...path, "token"], "expected a token of its own: it would have other scopes too")
    if (token === null && readPath(agent, ["socket"]) !== true)
      report(path, "expected token or socket: true; without them no program can be this agent")
    taken.push(name)
    tokens.push(token)
    itemsAt(agent, ["pairs"]).forEach((_pair, at) => {
      checkAssetKnown(world, [...path, "pairs", at, "from"])
      checkAssetKnown(world, [...path, "pairs", at, "to"])
    })
    if (!itemsAt(agent, ["tools"]).includes("swap")) return
    const missing = ["pairs", "max_order", "max_day"].filter((key) => {
      const value = readPath(agent, [key]) ?? null
      return value === null || (Array.isArray(value) && value.length === 0)
    })
    if (missing.length > 0) report(path, `expected ${missing.join(", ")}, because it may swap`)
    if (!canApprove)
      report(path, "expected a token with the scope approve in ops.tokens: a person approves swaps")
  })
}
