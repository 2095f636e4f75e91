import { once } from "node:events"
import { serveStdio } from "@modelcontextprotocol/server/stdio"
import { createAgentServer } from "#agent/create-server.ts"
import { refused, type ToolAnswer } from "#agent/desk.ts"
import type { Config } from "#config/config.ts"
import { EXIT } from "#daemon/start/exit-code.ts"
import type { Agent } from "#domain/agent.ts"
import { AppError } from "#lib/app-error.ts"
import { bodyOf, callDaemon, type DaemonAnswer, firstCode } from "../../call-daemon.ts"
import type { CommandContext } from "../../define-command.ts"
import { openConfigForReading } from "../../open/open-config.ts"
import { usageError } from "../../usage-error.ts"
import { version } from "../../version.ts"

/** Serves until standard input ends. The daemon may be away and come back meanwhile. */
export async function serveMcp(context: CommandContext, name: string | null): Promise<number> {
  const config = openConfigForReading(context)
  const agent = chooseAgent(config.ops.agents, name)
  const installed = version()
  const ended = once(process.stdin, "end")
  const server = serveStdio(() =>
    createAgentServer(installed, agent.tools, (tool, args) =>
      callTool(config, { agent: agent.name, tool, arguments: args }),
    ),
  )
  await ended
  await server.close()
  return EXIT.ok
}

function chooseAgent(agents: readonly Agent[], name: string | null): Agent {
  const allowed = agents.filter(({ socket }) => socket)
  const [first, ...others] = name === null ? allowed : allowed.filter((one) => one.name === name)
  if (first !== undefined && others.length === 0) return first
  const names = allowed.map((one) => one.name).join(", ")
  throw usageError(
    names === ""
      ? "no agent of ops.agents has socket: true"
      : `name one of these agents with --agent: ${names}`,
  )
}

type Call = { readonly agent: string; readonly tool: string; readonly arguments: unknown }

/** The key of a swap makes a repeated call harmless; the answer says whether to repeat it. */
async function callTool(config: Pick<Config, "dataDir">, call: Call): Promise<ToolAnswer> {
  try {
    return readToolAnswer(await callDaemon(config, "POST", "/api/v1/agent/call", call))
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { code, disposition } = error
    const reasons = [{ code, message: "" }]
    return disposition === "uncertain"
      ? refused(reasons, "maybe", "same-key")
      : refused(reasons, "no", "later")
  }
}

/** A failure of the daemon may have come after the act; too many requests are no fault of one. */
export function readToolAnswer(answer: DaemonAnswer): ToolAnswer {
  const { status, body } = answer
  if (status === 200) return bodyOf<"AgentAnswer">(answer)
  const reasons = [{ code: firstCode(body) ?? "agent.internal", message: "" }]
  if (status >= 500) return refused(reasons, "maybe", "same-key")
  return refused(reasons, "no", status === 429 ? "later" : "no")
}
