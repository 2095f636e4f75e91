/**
 * The wire classes of the published client of live deployments, with the part of their types that
 * our tests use: the types of the packages name their own files without extension, which this
 * project's module resolution does not find.
 */
const load = (name: string): Promise<unknown> => import(name)

// CAST: the exports of @gardenfi/orderbook 3.1.1, @gardenfi/utils 3.1.1 and @gardenfi/core 3.1.1
// that the type lists.
const modules = (await Promise.all([
  load("@gardenfi/orderbook"),
  load("@gardenfi/utils"),
  load("@gardenfi/core"),
])) as unknown as [OrderbookModule, UtilsModule, CoreModule]

export const [publishedOrderbook, publishedUtils, publishedCore] = modules

/** The package's `Result`: `val` when `ok`, `error` otherwise. */
export type PublishedResult<T> = { readonly ok: boolean; readonly val: T; readonly error: string }

// biome-ignore lint/suspicious/noExplicitAny: the published client's answers are read field by field in tests
export type PublishedAnswer = any

export type PublishedAuth = { getAuthHeaders(): Promise<PublishedResult<Record<string, string>>> }

type Constructor<Arguments extends unknown[], Instance> = new (...input: Arguments) => Instance

type OrderbookModule = {
  readonly Assets: Readonly<Record<string, Readonly<Record<string, { readonly id?: string }>>>>
  readonly ChainAsset: { from(asset: unknown): PublishedAnswer }
  readonly RouteValidator: Constructor<
    [url: string, auth: PublishedAuth],
    { isValidRoute(from: unknown, to: unknown): Promise<boolean> }
  >
  readonly AssetManager: Constructor<[urls: { baseUrl: string }, apiKey: string], PublishedAnswer>
  readonly Orderbook: Constructor<[url: unknown, auth: PublishedAuth], PublishedOrderbook>
  readonly ParseOrderStatus: (order: unknown) => string
}

export type PublishedOrderbook = {
  createOrder(order: unknown): Promise<PublishedResult<PublishedAnswer>>
  getOrder(id: string, request?: object): Promise<PublishedResult<PublishedAnswer>>
  getOrders(query: object): Promise<PublishedResult<PublishedAnswer>>
}

type UtilsModule = {
  readonly ApiKey: Constructor<[key: string], PublishedAuth>
  readonly Url: Constructor<[url: string], unknown>
  readonly Fetcher: Record<
    "get" | "post" | "patch",
    (url: unknown, init?: object) => Promise<PublishedAnswer>
  >
}

type CoreModule = {
  readonly Quote: Constructor<
    [url: string, auth: PublishedAuth],
    {
      getQuote(
        from: unknown,
        to: unknown,
        amount: number,
        exactOut?: boolean,
        options?: object,
      ): Promise<PublishedResult<PublishedAnswer>>
    }
  >
}
