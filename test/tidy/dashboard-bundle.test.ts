import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { expect, test } from "vitest"
import { bundleDashboard } from "../../scripts/bundle-dashboard.ts"
import { measureDirectories } from "../../scripts/complexity.ts"
import { ROOT, readText } from "./sources.ts"

test("the committed bundle is what web/ gives; `npm run generate` writes it", async () => {
  const files = await bundleDashboard(ROOT)
  expect(files.map(({ name }) => name)).toEqual(["dashboard.js", "dashboard.css", "icon.svg"])
  const stale = files.filter(
    ({ name, text }) => readFileSync(join(ROOT, "src/app/ops/page", name), "utf8") !== text,
  )
  expect(stale.map(({ name }) => name)).toEqual([])
})

test("the bundle takes at most 120 KiB of a slow line", async () => {
  const files = await bundleDashboard(ROOT)
  const sizes = files.map(({ text }) => gzipSync(text).byteLength)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(120 * 1024)
  expect(Math.max(...sizes)).toBeGreaterThan(1024)
})

test("plots of commands and the board of Grafana have the colours of the desk", () => {
  const coloursOf = (text: string): readonly string[] => text.match(/#[0-9a-f]{6}\b/g) ?? []
  const desk = coloursOf(readText("web/style.css"))
  for (const file of ["config/grafana/ballast.json", "src/lab/backtest/plot/draw-svg.ts"]) {
    const own = coloursOf(readText(file))
    expect(
      own.filter((colour) => !desk.includes(colour)),
      file,
    ).toEqual([])
    expect(new Set(own).size, file).toBeGreaterThan(1)
  }
  expect(readText("config/grafana/ballast.json")).not.toMatch(/"color": "[a-z]/)
})

test("the page loads nothing from other hosts, and brings no code of Node", async () => {
  const [script = { text: "" }, style = { text: "" }] = await bundleDashboard(ROOT)
  // The bundler folds long lines, in the midst of a text too.
  const code = script.text.replaceAll("\\\n", "")
  const hosts = [...`${code} ${style.text}`.matchAll(/https?:\/\/[\w.-]+/g)].map(([host]) => host)
  // The names of the markup languages, which a browser never loads.
  expect(hosts.filter((host) => host !== "http://www.w3.org")).toEqual([])
  // The page takes the types of the answers, and nothing of zod, which describes them.
  const foreign = ["node:", "require(", "eval(", "new Function", "_zod"]
  expect(foreign.filter((word) => code.includes(word))).toEqual([])
  const raw = globSync("web/**/*.{ts,tsx}", { cwd: ROOT }).filter((file) =>
    /innerHTML/i.test(readText(file)),
  )
  expect(raw).toEqual([])
})

test("the sources of the page are as short as those of the program", () => {
  const sources = globSync("web/**/*.{ts,tsx}", { cwd: ROOT })
  expect(sources.length).toBeGreaterThan(20)
  expect(sources.filter((file) => readText(file).split("\n").length > 500)).toEqual([])
  const over = measureDirectories(["web"], ROOT).filter(
    ({ complexity, lines }) => complexity > 20 || lines > 70,
  )
  expect(
    over.map(({ file, name, complexity, lines }) => `${file} ${name} ${complexity} ${lines}`),
  ).toEqual([])
})
