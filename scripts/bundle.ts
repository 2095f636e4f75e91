import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join, relative } from "node:path"
import { build, type Plugin } from "esbuild"

const ROOT = join(import.meta.dirname, "..")
const SOURCES = join(ROOT, "src")
/** These packages look for files beside their own: WebAssembly, native code, and threads. */
const NOT_BUNDLED = ["tiny-secp256k1", "highs", "koffi", "pino", "pino-pretty"]
/** Optional packages of libraries, which do without them. */
const ABSENT = ["pg-native", "encoding", "bufferutil", "utf-8-validate"]
const require = createRequire(import.meta.url)

/**
 * A source that asks for its own place gets that of its module in `dist/`, although its code is in
 * `dist/bundled`.
 */
const OWN_PLACES: Plugin = {
  name: "own-places",
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const file = relative(SOURCES, path)
      const text = readFileSync(path, "utf8")
      if (file.startsWith("..") || !text.includes("import.meta")) return null
      const own = JSON.stringify(`../${file.replace(/ts$/, "js")}`)
      const places = `const url = new URL(${own}, import.meta.url)
        const filename = process.getBuiltinModule("url").fileURLToPath(url)
        const dirname = process.getBuiltinModule("path").dirname(filename)
        return { url: url.href, filename, dirname, main: false }`
      const code = text.replaceAll("import.meta", "importMeta")
      return { contents: `const importMeta = (() => { ${places} })();${code}`, loader: "ts" }
    }),
}

/**
 * The list of commands names a file for each, and every start loads them all: here they become one
 * file with the list, in place of a hundred.
 */
const COMMANDS_TOGETHER: Plugin = {
  name: "commands-together",
  setup: ({ onLoad }) =>
    onLoad({ filter: /src\/app\/cli\/command-list\.ts$/ }, ({ path }) => {
      const files: string[] = []
      const list = readFileSync(path, "utf8").replaceAll(
        /\bimport\(("[^"]+")\)/g,
        (_, file: string) => `command${files.push(file) - 1}`,
      )
      const imports = files.map((file, index) => `import * as command${index} from ${file}\n`)
      return { contents: imports.join("") + list, loader: "ts" }
    }),
}

/** No command loads these modules: it looks for the folder of the sandbox first. */
const NO_SANDBOX: Plugin = {
  name: "no-sandbox",
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^#sandbox\// }, ({ path }) => ({ path, namespace: "no-sandbox" }))
    onLoad({ filter: /./, namespace: "no-sandbox" }, () => ({
      contents: "module.exports = {}",
      loader: "js",
    }))
  },
}

type Bundle = {
  /** The first file, from the top of the project. */
  readonly entry: string
  /** A folder of `dist/`. */
  readonly folder: string
  readonly hasSandbox: boolean
}

/**
 * Writes a program and its libraries as a few files. Returns the sources of this project that went
 * into them.
 */
export async function bundle({ entry, folder, hasSandbox }: Bundle): Promise<readonly string[]> {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: [entry],
    outdir: folder,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node24",
    metafile: true,
    chunkNames: "[name]-[hash]",
    keepNames: true,
    minifySyntax: true,
    legalComments: "linked",
    logLevel: "warning",
    external: [...NOT_BUNDLED, ...ABSENT],
    plugins: [...(hasSandbox ? [] : [NO_SANDBOX]), COMMANDS_TOGETHER, OWN_PLACES],
    // Libraries mean the package of this name. Node's own module of this name warns when code
    // outside node_modules loads it.
    alias: { punycode: require.resolve("punycode/punycode.js") },
    // Libraries in the older format of modules call `require` for Node's own.
    banner: {
      js:
        'import { createRequire as requireFrom } from "node:module"; const require = ' +
        "requireFrom(import.meta.url);",
    },
  })
  return Object.keys(metafile.inputs).filter((file) => file.startsWith("src/"))
}
