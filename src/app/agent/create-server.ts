import { McpServer } from "@modelcontextprotocol/server"
import type { AgentGroup } from "#domain/agent.ts"
import { refused, type ToolAnswer } from "./desk.ts"
import { INSTRUCTIONS, toolsOf } from "./tools.ts"

/**
 * A server of the Model Context Protocol for one request or connection: a shared one would mix the
 * answers of its clients. It has no authority; `call` judges.
 */
export function createAgentServer(
  version: string,
  groups: readonly AgentGroup[],
  call: (tool: string, args: unknown) => Promise<ToolAnswer>,
): McpServer {
  const server = new McpServer({ name: "ballast", version }, { instructions: INSTRUCTIONS })
  for (const { name, title, description, input, hints } of toolsOf(groups))
    server.registerTool(
      name,
      { title, description, inputSchema: input, annotations: hints },
      async (args) => {
        const { isError, body } = await callSafely(call, name, args)
        return {
          isError,
          content: [{ type: "text", text: JSON.stringify(body) }],
          structuredContent: body,
        }
      },
    )
  return server
}

/** The text of a thrown error would reach the model. */
async function callSafely(
  call: (tool: string, args: unknown) => Promise<ToolAnswer>,
  name: string,
  args: unknown,
): Promise<ToolAnswer> {
  try {
    return await call(name, args)
  } catch {
    return refused([{ code: "agent.internal", message: "" }], "maybe", "same-key")
  }
}
