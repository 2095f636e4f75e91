import { request } from "undici"
import { z } from "zod"
import { EXIT } from "#daemon/start/exit-code.ts"
import { formatSpan } from "#health/format-span.ts"
import { AppError } from "#lib/app-error.ts"
import { plainJson } from "#lib/json.ts"
import { nearestName } from "#lib/nearest-name.ts"
import { parseDuration } from "#schema/duration.ts"
import type { CommandContext } from "../../define-command.ts"
import { formatTable } from "../../format/table.ts"
import { listSandboxes } from "../../sandbox/running-sandboxes.ts"
import { usageError } from "../../usage-error.ts"

type Rehearsal = {
  readonly action: "status" | "break" | "mend"
  readonly part: string | null
  readonly for: string | null
  readonly port: number | null
}

/**
 * Shows, breaks or mends the parts of a running sandbox. Throws `sandbox.not_running` and
 * `sandbox.part` (refused).
 */
export async function rehearse(
  context: CommandContext,
  { action, part, port, ...rest }: Rehearsal,
): Promise<number> {
  const forMs = parseFor(action, rest.for)
  if (action === "break" && part === null)
    throw usageError("sandbox break needs a part: service, a chain, or a pair FROM/TO")
  if (action === "status" && part !== null)
    throw usageError("sandbox status shows every part, and takes none")
  const url = await findSandbox(port)
  const status = await call(url, "GET", "status")
  if (action === "status") return show(context, url, status)
  const body = {
    ...(part === null ? {} : { part: findPart(part, status) }),
    ...(forMs === null ? {} : { forMs }),
  }
  return show(context, url, await call(url, "POST", action, body))
}

function parseFor(action: Rehearsal["action"], text: string | null): number | null {
  if (text === null) return null
  if (action !== "break") throw usageError("--for is for break")
  const forMs = parseDuration(text)
  if (forMs === null || forMs < 1)
    throw usageError(`--for expects a duration such as 30s, not "${text}"`)
  return forMs
}

async function findSandbox(port: number | null): Promise<string> {
  if (port !== null) return `http://127.0.0.1:${port}`
  const found = await listSandboxes()
  const [only] = found
  if (only === undefined)
    throw notRunning(
      "no sandbox of this user runs; start one with `ballast sandbox` or `npm start`",
    )
  if (found.length === 1) return only.url
  const ports = found.map(({ url }) => `--port ${new URL(url).port}`)
  throw new AppError({
    code: "sandbox.several",
    disposition: "refused",
    message: `${found.length} sandboxes run; choose one with ${ports.join(" or ")}`,
  })
}

/** A family's name or a unique beginning is enough: `solana` is `solana_testnet`. */
function findPart(text: string, { chains }: Status): string {
  const names = ["service", ...chains.map(({ chain }) => chain)]
  if (names.includes(text) || /^[^/]+:[^/]+\/[^/]+:[^/]+$/.test(text)) return text
  const begun = names.filter((name) => name.startsWith(text))
  const [only] = begun
  if (only !== undefined && begun.length === 1) return only
  const near = nearestName(text, [...names, ...names.map((name) => name.split("_")[0] ?? name)])
  const hint = near === null ? `it has ${names.join(", ")}` : `did you mean ${near}?`
  const message = `the sandbox has no part ${text}; ${hint}`
  throw new AppError({ code: "sandbox.part", disposition: "refused", message })
}

type Status = z.output<typeof statusShape>

const statusShape = z.object({
  pid: z.int(),
  startedAt: z.string(),
  orders: z.int(),
  completed: z.int(),
  service: z.enum(["up", "broken"]),
  closed: z.array(z.string()),
  chains: z.array(
    z.object({
      chain: z.string(),
      state: z.enum(["up", "broken", "restarting"]),
      restarts: z.int(),
      lost: z.string().nullable(),
    }),
  ),
})

async function call(
  url: string,
  method: "GET" | "POST",
  path: string,
  body?: object,
): Promise<Status> {
  const init =
    body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }
  try {
    const answer = await request(`${url}/sandbox/${path}`, {
      method,
      ...init,
      headersTimeout: TIMEOUT_MS,
    })
    return statusShape.parse(await answer.body.json())
  } catch (cause) {
    throw notRunning(`no sandbox answers at ${url}; start one with \`ballast sandbox\``, cause)
  }
}

const TIMEOUT_MS = 10_000

function show(context: CommandContext, url: string, status: Status): number {
  const { chains, service, closed, orders, completed, startedAt, pid } = status
  if (context.json) {
    context.print(plainJson({ url, ...status }, 2))
    return EXIT.ok
  }
  const ran = formatSpan(context.clock.now() - Date.parse(startedAt))
  const rows = chains.map(({ chain, state, restarts, lost }) => [
    chain,
    state,
    String(restarts),
    lost ?? "",
  ])
  context.print(
    `Sandbox ${url}, process ${pid}, for ${ran}: ${orders} orders, ${completed} of them completed`,
  )
  context.print(
    formatTable(
      ["part", "state", "restarts", "lost by the last restart"],
      [["service", service, "0", ""], ...rows, ...closed.map((pair) => [pair, "closed", "0", ""])],
    ),
  )
  return EXIT.ok
}

function notRunning(message: string, cause?: unknown): AppError {
  return new AppError({ code: "sandbox.not_running", disposition: "refused", message, cause })
}
