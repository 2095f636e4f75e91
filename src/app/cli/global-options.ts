import type { OptionDeclarations } from "./define-command.ts"

/** Options of `ballast` itself. They may stand before or after the name of the command. */
export const GLOBAL_OPTIONS = {
  config: { type: "text", value: "FILE", short: "c", summary: "the configuration file" },
  sandbox: { type: "flag", summary: "the sandbox's own configuration, with public keys" },
  json: { type: "flag", summary: "print JSON" },
  help: { type: "flag", short: "h", summary: "show this help" },
  version: { type: "flag", summary: "show the version of Ballast" },
} as const satisfies OptionDeclarations
