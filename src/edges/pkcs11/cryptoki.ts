import { createRequire } from "node:module"
import type * as Koffi from "koffi"
import { AppError } from "#lib/app-error.ts"
import { findForeign } from "#lib/foreign-file.ts"

/**
 * The calls of a token's library that signing needs, by PKCS#11 2.40. Every call is synchronous.
 * Each throws `CryptokiFailure` for an answer other than CKR_OK. Names, numbers and structures are
 * those of the standard, for systems where CK_ULONG has 8 bytes and structures are not packed:
 * 64-bit Linux and macOS.
 */
export type Cryptoki = {
  initialize(): void
  listSlots(): readonly number[]
  readToken(slot: number): TokenInfo
  openSession(slot: number): number
  closeSession(session: number): void
  /** `null` lets the token ask on a keypad of its own. */
  login(session: number, pin: string | null): void
  /** At most `MAX_FOUND` handles. */
  findObjects(session: number, template: readonly Attribute[]): readonly number[]
  readAttribute(session: number, object: number, type: number): Buffer
  sign(session: number, key: number, mechanism: number, content: Uint8Array): Buffer
}

export type Attribute = { readonly type: number; readonly value: Buffer }

/** The texts are without the padding of the structure. */
export type TokenInfo = {
  readonly token: string
  readonly manufacturer: string
  readonly model: string
  readonly serial: string
  readonly flags: number
}

export class CryptokiFailure extends Error {
  readonly call: string
  readonly answer: number

  constructor(call: string, answer: number) {
    super(`${call} answered 0x${answer.toString(16)}`)
    this.call = call
    this.answer = answer
  }
}

export const CKR = {
  slotIdInvalid: 0x03,
  pinIncorrect: 0xa0,
  pinInvalid: 0xa1,
  pinLength: 0xa2,
  pinExpired: 0xa3,
  pinLocked: 0xa4,
  tokenNotPresent: 0xe0,
  tokenNotRecognised: 0xe1,
  alreadyLoggedIn: 0x100,
  pinNotInitialised: 0x102,
  alreadyInitialised: 0x191,
} as const

const MAX_FOUND = 8
const CKF_SERIAL_SESSION = 4
const CKU_USER = 1

const loaded = new Map<string, Cryptoki>()
/** koffi unloads a library when its handle is collected, and a call would then end the process. */
const handles: unknown[] = []

/**
 * Loads a token's library once in this process. Throws `pkcs11.binding_missing`,
 * `pkcs11.module_missing` and `pkcs11.module_open` (fatal).
 */
export function loadCryptoki(modulePath: string): Cryptoki {
  const known = loaded.get(modulePath)
  if (known !== undefined) return known
  refuseForeign(modulePath)
  const module = bind(loadKoffi(), modulePath)
  loaded.set(modulePath, module)
  return module
}

/** The library runs in the process of the keys. */
function refuseForeign(modulePath: string): void {
  const foreign = findForeign(modulePath, `the PKCS#11 library ${modulePath}`)
  if (foreign === null) return
  const message = `${foreign.found}: ${foreign.todo}`
  throw new AppError({ code: "pkcs11.module_open", disposition: "fatal", message })
}

/** Only a configuration with a token loads the optional package. */
function loadKoffi(): typeof Koffi {
  try {
    return createRequire(import.meta.url)("koffi") as typeof Koffi // CAST: the package's own type.
  } catch (cause) {
    const message =
      "the optional package koffi is missing or does not run here; install Ballast with its " +
      "optional packages"
    throw new AppError({ code: "pkcs11.binding_missing", disposition: "fatal", message, cause })
  }
}

/**
 * The places of the functions in CK_FUNCTION_LIST, which every library offers; it need not export
 * them by name.
 */
const PLACES = {
  C_Initialize: 0,
  C_GetSlotList: 4,
  C_GetTokenInfo: 6,
  C_OpenSession: 12,
  C_CloseSession: 13,
  C_Login: 18,
  C_GetAttributeValue: 24,
  C_FindObjectsInit: 26,
  C_FindObjects: 27,
  C_FindObjectsFinal: 28,
  C_SignInit: 42,
  C_Sign: 43,
} as const
/** CK_VERSION and its padding stand before the first function. */
const LIST_HEAD = 8
const POINTER_BYTES = 8

type Calls = { readonly [name in keyof typeof PLACES]: (...values: unknown[]) => void }

