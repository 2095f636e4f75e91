/**
 * The field tables of the service interface §2 and §4, as data: the fields of each body, with type
 * and form.
 *
 * `late` marks fields of newer deployments (field notes, dialect 2026); all others are in the
 * document.
 */
export type Field = {
  readonly type: "string" | "integer" | "number" | "object" | "array" | "null"
  readonly orNull?: true
  /** Null in newer deployments only. */
  readonly lateNull?: true
  readonly optional?: true
  readonly late?: true
  readonly form?: Form
  /** Of an object, or of the elements of an array. */
  readonly of?: Table
}
export type Table = Readonly<Record<string, Field>>
export type Form = keyof typeof FORMS

export const FORMS = {
  decimal: /^(0|[1-9]\d*)$/,
  fraction: /^\d+(\.\d+)?$/,
  hex: /^[0-9a-f]+$/,
  hex0x: /^0x[0-9a-f]+$/,
  bytes0x: /^0x([0-9a-f]{2})*$/,
  hash32: /^[0-9a-f]{64}$/,
  hash32x: /^0x[0-9a-f]{64}$/,
  evmAddress: /^0x[0-9a-fA-F]{40}$/,
  asset: /^[a-z_]+:[a-z]+$/,
  chain: /^[a-z_]+$/,
  iso: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d+Z$/,
  text: /./,
  anything: /^/,
  version: /^v[123]$/,
  initiate: /^Initiate$/,
} as const

const text = (form: Form): Field => ({ type: "string", form })
const object = (of: Table): Field => ({ type: "object", of })
const list = (of: Table): Field => ({ type: "array", of })
const optional = (field: Field): Field => ({ ...field, optional: true })
const orNull = (field: Field): Field => ({ ...field, orNull: true })
const lateNull = (field: Field): Field => ({ ...field, lateNull: true })
const late = (field: Field): Field => ({ ...field, late: true, optional: true })
const INTEGER: Field = { type: "integer" }

const QUOTE_SIDE: Table = {
  asset: text("asset"),
  amount: text("decimal"),
  display: text("fraction"),
  value: text("fraction"),
}

export const QUOTE: Table = {
  source: object(QUOTE_SIDE),
  destination: object(QUOTE_SIDE),
  solver_id: text("hex"),
  estimated_time: late(INTEGER),
  fee: late(INTEGER),
  fixed_fee: late(text("fraction")),
  slippage: late(INTEGER),
}

const CREATE_SIDE: Table = { asset: text("asset"), owner: text("text"), amount: text("decimal") }
const AFFILIATE_ENTRY: Table = { asset: text("asset"), address: text("text"), fee: INTEGER }

export const CREATE_REQUEST: Table = {
  source: object({ ...CREATE_SIDE, delegate: late(text("hash32")) }),
  destination: object(CREATE_SIDE),
  affiliate_fees: optional(list(AFFILIATE_ENTRY)),
  solver_id: late(text("text")),
  nonce: late(INTEGER),
}

const TYPE_ENTRY: Table = { name: text("text"), type: text("text") }

const EVM_CALL: Table = {
  to: text("evmAddress"),
  value: text("hex0x"),
  data: text("hex0x"),
  gas_limit: text("hex0x"),
  chain_id: INTEGER,
}

const EVM_TYPED_DATA: Table = {
  domain: object({
    name: text("text"),
    version: text("text"),
    chainId: text("hex0x"),
    verifyingContract: text("evmAddress"),
  }),
  primaryType: text("initiate"),
  types: object({ EIP712Domain: list(TYPE_ENTRY), Initiate: list(TYPE_ENTRY) }),
  message: object({
    redeemer: text("evmAddress"),
    timelock: text("hex0x"),
    amount: text("hex0x"),
    secretHash: text("hash32x"),
    destinationData: late(text("bytes0x")),
  }),
}

const STARKNET_CALL: Table = {
  calldata: { type: "array", form: "hex0x" },
  selector: text("hex0x"),
  to: text("hex0x"),
}

const STARKNET_TYPED_DATA: Table = {
  domain: object({
    chainId: text("text"),
    name: text("text"),
    revision: text("text"),
    version: text("text"),
  }),
  primaryType: text("initiate"),
  types: object({ Initiate: list(TYPE_ENTRY), StarknetDomain: list(TYPE_ENTRY) }),
  message: object({
    redeemer: text("decimal"),
    amount: object({ high: text("hex0x"), low: text("hex0x") }),
    timelock: text("decimal"),
    secretHash: { type: "array", form: "decimal" },
  }),
}

export type Dialect = "contract" | "2026"
export type CreatedKind = "bitcoin" | "evm token" | "evm native" | "solana" | "starknet"

const ORDER_ID = { order_id: text("hex") }

/**
 * Part 2, "Order create response". A native EVM asset has no typed data: see the sandbox's
 * `evm-swap.ts`.
 */
