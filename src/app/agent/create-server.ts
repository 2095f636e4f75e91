import { McpServer, ResourceTemplate } from "@modelcontextprotocol/server"
import { z } from "zod"
import type { AgentGroup } from "#domain/agent.ts"
import { refused, type ToolAnswer } from "./desk.ts"
import { INPUTS, INSTRUCTIONS, PROMPTS, toolsOf, word } from "./tools.ts"

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
  for (const { name, title, description, hints } of toolsOf(groups)) {
    const inputSchema: z.ZodObject = INPUTS[name]
    const texts = { title, description, inputSchema, annotations: hints }
    server.registerTool(name, texts, async (args) => {
      const { isError, body } = await callSafely(call, name, args)
      const text = JSON.stringify(body)
      return { isError, content: [{ type: "text", text }], structuredContent: body }
    })
  }
  if (groups.includes("read")) registerResources(server, call)
  registerPrompts(server, groups)
  return server
}

function registerPrompts(server: McpServer, groups: readonly AgentGroup[]): void {
  const rule = z.strictObject({ rule: word })
  for (const { name, group, title, isAboutRule, text } of PROMPTS) {
    if (!groups.includes(group)) continue
    const say = (said: string) => ({
      messages: [{ role: "user" as const, content: { type: "text" as const, text: said } }],
    })
    if (isAboutRule)
      server.registerPrompt(name, { title, description: text, argsSchema: rule }, (args) =>
        say(`The rule is ${args.rule}. ${text}`),
      )
    else server.registerPrompt(name, { title, description: text }, () => say(text))
  }
}

/** Each is the answer of a tool, judged and counted as its call. */
function registerResources(server: McpServer, call: Parameters<typeof createAgentServer>[2]): void {
  const json = { mimeType: "application/json" }
  const read = async (uri: URL, tool: string, args: object) => {
    const { body } = await callSafely(call, tool, args)
    return { contents: [{ uri: uri.href, ...json, text: JSON.stringify(body) }] }
  }
  server.registerResource(
    "guide",
    "ballast://guide",
    { title: "How to use this desk", mimeType: "text/plain" },
    async (uri) => ({
      contents: [{ uri: uri.href, mimeType: "text/plain", text: INSTRUCTIONS }],
    }),
  )
  server.registerResource(
    "status",
    "ballast://status",
    { title: "Verdict, balances and the limits of this agent", ...json },
    (uri) => read(uri, "status", {}),
  )
  // A list would name every order of the treasury.
  const order = new ResourceTemplate("ballast://orders/{id}", { list: undefined })
  server.registerResource("order", order, { title: "One order", ...json }, (uri, { id }) =>
    read(uri, "order", { id }),
  )
  const rule = new ResourceTemplate("ballast://rules/{rule}", { list: undefined })
  server.registerResource("rule", rule, { title: "A rule's last decision", ...json }, (uri, vars) =>
    read(uri, "explain", { rule: vars["rule"] }),
  )
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
