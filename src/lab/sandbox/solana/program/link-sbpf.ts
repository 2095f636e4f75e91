import { type ElfObject, type ElfSection, linkError, readObject } from "./read-object.ts"

/**
 * Links a relocatable object of stock clang (`--target=bpfel -mcpu=v1`) into a program that the
 * Solana VM loads: an sBPF v0 shared object (ELF64, ET_DYN, EM_BPF), as the public loader
 * `solana-sbpf` reads it.
 *
 * This linker is written by hand because stock linkers cannot write the format and the vendor's
 * tool chain is a large download. It supports only the features that the HTLC program uses:
 * - one function, `entrypoint`, with all other functions inlined
 * - constants in `.rodata*` with absolute addresses: the VM maps file offset `n` at 0x1_0000_0000 +
 *   n
 * - calls of undefined `sol_*` symbols as dynamic relocations, which the loader resolves to
 *   syscalls
 *
 * Throws `sandbox.link` (fatal) for every other feature, so that it never writes a wrong program.
 */
export function linkSbpf(object: Uint8Array): Buffer {
  const elf = readObject(object)
  const constants = placeConstants(elf)
  const { code, calls } = relocate(elf, constants)
  const entry = elf.symbols.find(
    (symbol) => symbol.name === "entrypoint" && symbol.section === elf.text.index,
  )
  if (!entry) throw linkError("the object defines no function named entrypoint")
  return writeShared({ code, entry: TEXT_AT + entry.value, constants, calls })
}

type Placed = { readonly section: ElfSection; readonly at: number }
type Call = { readonly offset: number; readonly name: string }
type Program = { code: Buffer; entry: number; constants: readonly Placed[]; calls: readonly Call[] }

const ELF_HEADER_BYTES = 64
const PROGRAM_HEADER_BYTES = 56
const SECTION_HEADER_BYTES = 64
const PROGRAM_HEADERS = 4
const TEXT_AT = ELF_HEADER_BYTES + PROGRAM_HEADERS * PROGRAM_HEADER_BYTES
const SHF_WRITE_ALLOC = 3
/** R_BPF_64_64: a 64-bit constant load. R_BPF_64_32: a call. */
const RELOCATION = { load: 1, call: 10 } as const

function placeConstants(elf: ElfObject): readonly Placed[] {
  const writable = elf.sections.find(
    (section) => (section.flags & SHF_WRITE_ALLOC) === SHF_WRITE_ALLOC && section.data.length > 0,
  )
  if (writable) throw linkError(`programs have no writable data, but ${writable.name} is not empty`)
  let at = align(TEXT_AT + elf.text.data.length, 16)
  return elf.sections
    .filter((section) => section.name.startsWith(".rodata") && section.data.length > 0)
    .map((section) => {
      const start = align(at, section.align)
      at = start + section.data.length
      return { section, at: start }
    })
}

function relocate(
  elf: ElfObject,
  constants: readonly Placed[],
): { code: Buffer; calls: readonly Call[] } {
  const code = Buffer.from(elf.text.data)
  const calls: Call[] = []
  for (const { offset, type, symbol } of elf.relocations) {
    if (type === RELOCATION.load) {
      const target = constants.find((placed) => placed.section.index === symbol.section)
      if (!target)
        throw linkError(`the load at ${offset} refers to something other than a constant`)
      // A load spans two slots: the first has the low half of the address, the second the high half
      // (1, the read-only region).
      code.writeUInt32LE(target.at + symbol.value + code.readInt32LE(offset + 4), offset + 4)
      code.writeUInt32LE(1, offset + 12)
    } else if (type === RELOCATION.call && symbol.section === 0 && symbol.name.startsWith("sol_")) {
      code.writeInt32LE(-1, offset + 4)
      calls.push({ offset: TEXT_AT + offset, name: symbol.name })
    } else {
      throw linkError(
        `the relocation at ${offset} (type ${type}, ${symbol.name}) is neither a constant ` +
          "nor a syscall",
      )
    }
  }
  return { code, calls }
}

