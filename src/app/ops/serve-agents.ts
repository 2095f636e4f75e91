import { createAgentDesk } from "#agent/desk.ts"
import type { Agent } from "#domain/agent.ts"
import type { Clock } from "#lib/clock.ts"
import type { Logger } from "#lib/log.ts"
import { agentCallBody } from "#schema/requests.ts"
import { MCP_PATH, refuseScope } from "./admit.ts"
import { type App, type Ctx, json, peerOf, refuse, withBody } from "./answers.ts"
import { AGENT_PREFIX } from "./caller.ts"
import type { Operations } from "./operations.ts"

type Options = {
  readonly version?: string
  readonly agents?: () => readonly Agent[]
  readonly clock: Clock
  readonly log: Logger
}

/**
 * The desk of the agents: the protocol for clients with a token, and single calls for
 * `ballast mcp`, which speaks the protocol itself and has only the agent's rights here.
 */
export function serveAgents(app: App, operations: Operations, options: Options): void {
  const { version = "", agents = () => [], clock, log } = options
  const desk = createAgentDesk(operations, { clock, log })

  async function serveProtocol(c: Ctx): Promise<Response> {
    const caller = c.get("caller")
    if (!caller.scopes.includes("agent")) return refuseScope(c, caller, "agent")
    const agent = agents().find(({ name }) => caller.name === `${AGENT_PREFIX}${name}`)
    if (agent === undefined) return refuse(c, 403, "agent.none", "There is no such agent")
    const { createMcpHandler } = await import("@modelcontextprotocol/server")
    const { createAgentServer } = await import("#agent/create-server.ts")
    const { source } = peerOf(c)
    const handler = createMcpHandler(() =>
      createAgentServer(version, agent.tools, (tool, args) => desk.call(agent, tool, args, source)),
    )
    return handler.fetch(c.req.raw)
  }

  app.post(MCP_PATH, serveProtocol)
  app.get(MCP_PATH, serveProtocol)
  app.delete(MCP_PATH, serveProtocol)
  const serveCall = withBody(agentCallBody, async ({ agent: name, tool, arguments: args }, c) => {
    const { source } = peerOf(c)
    const agent = agents().find((one) => one.name === name && one.socket)
    if (agent === undefined)
      return refuse(c, 403, "agent.none", "No agent of this name may use the socket")
    return json(c, 200, await desk.call(agent, tool, args, source))
  })
  app.post("/api/v1/agent/call", (c) =>
    peerOf(c).peer.kind === "socket"
      ? serveCall(c)
      : refuse(c, 403, "agent.socket_only", `Over TCP agents use ${MCP_PATH}`),
  )
}
