import type { JSX } from "preact"

/** Line drawings on a grid of 16, in the colour of their text. */
const PATHS = {
  overview: "M2.5 7.5 8 3l5.5 4.5M4 7v6h3v-3.5h2V13h3V7",
  orders: "M2 5.5h10m-2.5-3 3 3-3 3M14 10.5H4m2.5-3-3 3 3 3",
  treasury: "M2.5 3h11v9h-11zM4 12v1.5M12 12v1.5M8 5.5a2 2 0 1 0 .01 0",
  rules: "M2 4.5h3m3 0h6M6.5 3v3M2 11.5h6m3 0h3M9.5 10v3",
  simulate: "M2.5 2.5v11h11M5 10.5l2.5-3 2 1.5 3.5-5",
  settings:
    "M8 5.5a2.5 2.5 0 1 0 .01 0M8 1.5v2m0 9v2m6.5-6" +
    ".5h-2m-9 0h-2M12.6 3.4l-1.4 1.4m-6.4 6.4-1.4 1.4m0-9.2 " +
    "1.4 1.4m6.4 6.4 1.4 1.4",
  find: "M7 2.5a4.5 4.5 0 1 0 .01 0M10.3 10.3 14 14",
  pause: "M5.5 3v10M10.5 3v10",
} as const

export type IconName = keyof typeof PATHS

export function Icon({ name }: { name: IconName }): JSX.Element {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  )
}