function writeShared(program: Program): Buffer {
  const tables = buildTables(program)
  const { names, symbols, relocations, sectionNames } = tables
  const places = placeTables(program, tables)
  const { rodataAt, rodataEnd, dynamicAt, sectionNamesAt, headersAt } = places
  const dynamic = dynamicTable({ ...places, relocations, names: names.bytes })
  const sections = listSections(program, tables, places, dynamic)
  const out = Buffer.alloc(headersAt + SECTION_HEADER_BYTES * (sections.length + 1))
  writeElfHeader(out, program.entry, headersAt, sections.length + 1)
  writeSegment(out, 0, { type: 1, flags: 5, at: TEXT_AT, size: program.code.length })
  writeSegment(out, 1, { type: 1, flags: 4, at: rodataAt, size: rodataEnd - rodataAt })
  writeSegment(out, 2, { type: 1, flags: 4, at: dynamicAt, size: sectionNamesAt - dynamicAt })
  writeSegment(out, 3, { type: 2, flags: 6, at: dynamicAt, size: dynamic.length })
  program.code.copy(out, TEXT_AT)
  for (const { section, at } of program.constants) section.data.copy(out, at)
  dynamic.copy(out, dynamicAt)
  symbols.copy(out, places.symbolsAt)
  names.bytes.copy(out, places.namesAt)
  relocations.copy(out, places.relocationsAt)
  sectionNames.bytes.copy(out, sectionNamesAt)
  for (const [index, section] of sections.entries()) {
    writeSection(
      out,
      headersAt + (index + 1) * SECTION_HEADER_BYTES,
      section,
      sectionNames.at(section.name),
    )
  }
  return out
}

type Tables = {
  readonly names: StringTable
  readonly symbols: Buffer
  readonly relocations: Buffer
  readonly sectionNames: StringTable
}

function buildTables(program: Program): Tables {
  const syscalls = [...new Set(program.calls.map((call) => call.name))]
  const names = stringTable(["entrypoint", ...syscalls])
  return {
    names,
    symbols: symbolTable(program.entry, syscalls, names),
    relocations: relocationTable(program.calls, syscalls),
    sectionNames: stringTable([
      ".text",
      ".rodata",
      ".dynamic",
      ".dynsym",
      ".dynstr",
      ".rel.dyn",
      ".shstrtab",
    ]),
  }
}

/** Offsets in the file. */
type Places = {
  readonly rodataAt: number
  readonly rodataEnd: number
  readonly dynamicAt: number
  readonly symbolsAt: number
  readonly namesAt: number
  readonly relocationsAt: number
  readonly sectionNamesAt: number
  readonly headersAt: number
}

function placeTables(
  program: Program,
  { names, symbols, relocations, sectionNames }: Tables,
): Places {
  const rodataAt = align(TEXT_AT + program.code.length, 16)
  const rodataEnd = Math.max(
    rodataAt,
    ...program.constants.map(({ section, at }) => at + section.data.length),
  )
  const dynamicAt = align(rodataEnd, 8)
  const symbolsAt = dynamicAt + DYNAMIC_ENTRIES * 16
  const namesAt = symbolsAt + symbols.length
  const relocationsAt = align(namesAt + names.bytes.length, 8)
  const sectionNamesAt = relocationsAt + relocations.length
  return {
    rodataAt,
    rodataEnd,
    dynamicAt,
    symbolsAt,
    namesAt,
    relocationsAt,
    sectionNamesAt,
    headersAt: align(sectionNamesAt + sectionNames.bytes.length, 8),
  }
}

function listSections(
  program: Program,
  { names, symbols, relocations, sectionNames }: Tables,
  { rodataAt, rodataEnd, ...places }: Places,
  dynamic: Buffer,
): readonly Section[] {
  return [
    { name: ".text", type: 1, flags: 6, at: TEXT_AT, size: program.code.length, align: 8 },
    { name: ".rodata", type: 1, flags: 2, at: rodataAt, size: rodataEnd - rodataAt, align: 16 },
    {
      name: ".dynamic",
      type: 6,
      flags: 3,
      at: places.dynamicAt,
      size: dynamic.length,
      link: 5,
      align: 8,
      entry: 16,
    },
    {
      name: ".dynsym",
      type: 11,
      flags: 2,
      at: places.symbolsAt,
      size: symbols.length,
      link: 5,
      info: 1,
      align: 8,
      entry: 24,
    },
    { name: ".dynstr", type: 3, flags: 2, at: places.namesAt, size: names.bytes.length, align: 1 },
    {
      name: ".rel.dyn",
      type: 9,
      flags: 2,
      at: places.relocationsAt,
      size: relocations.length,
      link: 4,
      align: 8,
      entry: 16,
    },
    {
      name: ".shstrtab",
      type: 3,
      flags: 0,
      at: places.sectionNamesAt,
      size: sectionNames.bytes.length,
      align: 1,
    },
  ]
}

type Section = {
  readonly name: string
  readonly type: number
  readonly flags: number
  readonly at: number
  readonly size: number
  readonly align: number
  readonly link?: number
  readonly info?: number
  readonly entry?: number
}

type StringTable = { readonly bytes: Buffer; at(name: string): number }

function stringTable(names: readonly string[]): StringTable {
  const text = `\0${names.map((name) => `${name}\0`).join("")}`
  return { bytes: Buffer.from(text, "latin1"), at: (name) => text.indexOf(`\0${name}\0`) + 1 }
}

