import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join, relative, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { compileFunction } from "node:vm"
import { transformSync } from "esbuild"
import { mustExist } from "#lib/assert.ts"
import { sourceOf } from "../../support/source-of.ts"
import { nodesAt, parseModule } from "./syntax.ts"

/**
 * Loads TypeScript modules of this project so that some of them can be loaded anew, without a new
 * process. Modules of packages and of Node are loaded once, by Node.
 */
export type Loader = {
  readonly load: (file: string) => Promise<unknown>
  /** The module and all loaded modules that import it are evaluated again when they are needed. */
  readonly forget: (file: string) => void
  readonly forgetAll: () => void
  /** The project's files that a file imports, directly or not, with itself. */
  readonly graphOf: (file: string) => ReadonlySet<string>
}

type Options = {
  readonly root: string
  /** The text of a file as it is loaded. */
  readonly readText: (file: string) => string
  /** Modules that stand in for packages. */
  readonly replaced: Readonly<Record<string, unknown>>
  /** What `__m` is in each module. */
  readonly ask: (number: number) => boolean
  /** A folder for transformed code. */
  readonly cache: string
}

type Compiled = {
  readonly run: (...args: readonly unknown[]) => void
  /** It awaits at its top, so that the modules that import it come after it. */
  readonly isLate: boolean
  readonly imports: readonly string[]
  readonly packages: readonly string[]
}

const PARAMETERS = [
  "module",
  "exports",
  "require",
  "__dirname",
  "__filename",
  "__url",
  "__resolve",
  "__m",
]
const LOADED = "__loaded"
const STATIC_IMPORT = /^(?:var \w+ = )?(?:__toESM\()?require\("([^"]+)"\)/gm

export function createLoader({ root, readText, replaced, ask, cache }: Options): Loader {
  const compiled = new Map<string, Compiled>()
  const loaded = new Map<string, { exports: unknown }>()
  const packages = new Map<string, unknown>(Object.entries(replaced))
  const graphs = new Map<string, ReadonlySet<string>>()
  const native = createRequire(join(root, "package.json"))
  mkdirSync(cache, { recursive: true })

  const locate = (from: string, name: string): string | null => {
    if (name.startsWith("#")) return sourceOf(name)
    return name.startsWith(".") ? join(dirname(from), name) : null
  }
  const compile = (file: string): Compiled => {
    const known = compiled.get(file)
    if (known !== undefined) return known
    const code = transform(readText(file), file, cache)
    // CAST: `compileFunction` returns a plain function of these parameters.
    const run = compileFunction(code, PARAMETERS, { filename: join(root, file) }) as Compiled["run"]
    const names = [...code.matchAll(STATIC_IMPORT)].map((match) => mustExist(match[1], "a name"))
    const places = names.map((name) => locate(file, name))
    const one = {
      run,
      isLate: code.includes(LOADED),
      imports: places.filter((place) => place !== null),
      packages: names.filter((_, index) => places[index] === null),
    }
    compiled.set(file, one)
    return one
  }
  const graphOf = (file: string): ReadonlySet<string> => {
    const known = graphs.get(file)
    if (known !== undefined) return known
    const found = new Set<string>()
    const visit = (one: string): void => {
      if (found.has(one)) return
      found.add(one)
      if (one.endsWith(".ts")) for (const other of compile(one).imports) visit(other)
    }
    visit(file)
    graphs.set(file, found)
    return found
  }
  const requirePackage = (name: string): unknown => {
    if (!packages.has(name)) packages.set(name, asModule(native(name)))
    return packages.get(name)
  }
  const requireFile = (file: string): unknown => {
    const known = loaded.get(file)
    if (known !== undefined) return known.exports
    if (file.endsWith(".json")) return JSON.parse(readText(file))
    const module = { exports: {} }
    loaded.set(file, module)
    const path = resolve(root, file)
    const url = pathToFileURL(path).href
    const need = (name: string): unknown => {
      const place = locate(file, name)
      return place === null ? requirePackage(name) : requireFile(place)
    }
    const find = (name: string): string => {
      const place = locate(file, name)
      return place === null ? import.meta.resolve(name) : pathToFileURL(resolve(root, place)).href
    }
    try {
      compile(file).run(module, module.exports, need, dirname(path), path, url, find, ask)
    } catch (error) {
      loaded.delete(file)
      throw error
    }
    return module.exports
  }
  return {
    load: async (file) => {
      for (const one of graphOf(file)) {
        if (!one.endsWith(".ts")) continue
        for (const name of compile(one).packages) {
          if (!packages.has(name)) packages.set(name, asModule(await import(name)))
        }
      }
      const others = [...graphOf(file)].filter((one) => one !== file && one.endsWith(".ts"))
      const late = others.filter((one) => compile(one).isLate)
      for (const one of late) await untilLoaded(requireFile(one))
      const exports = requireFile(file)
      await untilLoaded(exports)
      return exports
    },
    forget: (file) => {
      for (const one of [...loaded.keys()]) if (graphOf(one).has(file)) loaded.delete(one)
    },
    forgetAll: () => loaded.clear(),
    graphOf,
  }
}

