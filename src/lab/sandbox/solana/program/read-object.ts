import { AppError } from "#lib/app-error.ts"
import { mustExist } from "#lib/assert.ts"

/**
 * Reads the parts of a 64-bit little-endian ELF relocatable object (`clang --target=bpfel -c`) that
 * the linker needs.
 *
 * The field offsets are those of the ELF-64 object file format. Throws `sandbox.link` (fatal) for
 * any other file.
 */
export function readObject(bytes: Uint8Array): ElfObject {
  const elf = Buffer.from(bytes)
  if (elf.length < 64 || elf.readUInt32BE(0) !== 0x7f454c46 || elf.readUInt16LE(16) !== ET_REL) {
    throw linkError("the input is not a relocatable ELF object")
  }
  const headers = readHeaders(elf)
  const nameTable = mustExist(headers[elf.readUInt16LE(62)], "section name table")
  const sections = headers.map((header) => ({
    ...header,
    name: textAt(nameTable.data, header.nameAt),
  }))
  const symbolTable = sections.find((section) => section.type === SHT_SYMTAB)
  const text = sections.find((section) => section.name === ".text")
  if (!symbolTable || !text) throw linkError("the object has no code or no symbols")
  const symbols = readSymbols(
    symbolTable.data,
    mustExist(sections[symbolTable.link], "symbol names").data,
  )
  const relocations = sections
    .filter((section) => section.type === SHT_REL && section.info === text.index)
    .flatMap((section) => readRelocations(section.data, symbols))
  return { sections, text, symbols, relocations }
}

export type ElfObject = {
  readonly sections: readonly ElfSection[]
  readonly text: ElfSection
  readonly symbols: readonly ElfSymbol[]
  /** The relocations of `.text`. */
  readonly relocations: readonly Relocation[]
}

export type ElfSection = {
  readonly index: number
  readonly name: string
  readonly type: number
  readonly flags: number
  readonly data: Buffer
  readonly link: number
  readonly info: number
  readonly align: number
}

type ElfSymbol = { readonly name: string; readonly section: number; readonly value: number }

type Relocation = { readonly offset: number; readonly type: number; readonly symbol: ElfSymbol }

export function linkError(message: string): AppError {
  return new AppError({ code: "sandbox.link", disposition: "fatal", message })
}

const ET_REL = 1
const SHT_SYMTAB = 2
const SHT_REL = 9
const SECTION_HEADER_BYTES = 64
const SYMBOL_BYTES = 24
const RELOCATION_BYTES = 16

function readHeaders(
  elf: Buffer,
): readonly (Omit<ElfSection, "name"> & { readonly nameAt: number })[] {
  const start = u64(elf, 40)
  return Array.from({ length: elf.readUInt16LE(60) }, (_, index) => {
    const at = start + index * SECTION_HEADER_BYTES
    const offset = u64(elf, at + 24)
    return {
      index,
      nameAt: elf.readUInt32LE(at),
      type: elf.readUInt32LE(at + 4),
      flags: u64(elf, at + 8),
      data: elf.subarray(offset, offset + u64(elf, at + 32)),
      link: elf.readUInt32LE(at + 40),
      info: elf.readUInt32LE(at + 44),
      align: Math.max(1, u64(elf, at + 48)),
    }
  })
}

function readSymbols(table: Buffer, names: Buffer): ElfSymbol[] {
  return Array.from({ length: table.length / SYMBOL_BYTES }, (_, index) => {
    const at = index * SYMBOL_BYTES
    return {
      name: textAt(names, table.readUInt32LE(at)),
      section: table.readUInt16LE(at + 6),
      value: u64(table, at + 8),
    }
  })
}

function readRelocations(table: Buffer, symbols: readonly ElfSymbol[]): Relocation[] {
  return Array.from({ length: table.length / RELOCATION_BYTES }, (_, index) => {
    const at = index * RELOCATION_BYTES
    const symbol = mustExist(symbols[table.readUInt32LE(at + 12)], "relocation symbol")
    return { offset: u64(table, at), type: table.readUInt32LE(at + 8), symbol }
  })
}

function textAt(table: Buffer, start: number): string {
  return table.toString("latin1", start, table.indexOf(0, start))
}

/** A double holds every offset and size of a file exactly. */
function u64(bytes: Buffer, at: number): number {
  return Number(bytes.readBigUInt64LE(at))
}
