import { createServer, type Server } from "node:http"
import { afterAll, beforeAll, expect, test } from "vitest"
import { systemClock } from "#lib/clock.ts"
import {
  type DiscoverOptions,
  discoverContracts,
} from "../../../src/app/cli/actions/setup/discover-contracts.ts"
import type { CommandContext } from "../../../src/app/cli/define-command.ts"
import { listen } from "../../support/listen.ts"

let service: Server
let url: string
beforeAll(async () => {
  service = createServer((request, response) => {
    const isList = request.url === "/v2/chains"
    const body = isList
      ? { status: "Ok", result: [{ chain: "base", id: "evm:8453", name: "Base" }] }
      : {}
    response.writeHead(isList ? 200 : 404, { "content-type": "application/json" })
    response.end(JSON.stringify(isList ? body : { status: "Error", error: "unknown path" }))
  })
  url = (await listen(service)).url
})
afterAll(() => service.close())

async function discover(
  options: Partial<DiscoverOptions>,
): Promise<{ code: number; printed: string }> {
  const lines: string[] = []
  const context: CommandContext = {
    config: "missing.yaml",
    json: false,
    env: {},
    clock: systemClock,
    terminal: false,
    columns: null,
    interactive: false,
    ask: async () => "",
    redraw: () => undefined,
    progress: () => undefined,
    sandbox: false,
    tell: () => {},
    warn: () => {},
    commands: [],
    print: (text) => void lines.push(text),
  }
  const none = { chain: null, "app-id": null, "app-id-header": null, rpc: null }
  const code = await discoverContracts(context, { ...none, service: url, ...options })
  return { code, printed: lines.join("\n") }
}

test("a service by its URL needs no configuration", async () => {
  expect(await discover({})).toMatchObject({
    code: 0,
    printed: expect.stringContaining("base (evm)"),
  })
})

test.each([
  [
    { rpc: "bsae=http://127.0.0.1:1" },
    "discover.unknown_chain",
    "lists no chain bsae; it has base",
  ],
  [{ chain: "solana" }, "discover.unknown_chain", "lists no chain solana"],
  [{ rpc: "base" }, "cli.usage", "--rpc expects CHAIN=URL, found base"],
  [{ service: "main", "app-id": "x" }, "cli.usage", "--app-id is for a URL in --service"],
])("an option without effect is refused: %o", async (options, code, message) => {
  await expect(discover(options)).rejects.toMatchObject({
    code: expect.stringContaining(code),
    message: expect.stringContaining(message),
  })
})