async function untilLoaded(exports: unknown): Promise<void> {
  // CAST: a module's exports are an object, and `LOADED` is an end of `transform`.
  await (exports as Readonly<Record<string, unknown>>)[LOADED]
}

/** So that `import x from` and `import { x } from` find what Node would give them. */
function asModule(namespace: unknown): unknown {
  // CAST: a namespace is an object, and so is the result of `require` of a package.
  const from = namespace as object
  const module = Object.create(null, { __esModule: { value: true } }) as object
  for (const key of Object.keys(from).filter((name) => name !== "__esModule")) {
    Object.defineProperty(module, key, { enumerable: true, get: () => Reflect.get(from, key) })
  }
  if (!("default" in from)) Object.defineProperty(module, "default", { value: from })
  return module
}

function transform(text: string, file: string, cache: string): string {
  const hash = createHash("sha256").update(file).update(text).digest("hex").slice(0, 24)
  const kept = join(cache, `${hash}.cjs`)
  if (existsSync(kept)) return readFileSync(kept, "utf8")
  const { code } = transformSync(
    file.endsWith(".test.ts") ? withoutAwait(text) : withLateConstant(text),
    {
      loader: "ts",
      format: "cjs",
      target: "node24",
      sourcefile: file,
      supported: { "dynamic-import": false },
      define: {
        "import.meta.dirname": "__dirname",
        "import.meta.filename": "__filename",
        "import.meta.url": "__url",
        "import.meta.resolve": "__resolve",
        "import.meta.main": "false",
      },
      tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
    },
  )
  writeFileSync(kept, code)
  return code
}

/** The rest of a test file that awaits at its top becomes a function, which `load` awaits. */
function withoutAwait(text: string): string {
  if (!/^(?:(?:const|let) .+ = )?await /m.test(text)) return text
  const statements = nodesAt(parseModule(text), "body")
  const rest = statements.find(({ type }) => type !== "ImportDeclaration")
  if (rest === undefined) return text
  const imports = text.slice(0, rest.start)
  return `${imports} export const ${LOADED} = (async () => {${text.slice(rest.start)}\n})()`
}

/** An exported constant that awaits its value gets it in a function, which `load` awaits. */
function withLateConstant(text: string): string {
  if (!/^export const [^=]+= await /m.test(text)) return text
  const statements = nodesAt(parseModule(text), "body")
  const late = statements.find(({ start, end }) => LATE.test(text.slice(start, end)))
  if (late === undefined) return text
  const [, name, type, value] = LATE.exec(text.slice(late.start, late.end)) ?? []
  const promise = `(async () => { ${name} = ${value} })()`
  const given = `export let ${name}${type}; export const ${LOADED} = ${promise}`
  return text.slice(0, late.start) + given + text.slice(late.end)
}

const LATE = /^export const (\w+)([^=]*)= (await [\s\S]*)$/

/** The path of a file from the root of the project. */
export function fromRoot(root: string, path: string): string {
  return relative(root, path)
}
