import { defineCommand } from "../../define-command.ts"

export const command = defineCommand({
  name: "mcp",
  summary: "serve the agent desk to a language model over standard input and output",
  details:
    "It speaks the Model Context Protocol and acts as an agent of ops.agents that has " +
    "socket: true, with that agent's rights and limits only. It holds no key and no token.",
  options: {
    agent: {
      type: "text",
      value: "NAME",
      summary: "the agent; without it, the only one that may use the socket",
    },
  },
  examples: ["", "--agent desk"],
  run: async (context, { options }) =>
    (await import("../../actions/host/serve-mcp.ts")).serveMcp(context, options.agent),
})
