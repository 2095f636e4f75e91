import type { Exchange } from "./network-recorder.ts"

type Call = { readonly method?: string; readonly params?: unknown }

/**
 * The questions in these exchanges, each once: a method with the form of its parameters, or a path.
 * Two heights, hashes or addresses have one form; a block's tag, a commitment, the function of a
 * contract and the name of a field are kept.
 */
export function formsOf(exchanges: readonly Exchange[]): ReadonlySet<string> {
  return new Set(exchanges.flatMap(({ request }) => formsIn(request)))
}

function formsIn(request: string): readonly string[] {
  const [verb = "", url = "", ...rest] = request.split(" ")
  const body = rest.join(" ")
  if (!body.includes('"jsonrpc"')) return [`${verb} ${formOfUrl(url)}`]
  // CAST: the requests of our own clients.
  const sent = JSON.parse(body) as Call | readonly Call[]
  // CAST: one call is no list.
  const calls = Array.isArray(sent) ? (sent as readonly Call[]) : [sent as Call]
  return calls.map(({ method, params }) => `${method} ${JSON.stringify(formOf(params))}`)
}

function formOfUrl(url: string): string {
  const { pathname, searchParams } = new URL(url, "http://host")
  const parts = pathname.split("/").map((part) => (/\d/.test(part) ? "…" : part))
  return `${parts.join("/")} ${[...searchParams.keys()].toSorted().join(" ")}`.trim()
}

/** A list has the forms of its members, each once. */
function formOf(value: unknown, key = ""): unknown {
  if (Array.isArray(value))
    return [...new Set(value.map((one) => JSON.stringify(formOf(one, key))))].map((one) =>
      JSON.parse(one),
    )
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(
      Object.entries(value)
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, one]) => [name, formOf(one, name)]),
    )
  return typeof value === "string" ? formOfText(value, key) : typeof value
}

function formOfText(text: string, key: string): string {
  if (key === "data" || key === "input") return text.slice(0, 10)
  if (key === "entry_point_selector" || /^[a-z]+$/i.test(text)) return text
  return /^0x[0-9a-f]{1,16}$/.test(text) ? "quantity" : "text"
}
