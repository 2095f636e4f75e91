import type { OptionDeclarations } from "./define-command.ts"

export const TOKEN_OPTION = {
  token: {
    type: "text",
    value: "REF",
    summary: "act as the person of ops.tokens with this token, such as env:ANNA_TOKEN",
  },
} as const satisfies OptionDeclarations
