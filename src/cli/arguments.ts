import { parseArgs } from "node:util"
import { AppError } from "#lib/app-error.ts"

export type Arguments = {
  readonly command: string
  readonly operands: readonly string[]
  readonly json: boolean
  readonly help: boolean
  readonly version: boolean
  readonly config: string | null
  /** Options that only some commands read. */
  readonly options: { readonly [name: string]: string | boolean | undefined }
}

/** Throws `cli.usage` (exit 64) for an unknown option or a missing value. */
export function parseArguments(argv: readonly string[]): Arguments {
  const { values, positionals } = parse(argv)
  const { json, help, version, config, ...options } = values
  const [command = "", ...operands] = positionals
  return {
    command,
    operands,
    json: json === true,
    help: help === true,
    version: version === true,
    config: config ?? null,
    options,
  }
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        config: { type: "string", short: "c" },
        json: { type: "boolean" },
        help: { type: "boolean", short: "h" },
        version: { type: "boolean" },
        orders: { type: "string" },
        routes: { type: "string" },
        limit: { type: "string" },
        open: { type: "boolean" },
        port: { type: "string" },
        dir: { type: "string" },
        chains: { type: "string" },
        dialect: { type: "string" },
        wait: { type: "boolean" },
        chain: { type: "string" },
        rule: { type: "string" },
        deposit: { type: "string" },
        hostile: { type: "string" },
        days: { type: "string" },
        seeds: { type: "string" },
        seed: { type: "string" },
        scenario: { type: "string" },
        balances: { type: "string" },
        flows: { type: "string" },
        quotes: { type: "string" },
        against: { type: "string" },
        plot: { type: "string" },
        intent: { type: "string" },
        destination: { type: "string" },
        period: { type: "string" },
        affiliate: { type: "boolean" },
        by: { type: "string" },
        format: { type: "string" },
        from: { type: "string" },
        to: { type: "string" },
        output: { type: "string", short: "o" },
        accept: { type: "string" },
        as: { type: "string" },
      },
    })
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    throw new AppError({ code: "cli.usage", disposition: "refused", message, cause: error })
  }
}