function bind(koffi: typeof Koffi, modulePath: string): Cryptoki {
  const calls = readFunctionList(koffi, modulePath)
  return {
    initialize: () => tolerate(CKR.alreadyInitialised, () => calls.C_Initialize(null)),
    listSlots: () => {
      const count = [0]
      calls.C_GetSlotList(1, null, count)
      const slots = new Array<number>(Number(count[0])).fill(0)
      calls.C_GetSlotList(1, slots, count)
      return slots.slice(0, Number(count[0])).map(Number)
    },
    readToken: (slot) => {
      const info = Buffer.alloc(TOKEN_INFO_BYTES)
      calls.C_GetTokenInfo(slot, info)
      return decodeTokenInfo(info)
    },
    openSession: (slot) => {
      const session = [0]
      calls.C_OpenSession(slot, CKF_SERIAL_SESSION, null, null, session)
      return Number(session[0])
    },
    closeSession: (session) => calls.C_CloseSession(session),
    login: (session, pin) => {
      const bytes = pin === null ? null : Buffer.from(pin, "utf8")
      tolerate(CKR.alreadyLoggedIn, () =>
        calls.C_Login(session, CKU_USER, bytes, bytes?.length ?? 0),
      )
    },
    findObjects: (session, template) => {
      const handles = new Array<number>(MAX_FOUND).fill(0)
      const count = [0]
      calls.C_FindObjectsInit(session, template.map(toAttribute), template.length)
      calls.C_FindObjects(session, handles, MAX_FOUND, count)
      calls.C_FindObjectsFinal(session)
      return handles.slice(0, Number(count[0])).map(Number)
    },
    readAttribute: (session, object, type) => {
      const value = Buffer.alloc(MAX_ATTRIBUTE_BYTES)
      const template = [toAttribute({ type, value })]
      calls.C_GetAttributeValue(session, object, template, 1)
      return value.subarray(0, Number(template[0]?.ulValueLen))
    },
    sign: (session, key, mechanism, content) => {
      const signature = Buffer.alloc(MAX_ATTRIBUTE_BYTES)
      const length = [MAX_ATTRIBUTE_BYTES]
      calls.C_SignInit(session, { mechanism, pParameter: null, ulParameterLen: 0 }, key)
      calls.C_Sign(session, content, content.length, signature, length)
      return signature.subarray(0, Number(length[0]))
    },
  }
}

/** Larger than any public key or signature of a curve. */
const MAX_ATTRIBUTE_BYTES = 512

function toAttribute({ type, value }: Attribute): {
  type: number
  pValue: Buffer
  ulValueLen: number
} {
  return { type, pValue: value, ulValueLen: value.length }
}

function tolerate(answer: number, call: () => void): void {
  try {
    call()
  } catch (error) {
    if (!(error instanceof CryptokiFailure) || error.answer !== answer) throw error
  }
}

function readFunctionList(koffi: typeof Koffi, modulePath: string): Calls {
  const list = [null]
  try {
    const library = koffi.load(modulePath)
    handles.push(library)
    const find = library.func("ulong C_GetFunctionList(_Out_ void **list)")
    if (find(list) !== 0 || list[0] === null) throw new Error("it gives no function list")
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : "unknown error"
    const refused = `${modulePath} cannot be loaded as a PKCS#11 library (${problem})`
    const message = `${refused}; correct module-path`
    throw new AppError({
      code: "pkcs11.module_missing",
      disposition: "fatal",
      message,
      details: { modulePath },
      cause,
    })
  }
  const types = listArguments(koffi)
  const entries = Object.entries(PLACES).map(([name, place]) => {
    const pointer = koffi.decode(list[0], LIST_HEAD + POINTER_BYTES * place, "void *")
    // CAST: the keys of both tables are the same.
    const call = koffi.decode(pointer, koffi.proto("ulong", types[name as keyof typeof PLACES]))
    return [
      name,
      (...values: unknown[]) => {
        const answer = Number(call(...values))
        if (answer !== 0) throw new CryptokiFailure(name, answer)
      },
    ]
  })
  // CAST: one entry for each key of the table.
  return Object.fromEntries(entries) as Calls
}

function listArguments(
  koffi: typeof Koffi,
): Readonly<
  Record<keyof typeof PLACES, (string | Koffi.TypeObject | ReturnType<typeof Koffi.out>)[]>
> {
  const attribute = koffi.struct({ type: "ulong", pValue: "void *", ulValueLen: "ulong" })
  const mechanism = koffi.struct({
    mechanism: "ulong",
    pParameter: "void *",
    ulParameterLen: "ulong",
  })
  const ulongs = koffi.out(koffi.pointer("ulong"))
  const count = koffi.inout(koffi.pointer("ulong"))
  const bytes = "void *"
  return {
    C_Initialize: [bytes],
    C_GetSlotList: ["uint8", ulongs, count],
    C_GetTokenInfo: ["ulong", bytes],
    C_OpenSession: ["ulong", "ulong", bytes, bytes, ulongs],
    C_CloseSession: ["ulong"],
    C_Login: ["ulong", "ulong", bytes, "ulong"],
    C_GetAttributeValue: ["ulong", "ulong", koffi.inout(koffi.pointer(attribute)), "ulong"],
    C_FindObjectsInit: ["ulong", koffi.pointer(attribute), "ulong"],
    C_FindObjects: ["ulong", ulongs, "ulong", ulongs],
    C_FindObjectsFinal: ["ulong"],
    C_SignInit: ["ulong", koffi.pointer(mechanism), "ulong"],
    C_Sign: ["ulong", bytes, "ulong", bytes, count],
  }
}

/** CK_TOKEN_INFO: four texts, the flags, ten numbers, two versions and a time. */
const TOKEN_INFO_BYTES = 208

function decodeTokenInfo(info: Buffer): TokenInfo {
  const text = (from: number, length: number): string =>
    info.toString("utf8", from, from + length).replace(/[ \0]+$/, "")
  return {
    token: text(0, 32),
    manufacturer: text(32, 32),
    model: text(64, 16),
    serial: text(80, 16),
    flags: Number(info.readBigUInt64LE(96)),
  }
}
