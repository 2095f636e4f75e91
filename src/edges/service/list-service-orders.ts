import type { ServiceOrder } from "#domain/leg.ts"
import { describePage } from "#nodes/describe-page.ts"
import type { WantedOrders } from "#ports/service.ts"
import type { Exchange } from "./http.ts"
import { parseBody, resultOf } from "./read-result.ts"
import type { Operation } from "./service-error.ts"
import { parseOrder } from "./to-domain.ts"
import { isOwnError, wireList } from "./wire.ts"

type Page = {
  readonly data: readonly unknown[]
  readonly pages: number
  readonly total: number | null
}
type Query = Readonly<Record<string, string>>
type ReadPage = (query: Query) => Promise<Page | null>

/** Some services give ten orders a page, whatever is asked for. */
const PER_PAGE = 100

/** More are no list of one wallet: a service that never ends must not fill the memory. */
const MOST_ORDERS = 2_000_000

/** The statuses of the live service, in two halves (field notes). */
const SETTLED = "completed,refunded"
const UNSETTLED = "not-initiated,in-progress,expired"

/**
 * The orders of one depositor, newest first. A list may have thousands of pages, so settled orders
 * are handed over page by page where the caller takes them; where the service's filters are proven
 * to work they come last, and no more than wanted are asked for.
 *
 * `null` when an element is unreadable or the list does not end: from an incomplete list a caller
 * would conclude that an order does not exist.
 */
export async function listServiceOrders(
  readPage: ReadPage,
  sourceOwner: string,
  wanted?: WantedOrders,
): Promise<readonly ServiceOrder[] | null> {
  const all = { from_owner: sourceOwner }
  const kept = createKept(wanted)
  if (wanted === undefined || !(await canFilter(readPage, all)))
    return (await readAll(readPage, all, kept)) ? kept.list() : null
  const halves = [
    await readAll(readPage, { ...all, status: UNSETTLED }, kept),
    await readAll(readPage, { ...all, status: SETTLED }, kept, kept.hasEnough),
  ]
  return halves.includes(false) ? null : kept.list()
}

/**
 * Whether the service filters by status: the two halves have as many orders as the whole. An
 * unknown status may give an empty list, and an ignored one gives all.
 */
async function canFilter(readPage: ReadPage, all: Query): Promise<boolean> {
  const count = async (more: Query): Promise<number | null> =>
    (await readPage({ ...all, ...more, page: "1", per_page: "1" }))?.total ?? null
  try {
    const whole = await count({})
    if (whole === null || whole <= PER_PAGE) return false
    const unsettled = await count({ status: UNSETTLED })
    const settled = await count({ status: SETTLED })
    return unsettled !== null && settled !== null && settled > 0 && unsettled + settled === whole
  } catch {
    // The service refuses the filter; the list without it tells what is wrong, if anything is.
    return false
  }
}

/** Reads the pages in turn; `false` for an incomplete list. */
async function readAll(
  readPage: ReadPage,
  query: Query,
  kept: Kept,
  isEnough = (): boolean => false,
): Promise<boolean> {
  let seen = 0
  for (let page = 1; ; page++) {
    const list = await readPage({ ...query, page: String(page), per_page: String(PER_PAGE) })
    if (list === null) return false
    let fresh = 0
    for (const item of list.data) {
      const order = parseOrder(item)
      if (!order.ok) return false
      if (kept.take(order.value, createdAtOf(item))) fresh++
    }
    await kept.handOver()
    seen += list.data.length
    if (isEnough() && list.total !== null) {
      kept.leaveOut(list.total - seen)
      return true
    }
    if (page >= list.pages) return true
    // The same orders again: the service ignores the page, and the rest stays unseen.
    if (fresh === 0 || kept.size() > MOST_ORDERS) return false
  }
}

type Kept = ReturnType<typeof createKept>

function createKept(wanted: WantedOrders | undefined) {
  const ids = new Set<string>()
  const orders: { readonly order: ServiceOrder; readonly createdAt: string }[] = []
  let settled: ServiceOrder[] = []
  let isOpen = true
  let leftOut = 0
  return {
    /** `false` for an order that was there before: while pages are read, new orders move them. */
    take: (order: ServiceOrder, createdAt: string): boolean => {
      if (ids.has(order.orderId)) return false
      ids.add(order.orderId)
      if (isSettled(order) && wanted !== undefined) settled.push(order)
      else orders.push({ order, createdAt })
      return true
    },
    /** At the end of a page. */
    handOver: async (): Promise<void> => {
      const page = settled
      settled = []
      if (isOpen && wanted !== undefined && page.length > 0) isOpen = await wanted.onSettled(page)
      else leftOut += page.length
    },
    leaveOut: (count: number): void => {
      leftOut += count
    },
    hasEnough: (): boolean => !isOpen,
    size: (): number => ids.size,
    list: (): readonly ServiceOrder[] => {
      wanted?.onLeftOut(leftOut)
      return orders
        .sort((a, b) => (a.createdAt < b.createdAt ? 1 : a.createdAt > b.createdAt ? -1 : 0))
        .map(({ order }) => order)
    },
  }
}

function isSettled({ source, destination }: ServiceOrder): boolean {
  return source.refundTx !== null || destination.redeemTx !== null
}

/** One page; `onFault` is called for an answer without a listing that is not the service's own. */
export async function fetchPage(
  exchange: Exchange,
  query: Query,
  onFault: (fault: string) => void,
): Promise<Page | null> {
  const operation: Operation = { what: "list orders", write: false }
  const answer = await exchange({ operation, method: "GET", path: "/orders", query })
  if ([404, 405, 501].includes(answer.status)) {
    const page = describePage(answer.text, answer.show)
    const said = page === null ? "" : ` (${page})`
    if (!isOwnError(parseBody(answer.text))) onFault(`HTTP ${answer.status}${said}`)
    return null
  }
  return wireList.safeParse(resultOf(answer, operation)).data ?? null
}

function createdAtOf(item: unknown): string {
  const fields =
    typeof item === "object" && item !== null && "created_at" in item ? item.created_at : null
  return typeof fields === "string" ? fields : ""
}
