/** The columns of the checklist of the desk, by the menu's views and their parts. */
export const DESK_VIEWS = [
  "Overview",
  "Orders",
  "Order",
  "Treasury",
  "Books",
  "Rules, Decisions",
  "Plan, Limits",
  "Simulate",
  "Settings, Alarms",
] as const

type DeskView = (typeof DESK_VIEWS)[number]

/** One rule of the desk; the test is named by a part of its title, and shows it in these views. */
export type DeskRule = {
  readonly rule: string
  readonly views: readonly DeskView[]
  readonly file: string
  readonly test: string
}

const ALL = DESK_VIEWS
const MONEY = ["Overview", "Treasury", "Books"] as const
const MAIN = "test/e2e/dashboard.test.ts"
const FIGURES = "test/e2e/dashboard-figures.test.ts"
const STATES = "test/e2e/dashboard-states.test.ts"
const VIEWS_RUN = "is accessible in %s"
const PLOT_RULES = "plots keep their rules"
const PLOT_KEYS = "each plot has a sentence"

export const DESK_CHECKLIST: Readonly<Record<string, readonly DeskRule[]>> = {
  Principles: [
    {
      rule: "the total, and its three reasons, which add up",
      views: ["Overview"],
      file: FIGURES,
      test: "the part of outside money",
    },
    {
      rule: "what moved, and what it cost in money and bps",
      views: ["Overview"],
      file: FIGURES,
      test: "the shares of the cost and the counts",
    },
    {
      rule: "volume, cost and fees of books and treasury are those of the rows",
      views: ["Treasury", "Books"],
      file: FIGURES,
      test: "the volume of the books",
    },
    {
      rule: "since the last look: counts, cost and times are those of the rows",
      views: ["Overview"],
      file: FIGURES,
      test: "counts and times since the last look",
    },
    {
      rule: "each figure by rule, pair, service and time is that of the rows",
      views: ["Treasury"],
      file: FIGURES,
      test: "volume, cost and time by rule, pair, service and time",
    },
    {
      rule: "each line, and the sums of a filter, are those of the rows",
      views: ["Orders", "Order"],
      file: FIGURES,
      test: "each line of the orders, and the sums of a filter",
    },
    {
      rule: "limits in use, and runs, are those of the rows",
      views: ["Books", "Rules, Decisions", "Plan, Limits"],
      file: FIGURES,
      test: "books, limits and runs are those of the rows",
    },
    {
      rule: "the next 24 hours",
      views: ["Overview"],
      file: FIGURES,
      test: "the next 24 hours",
    },
    {
      rule: "a filter is kept as a view",
      views: ["Orders"],
      file: MAIN,
      test: "keeps a filter as a view",
    },
    {
      rule: "balances, orders and what is on its way have their value",
      views: ["Overview", "Order", "Treasury"],
      file: FIGURES,
      test: "the value of an order",
    },
    {
      rule: "each fact once, and each task with its button",
      views: ["Overview", "Order", "Rules, Decisions", "Settings, Alarms"],
      file: FIGURES,
      test: "the loss stands first, each fact once",
    },
    {
      rule: "tasks by trouble, value at stake, then deadline",
      views: ["Overview"],
      file: "test/unit/web/rank-tasks.test.ts",
      test: "tasks are ranked by trouble",
    },
    {
      rule: "an amount has its value, where its asset has a price",
      views: ["Plan, Limits"],
      file: MAIN,
      test: "an amount has its value",
    },
    {
      rule: "one line an order, with its value; a good end has no colour",
      views: ["Orders"],
      file: MAIN,
      test: "lists orders in one line each",
    },
    { rule: "each state has a shape and a word", views: ALL, file: MAIN, test: VIEWS_RUN },
    { rule: "no raw code, at most six digits", views: ALL, file: MAIN, test: VIEWS_RUN },
    {
      rule: "all digits in the title, U+2212 for minus, cents below 1000",
      views: ["Overview", "Orders", "Order", "Treasury"],
      file: "test/unit/web/format.test.ts",
      test: "in the reference currency as %s",
    },
    {
      rule: "ages; `.` gives clock times",
      views: ["Orders"],
      file: MAIN,
      test: "does by keys what the mouse does",
    },
    {
      rule: "what is old says how old",
      views: ["Overview"],
      file: FIGURES,
      test: "an old price says how old",
    },
    {
      rule: "24 hours end now, however long the page is open",
      views: ["Overview", "Treasury"],
      file: STATES,
      test: "24 hours end now",
    },
    {
      rule: "pause on every view",
      views: ALL,
      file: STATES,
      test: "each view is loading",
    },
    {
      rule: "pause by one tap, undo, the way back by words",
      views: ["Overview", "Orders"],
      file: MAIN,
      test: "pauses with one tap",
    },
    {
      rule: "axe 0, no sideways scroll, five entries in the phone's dock",
      views: ALL,
      file: MAIN,
      test: "fits a phone without sideways scrolling",
    },
  ],
  Plots: [
    {
      rule: "a sentence; hover and keys give time and figures",
      views: [...MONEY, "Simulate"],
      file: FIGURES,
      test: PLOT_KEYS,
    },
    {
      rule: "bars from 0, limit dashed, the step of now pale",
      views: ["Treasury", "Books"],
      file: MAIN,
      test: PLOT_RULES,
    },
    {
      rule: "band shaded, target dashed, names at the ends",
      views: ["Treasury"],
      file: MAIN,
      test: PLOT_RULES,
    },
    {
      rule: "a gap breaks the line and is hatched",
      views: ["Overview", "Treasury"],
      file: MAIN,
      test: PLOT_RULES,
    },
    {
      rule: "a new price moves no line of the total",
      views: ["Overview"],
      file: "test/unit/daemon/summary.test.ts",
      test: "does not jump when a quote prices one more asset",
    },
    {
      rule: "marks of what moved a balance",
      views: ["Treasury"],
      file: MAIN,
      test: PLOT_RULES,
    },
    {
      rule: "two to four round ticks",
      views: [...MONEY, "Simulate"],
      file: "test/unit/web/charts.test.ts",
      test: "has two to four values for any line",
    },
    {
      rule: "flows: heights by value, small chains as others",
      views: ["Overview", "Treasury"],
      file: "test/unit/web/charts.test.ts",
      test: "of many chains show the smallest as others",
    },
    {
      rule: "fans on one axis, the verdict above, a table beside, the SVG of the command",
      views: ["Simulate"],
      file: MAIN,
      test: "simulates a change of a rule",
    },
  ],
  States: [
    { rule: "loading, empty, not live", views: ALL, file: STATES, test: "each view is loading" },
    {
      rule: "a stale source: its rows, their age, cause and rules",
      views: ["Overview"],
      file: FIGURES,
      test: "a source that is stale",
    },
    {
      rule: "paused: by whom, since when, Resume at its end",
      views: ["Overview", "Orders"],
      file: FIGURES,
      test: "has its note and the way back",
    },
    {
      rule: "one cause of many orders is one line",
      views: ["Overview", "Settings, Alarms"],
      file: FIGURES,
      test: "is one line with its count",
    },
    {
      rule: "a loss: its value, and Pause first",
      views: ["Overview"],
      file: FIGURES,
      test: "while it is not paused, the loss has its value",
    },
    {
      rule: "no price: since when, and left out of the total",
      views: ["Overview"],
      file: FIGURES,
      test: "an asset without one since when",
    },
    {
      rule: "find or do, and the list of keys",
      views: ["Overview"],
      file: FIGURES,
      test: "find or do, and the list of keys",
    },
  ],
}