/**
 * By the format entry 0 is empty. Entry 1 is the entry point, and the others are undefined
 * functions that the loader resolves.
 */
function symbolTable(entry: number, syscalls: readonly string[], names: StringTable): Buffer {
  const table = Buffer.alloc(24 * (2 + syscalls.length))
  table.writeUInt32LE(names.at("entrypoint"), 24)
  table.writeUInt8(0x12, 28)
  table.writeUInt16LE(1, 30)
  table.writeBigUInt64LE(BigInt(entry), 32)
  for (const [index, name] of syscalls.entries()) {
    table.writeUInt32LE(names.at(name), 24 * (2 + index))
    table.writeUInt8(0x10, 24 * (2 + index) + 4)
  }
  return table
}

function relocationTable(calls: readonly Call[], syscalls: readonly string[]): Buffer {
  const table = Buffer.alloc(16 * calls.length)
  for (const [index, call] of calls.entries()) {
    table.writeBigUInt64LE(BigInt(call.offset), 16 * index)
    table.writeUInt32LE(RELOCATION.call, 16 * index + 8)
    table.writeUInt32LE(2 + syscalls.indexOf(call.name), 16 * index + 12)
  }
  return table
}

const DYNAMIC_ENTRIES = 8

function dynamicTable(parts: {
  relocationsAt: number
  relocations: Buffer
  symbolsAt: number
  namesAt: number
  names: Buffer
}): Buffer {
  // DT_REL, DT_RELSZ, DT_RELENT, DT_SYMTAB, DT_SYMENT, DT_STRTAB, DT_STRSZ, DT_NULL
  const entries = [
    [17, parts.relocationsAt],
    [18, parts.relocations.length],
    [19, 16],
    [6, parts.symbolsAt],
    [11, 24],
    [5, parts.namesAt],
    [10, parts.names.length],
    [0, 0],
  ] as const
  const table = Buffer.alloc(16 * DYNAMIC_ENTRIES)
  for (const [index, [tag, value]] of entries.entries()) {
    table.writeBigUInt64LE(BigInt(tag), index * 16)
    table.writeBigUInt64LE(BigInt(value), index * 16 + 8)
  }
  return table
}

function writeElfHeader(out: Buffer, entry: number, headersAt: number, sections: number): void {
  out.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1])
  out.writeUInt16LE(3, 16) // ET_DYN
  out.writeUInt16LE(247, 18) // EM_BPF
  out.writeUInt32LE(1, 20)
  out.writeBigUInt64LE(BigInt(entry), 24)
  out.writeBigUInt64LE(BigInt(ELF_HEADER_BYTES), 32)
  out.writeBigUInt64LE(BigInt(headersAt), 40)
  const counts = [
    ELF_HEADER_BYTES,
    PROGRAM_HEADER_BYTES,
    PROGRAM_HEADERS,
    SECTION_HEADER_BYTES,
    sections,
    sections - 1,
  ]
  for (const [index, count] of counts.entries()) out.writeUInt16LE(count, 52 + index * 2)
}

function writeSegment(
  out: Buffer,
  index: number,
  segment: { type: number; flags: number; at: number; size: number },
): void {
  const start = ELF_HEADER_BYTES + index * PROGRAM_HEADER_BYTES
  out.writeUInt32LE(segment.type, start)
  out.writeUInt32LE(segment.flags, start + 4)
  for (const offset of [8, 16, 24]) out.writeBigUInt64LE(BigInt(segment.at), start + offset)
  for (const offset of [32, 40]) out.writeBigUInt64LE(BigInt(segment.size), start + offset)
  out.writeBigUInt64LE(8n, start + 48)
}

function writeSection(out: Buffer, start: number, section: Section, nameAt: number): void {
  out.writeUInt32LE(nameAt, start)
  out.writeUInt32LE(section.type, start + 4)
  out.writeBigUInt64LE(BigInt(section.flags), start + 8)
  // Sections that are not loaded have no address.
  out.writeBigUInt64LE(BigInt(section.flags === 0 ? 0 : section.at), start + 16)
  out.writeBigUInt64LE(BigInt(section.at), start + 24)
  out.writeBigUInt64LE(BigInt(section.size), start + 32)
  out.writeUInt32LE(section.link ?? 0, start + 40)
  out.writeUInt32LE(section.info ?? 0, start + 44)
  out.writeBigUInt64LE(BigInt(section.align), start + 48)
  out.writeBigUInt64LE(BigInt(section.entry ?? 0), start + 56)
}

function align(value: number, to: number): number {
  return Math.ceil(value / to) * to
}
