import { matchedRoutes } from "hono/route"
import { MCP_PATH } from "./admit.ts"
import { type Ctx, parseObject, refuse } from "./answers.ts"
import { ROUTES } from "./api/routes.ts"
import { describeUnknown, findUnknownField, showName } from "./unknown-name.ts"

/**
 * A misspelt filter must not give an answer about everything, and a change that takes no field must
 * not swallow one.
 */
export async function refuseUnknown(
  c: Ctx,
  next: () => Promise<void>,
): Promise<Response | undefined> {
  const route = matchedRoutes(c).findLast(({ method }) => method !== "ALL")
  const text = route === undefined ? undefined : ROUTES[`${route.method} ${route.path}`]
  const known = Object.keys(text?.query?.shape ?? {})
  const asked = [...new URL(c.req.url).searchParams.keys()]
  const unknown = asked.find((name) => !known.includes(name))
  if (text !== undefined && unknown !== undefined)
    return refuse(c, 400, "request.unknown_parameter", describeUnknown("parameter", unknown, known))
  const twice = asked.find((name, index) => asked.indexOf(name) !== index)
  if (twice !== undefined)
    return refuse(c, 400, "request.malformed", `The parameter ${showName(twice)} is there twice`)
  // A message of the agents' protocol is judged by its own library.
  const takesNone = c.req.path !== MCP_PATH && text !== undefined && text.body === undefined
  if (c.req.method === "POST" && takesNone) {
    const field = findUnknownField(parseObject(await c.req.text()), [])
    if (field !== null) return refuse(c, 400, "request.unknown_field", field)
  }
  await next()
  return undefined
}
