import { Ajv2020 } from "ajv/dist/2020.js"
import addFormats from "ajv-formats"

type Content = { readonly [media: string]: { readonly schema: object } }
type Response = { readonly content: Content }
type Operation = {
  readonly responses: { readonly [status: string]: Response | { readonly $ref: string } }
}
export type ApiDocument = {
  readonly paths: { readonly [path: string]: { readonly [method: string]: Operation } }
  readonly components: {
    readonly responses: { readonly [name: string]: Response }
    readonly schemas: { readonly [name: string]: object }
  }
}

export type ApiAnswer = {
  readonly method: string
  /** The route as the document has it, such as `/api/v1/orders/{id}`. */
  readonly route: string
  readonly status: number
  readonly media: string
  readonly body: string
}

/** Compares answers with the document, by a validator of JSON Schema that is not ours. */
export function createAnswerCheck(document: ApiDocument): (answer: ApiAnswer) => readonly string[] {
  const ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true })
  addFormats.default(ajv)
  ajv.addVocabulary(["openapi", "info", "servers", "tags", "paths", "components"])
  ajv.addSchema({ ...document, $id: "document" })
  // A large schema takes half a second.
  const compiled = new Map<object, ReturnType<typeof ajv.compile>>()
  return ({ method, route, status, media, body }) => {
    const name = `${method} ${route} ${status}`
    const [type = ""] = media.split(";")
    const response = responseOf(
      document,
      document.paths[route]?.[method.toLowerCase()]?.responses[status],
    )
    const schema = response?.content[type]?.schema
    if (schema === undefined) return [`${name}: the document has no schema for ${type}`]
    if (type === "text/event-stream")
      return readEvents(body).flatMap((event) => compare(schema, event))
    return compare(schema, type.endsWith("json") ? JSON.parse(body) : body)

    function compare(schema: object, value: unknown): readonly string[] {
      const check =
        compiled.get(schema) ??
        ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')))
      compiled.set(schema, check)
      if (check(value)) return []
      return (check.errors ?? []).map(
        ({ instancePath, message, params }) =>
          `${name}: ${instancePath} ${message} ${JSON.stringify(params)}`,
      )
    }
  }
}

/** The whole events of a stream's text. */
function readEvents(text: string): readonly object[] {
  const blocks = text.split("\n\n").slice(0, -1)
  return blocks.flatMap((block) => {
    const field = (name: string): string | undefined =>
      new RegExp(`^${name}: ?(.*)$`, "m").exec(block)?.[1]
    const data = field("data")
    return data === undefined
      ? []
      : [{ type: field("event"), id: field("id"), data: JSON.parse(data) }]
  })
}

function responseOf(
  document: ApiDocument,
  found: Response | { readonly $ref: string } | undefined,
): Response | undefined {
  if (found === undefined || !("$ref" in found)) return found
  return document.components.responses[found.$ref.replace("#/components/responses/", "")]
}