export const CREATED: Readonly<Record<Dialect, Readonly<Record<CreatedKind, Table>>>> = {
  contract: {
    bitcoin: { ...ORDER_ID, to: text("text"), amount: text("decimal") },
    "evm token": { ...ORDER_ID, transaction: object(EVM_CALL), typed_data: object(EVM_TYPED_DATA) },
    "evm native": { ...ORDER_ID, transaction: object(EVM_CALL), typed_data: { type: "null" } },
    solana: { ...ORDER_ID, versioned_tx: text("hex") },
    starknet: {
      ...ORDER_ID,
      typed_data: object(STARKNET_TYPED_DATA),
      transaction: object(STARKNET_CALL),
    },
  },
  "2026": {
    bitcoin: { ...ORDER_ID, to: text("text"), amount: text("decimal") },
    "evm token": {
      ...ORDER_ID,
      initiate_transaction: object(EVM_CALL),
      approval_transaction: object(EVM_CALL),
      typed_data: object(EVM_TYPED_DATA),
    },
    "evm native": {
      ...ORDER_ID,
      initiate_transaction: object(EVM_CALL),
      approval_transaction: { type: "null" },
      typed_data: { type: "null" },
    },
    solana: { ...ORDER_ID, versioned_tx: text("text"), versioned_tx_gasless: { type: "null" } },
    starknet: {
      ...ORDER_ID,
      initiate_transaction: object(STARKNET_CALL),
      approval_transaction: object(STARKNET_CALL),
      typed_data: object(STARKNET_TYPED_DATA),
    },
  },
}

const SWAP: Table = {
  created_at: text("iso"),
  updated_at: late(text("iso")),
  deleted_at: late({ type: "null" }),
  swap_id: text("text"),
  chain: text("chain"),
  asset: text("asset"),
  initiator: text("text"),
  redeemer: text("text"),
  timelock: INTEGER,
  filled_amount: text("decimal"),
  asset_price: { type: "number" },
  amount: text("decimal"),
  secret_hash: text("hash32"),
  secret: text("anything"),
  initiate_tx_hash: text("anything"),
  redeem_tx_hash: text("anything"),
  refund_tx_hash: text("anything"),
  initiate_block_number: lateNull(text("decimal")),
  redeem_block_number: lateNull(text("decimal")),
  refund_block_number: lateNull(text("decimal")),
  required_confirmations: INTEGER,
  current_confirmations: INTEGER,
  initiate_timestamp: orNull(text("iso")),
  redeem_timestamp: orNull(text("iso")),
  refund_timestamp: orNull(text("iso")),
}

/** "Present on Bitcoin swaps only": then both are there. */
const BITCOIN_SWAP: Table = { ...SWAP, delegate: text("hex"), instant_refund_tx: text("anything") }

export function orderTable(source: string, destination: string): Table {
  const swap = (asset: string): Field => object(asset.startsWith("bitcoin") ? BITCOIN_SWAP : SWAP)
  return {
    created_at: text("iso"),
    source_swap: swap(source),
    destination_swap: swap(destination),
    nonce: text("decimal"),
    order_id: text("hex"),
    // "Element fields of the stored record: not shown."
    affiliate_fees: { type: "array" },
    integrator: optional(text("text")),
    version: text("version"),
    slippage: late(INTEGER),
    deadline: late(INTEGER),
  }
}

/** The listing is the field notes', in both dialects. */
export const LIST: Table = {
  data: { type: "array" },
  page: INTEGER,
  per_page: INTEGER,
  total_pages: INTEGER,
  total_items: INTEGER,
}

export const ERROR_BODY: Table = { status: text("text"), error: text("text") }
export const SIGNATURE_BODY: Table = { signature: text("text") }

/**
 * Returns each difference from the table as a line; none when all is right. Without `allowLate`, a
 * field of newer deployments is a difference.
 */
export function findDifferences(
  table: Table,
  value: unknown,
  allowLate: boolean,
  path = "",
): string[] {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return [`${path || "body"}: no object`]
  const found = Object.entries(value)
  const known = new Map(found)
  const extra = found.filter(([name]) => !table[name] || (table[name].late && !allowLate))
  const missing = Object.entries(table).filter(
    ([name, field]) => !field.optional && !known.has(name),
  )
  return [
    ...extra.map(([name]) => `${path}${name}: not in the table`),
    ...missing.map(([name]) => `${path}${name}: missing`),
    ...found.flatMap(([name, item]) => {
      const field = table[name]
      return field ? checkField(field, item, allowLate, `${path}${name}`) : []
    }),
  ]
}

function checkField(field: Field, value: unknown, allowLate: boolean, path: string): string[] {
  if (value === null)
    return field.orNull || field.type === "null" || (field.lateNull && allowLate)
      ? []
      : [`${path}: null`]
  switch (field.type) {
    case "null":
      return [`${path}: not null`]
    case "string":
      return typeof value === "string" && matches(field, value)
        ? []
        : [`${path}: ${JSON.stringify(value)}`]
    case "integer":
      return Number.isSafeInteger(value) ? [] : [`${path}: ${JSON.stringify(value)} is no integer`]
    case "number":
      return typeof value === "number" ? [] : [`${path}: ${JSON.stringify(value)} is no number`]
    case "object":
      return findDifferences(field.of ?? {}, value, allowLate, `${path}.`)
    case "array":
      if (!Array.isArray(value)) return [`${path}: no list`]
      return value.flatMap((item: unknown, index) => {
        if (field.of) return findDifferences(field.of, item, allowLate, `${path}[${index}].`)
        return field.form === undefined || matches(field, String(item))
          ? []
          : [`${path}[${index}]: ${String(item)}`]
      })
  }
}

function matches({ form }: Field, value: string): boolean {
  return form === undefined || FORMS[form].test(value)
}
