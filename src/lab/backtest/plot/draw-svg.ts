import {
  type Drawing,
  drawCosts,
  drawFan,
  drawSwaps,
  type Mark,
  sayDays,
  type Tone,
} from "./draw-plots.ts"
import type { Plot, Spent } from "./read-plots.ts"

/** `name`: the head of its column. */
type Drawn = {
  readonly plots: readonly Plot[]
  readonly subjects: readonly (Spent & { readonly name: string })[]
  readonly days: number
}

/**
 * One SVG that needs no style sheet: the balance of each asset with a column for each policy, then
 * what the runs cost, and when the middle one would swap.
 */
export function drawSvg({ plots: all, subjects, days }: Drawn): string {
  const plots = all.filter((plot) => plot.subjects.some(({ points }) => points.length > 0))
  const width = subjects.length * (PANEL + GAP) - GAP
  const placed = [
    ...plots.flatMap((plot, row) =>
      subjects.map((_, column) => ({
        title: plot.asset,
        drawing: drawFan(plot, column, days, PANEL),
        x: column * (PANEL + GAP),
        y: row * ROW,
      })),
    ),
    {
      title: `Cost of ${sayDays(days)}: each column counts runs`,
      drawing: drawCosts(subjects, days, width),
      x: 0,
      y: plots.length * ROW,
    },
    {
      title: "When it would swap: the middle run",
      drawing: drawSwaps(subjects, days, width),
      x: 0,
      y: (plots.length + 1) * ROW,
    },
  ]
  const size = `width="${width + 2 * GAP}" height="${HEAD + (plots.length + 2) * ROW}"`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} font-family="sans-serif" font-size="11">`,
    '<rect width="100%" height="100%" fill="#ffffff"/>',
    ...subjects.map(
      ({ name }, column) =>
        `<text x="${GAP + column * (PANEL + GAP)}" y="26" ` +
        `font-weight="bold">${escapeXml(name)}</text>`,
    ),
    ...placed.map(
      ({ title, drawing, x, y }) =>
        `<g transform="translate(${x + GAP} ${y + HEAD})">` +
        `<text x="0" y="-10" ${TONES.label}>${escapeXml(title)}</text>${panelOf(drawing)}</g>`,
    ),
    "</svg>\n",
  ].join("\n")
}

const PANEL = 560
const GAP = 32
const HEAD = 60
const ROW = 190

/** The look of each class in `web/style.css`, in its light theme. */
const TONES: Readonly<Record<Tone, string>> = {
  fan: 'fill="#2456c9" fill-opacity="0.16"',
  half: 'fill="#2456c9" fill-opacity="0.28"',
  "line-a": 'fill="none" stroke="#2456c9" stroke-width="1.6" stroke-linejoin="round"',
  "band-area": 'fill="#dceee9"',
  edge: 'stroke="#3f8f7b"',
  goal: 'stroke="#3f8f7b" stroke-dasharray="4 3"',
  "grid-line": 'stroke="#e5e8ec"',
  "bar-a": 'fill="#2456c9"',
  "bar-b": 'fill="#7d8997"',
  "run-tick": 'stroke="#2456c9" stroke-width="1.6"',
  label: 'fill="#4d5866"',
}

function panelOf({ words, marks }: Drawing): string {
  return `<title>${escapeXml(words)}</title>${marks.map(show).join("")}`
}

function show({ tag, tone, at, text = "" }: Mark): string {
  const where = Object.entries(at).map(([name, value]) => ` ${name}="${value}"`)
  return `<${tag} class="${tone}" ${TONES[tone]}${where.join("")}>${escapeXml(text)}</${tag}>`
}

function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`)
}
