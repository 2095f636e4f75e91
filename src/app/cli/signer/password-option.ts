import type { OptionDeclarations } from "../define-command.ts"

/** For every command that opens keys. */
export const PASSWORD_OPTION = {
  "password-stdin": {
    type: "flag",
    summary: "read the password of the keystore from standard input",
  },
} as const satisfies OptionDeclarations
