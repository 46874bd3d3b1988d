/** A QR code as rows of modules; true is a dark module. It has no margin. */
export type QrCode = readonly (readonly boolean[])[]

/**
 * The versions from 1 to 10 at error correction level M, from the tables of ISO/IEC 18004: the number of error
 * correction codewords in each block, the number of blocks, and the number of data codewords in all blocks together.
 */
const VERSIONS = [
  { check: 10, blocks: 1, data: 16 },
  { check: 16, blocks: 1, data: 28 },
  { check: 26, blocks: 1, data: 44 },
  { check: 18, blocks: 2, data: 64 },
  { check: 24, blocks: 2, data: 86 },
  { check: 16, blocks: 4, data: 108 },
  { check: 18, blocks: 4, data: 124 },
  { check: 22, blocks: 4, data: 154 },
  { check: 22, blocks: 5, data: 182 },
  { check: 26, blocks: 5, data: 216 },
] as const

type Version = (typeof VERSIONS)[number]

/**
 * Draws a text as a QR code: in bytes (UTF-8), at error correction level M, in the smallest version that holds the text.
 *
 * @returns null if the text is longer than 213 bytes, more than version 10 holds
 */
export function qrCode(text: string): QrCode | null {
  const bytes = new TextEncoder().encode(text)
  const index = VERSIONS.findIndex(({ data }, at) => bytes.length <= data - headerBytes(at + 1))
  const version = VERSIONS[index]
  if (!version) return null
  const grid = new Grid(index + 1)
  grid.place(interleaved(dataOf(bytes, index + 1, version), version))
  return grid.masked()
}

/**
 * Returns how many bytes of a version carry no text: they state the mode and the text's length, and end the text. From
 * version 10 on the length takes two bytes.
 */
function headerBytes(number: number): number {
  return number < 10 ? 2 : 3
}

/** Returns the data codewords: the mode "bytes", the length, the bytes, the end, and padding. */
function dataOf(bytes: Uint8Array, number: number, { data }: Version): number[] {
  const bits = [0, 1, 0, 0, ...bitsOf(bytes.length, number < 10 ? 8 : 16)]
  for (const byte of bytes) bits.push(...bitsOf(byte, 8))
  bits.push(0, 0, 0, 0)
  const words = Array.from({ length: bits.length / 8 }, (_, at) => valueOf(bits.slice(at * 8, at * 8 + 8)))
  for (let pad = 0; words.length < data; pad += 1) words.push(pad % 2 === 0 ? 0xec : 0x11)
  return words
}

/** Splits the data into blocks, adds each block's check words, and takes one word of each block in turn. */
function interleaved(data: readonly number[], { blocks, check }: Version): number[] {
  const short = Math.floor(data.length / blocks)
  const shortBlocks = blocks - (data.length % blocks)
  const parts = Array.from({ length: blocks }, (_, at) => {
    const from = at * short + Math.max(0, at - shortBlocks)
    return data.slice(from, from + short + (at < shortBlocks ? 0 : 1))
  })
  const turns = (lists: readonly (readonly number[])[]) =>
    Array.from({ length: Math.max(...lists.map(({ length }) => length)) }, (_, at) =>
      lists.flatMap((list) => list.slice(at, at + 1)),
    ).flat()
  return [...turns(parts), ...turns(parts.map((part) => checkWords(part, check)))]
}

/** Returns the Reed-Solomon check words of a block: the remainder of its polynomial by the generator polynomial. */
export function checkWords(block: readonly number[], count: number): number[] {
  const generator = Array.from({ length: count }).reduce<number[]>(
    (factors, _, power) => {
      const root = EXP[power] ?? 0
      return [...factors, 0].map((factor, at) => factor ^ times(factors[at - 1] ?? 0, root))
    },
    [1],
  )
  const rest = [...block, ...Array.from({ length: count }, () => 0)]
  for (const at of block.keys()) {
    const lead = rest[at] ?? 0
    for (const [place, factor] of generator.entries()) rest[at + place] = (rest[at + place] ?? 0) ^ times(factor, lead)
  }
  return rest.slice(block.length)
}

/** The powers of 2 in the field of 256 elements with the polynomial x⁸ + x⁴ + x³ + x² + 1, and their exponents. */
const EXP: number[] = []
const LOG: number[] = []
for (let power = 0, value = 1; power < 255; power += 1) {
  EXP[power] = value
  LOG[value] = power
  value = value < 128 ? value * 2 : (value * 2) ^ 0x11d
}

function times(a: number, b: number): number {
  if (a === 0 || b === 0) return 0
  return EXP[((LOG[a] ?? 0) + (LOG[b] ?? 0)) % 255] ?? 0
}

/** The level M in the format information. */
const LEVEL_M = 0b00

/** The masks. A mask inverts every data module for which it is true. */
const MASKS: readonly ((row: number, column: number) => boolean)[] = [
  (row, column) => (row + column) % 2 === 0,
  (row) => row % 2 === 0,
  (_, column) => column % 3 === 0,
  (row, column) => (row + column) % 3 === 0,
  (row, column) => (Math.floor(row / 2) + Math.floor(column / 3)) % 2 === 0,
  (row, column) => ((row * column) % 2) + ((row * column) % 3) === 0,
  (row, column) => (((row * column) % 2) + ((row * column) % 3)) % 2 === 0,
  (row, column) => (((row + column) % 2) + ((row * column) % 3)) % 2 === 0,
]

/** A QR code while it is drawn: the fixed patterns, the data, and then the best mask with the format information. */
class Grid {
  readonly #size: number
  readonly #dark: boolean[][]
  /** The modules that carry no data. */
  readonly #fixed: boolean[][]

  constructor(version: number) {
    this.#size = 17 + 4 * version
    const empty = () => Array.from({ length: this.#size }, () => Array.from({ length: this.#size }, () => false))
    this.#dark = empty()
    this.#fixed = empty()
    const last = this.#size - 1
    for (let at = 0; at < this.#size; at += 1) {
      this.#fix(6, at, at % 2 === 0)
      this.#fix(at, 6, at % 2 === 0)
    }
    const places = alignments(version)
    for (const row of places)
      for (const column of places) if (!isCorner(row, column, last)) this.#square(row, column, 2, (ring) => ring !== 1)
    for (const [row, column] of [
      [3, 3],
      [3, last - 3],
      [last - 3, 3],
    ] as const)
      this.#square(row, column, 4, (ring) => ring !== 2 && ring !== 4)
    this.#format(this.#dark, 0)
    if (version >= 7) this.#version(version)
  }

  /** Places the bits of the words, two columns at a time, upwards and downwards in turn, from the right. */
  place(words: readonly number[]): void {
    const bits = words.flatMap((word) => bitsOf(word, 8))
    let isUp = true
    for (let right = this.#size - 1; right > 0; right -= 2) {
      if (right === 6) right = 5
      for (let step = 0; step < this.#size; step += 1)
        for (const column of [right, right - 1]) {
          const row = isUp ? this.#size - 1 - step : step
          if (!this.#fixed[row]?.[column]) this.#set(this.#dark, row, column, bits.shift() === 1)
        }
      isUp = !isUp
    }
  }

  /** Returns the code under the mask that is easiest to read: the one with the least penalty. */
  masked(): QrCode {
    const codes = MASKS.map((isInverted, mask) => {
      const code = this.#dark.map((line, row) =>
        line.map((dark, column) => dark !== (!this.#fixed[row]?.[column] && isInverted(row, column))),
      )
      this.#format(code, mask)
      return code
    })
    const penalties = codes.map(penalty)
    return codes[penalties.indexOf(Math.min(...penalties))] ?? []
  }

  #set(code: boolean[][], row: number, column: number, isDark: boolean): void {
    const line = code[row]
    if (line && column >= 0 && column < this.#size) line[column] = isDark
  }

  /** Sets a module of the code and marks the module as one that carries no data. */
  #fix(row: number, column: number, isDark: boolean, code = this.#dark): void {
    this.#set(code, row, column, isDark)
    this.#set(this.#fixed, row, column, true)
  }

  /** Draws a square round a centre; `isDark` tells which of its rings, from 0 at the centre, are dark. */
  #square(row: number, column: number, reach: number, isDark: (ring: number) => boolean): void {
    for (let down = -reach; down <= reach; down += 1)
      for (let right = -reach; right <= reach; right += 1)
        this.#fix(row + down, column + right, isDark(Math.max(Math.abs(down), Math.abs(right))))
  }

  /** Writes the level and the mask twice, round the upper left square and beside the others. */
  #format(code: boolean[][], mask: number): void {
    const put = (row: number, column: number, isDark: boolean) => this.#fix(row, column, isDark, code)
    const last = this.#size - 1
    for (const [at, bit] of formatBits(mask).entries()) {
      const isDark = bit === 1
      // `at` counts from the most significant bit.
      if (at < 6) put(8, at, isDark)
      else if (at === 6) put(8, 7, isDark)
      else if (at === 7) put(8, 8, isDark)
      else if (at === 8) put(7, 8, isDark)
      else put(14 - at, 8, isDark)
      if (at < 7) put(last - at, 8, isDark)
      else put(8, last - 14 + at, isDark)
    }
    put(last - 7, 8, true)
  }

  /** Writes the version twice, beside the upper right and the lower left square. */
  #version(version: number): void {
    for (const [at, bit] of versionBits(version).toReversed().entries()) {
      const [long, short] = [Math.floor(at / 3), this.#size - 11 + (at % 3)]
      this.#fix(short, long, bit === 1)
      this.#fix(long, short, bit === 1)
    }
  }
}

/** Returns the 15 bits of the format information at level M, most significant bit first. */
export function formatBits(mask: number): number[] {
  const data = LEVEL_M * 8 + mask
  return bitsOf(((data << 10) | remainder(data << 10, 0b10100110111)) ^ 0b101010000010010, 15)
}

/** Returns the 18 bits of the version information, most significant bit first. */
export function versionBits(version: number): number[] {
  return bitsOf((version << 12) | remainder(version << 12, 0b1111100100101), 18)
}

/** Returns the remainder of two polynomials whose coefficients are bits. */
function remainder(dividend: number, divisor: number): number {
  const degree = 31 - Math.clz32(divisor)
  let rest = dividend
  while (rest !== 0 && 31 - Math.clz32(rest) >= degree) rest ^= divisor << (31 - Math.clz32(rest) - degree)
  return rest
}

/** Returns the rows and columns at which the centres of the small squares lie. */
function alignments(version: number): readonly number[] {
  if (version === 1) return []
  const end = 10 + 4 * version
  return version < 7 ? [6, end] : [6, (6 + end) / 2, end]
}

function isCorner(row: number, column: number, last: number): boolean {
  return [
    [6, 6],
    [6, last - 6],
    [last - 6, 6],
  ].some(([down, right]) => row === down && column === right)
}

/** Returns how hard a code is to read: long runs, squares of one colour, false finder patterns, an unequal share. */
function penalty(code: QrCode): number {
  const lines = [...code, ...code.map((_, column) => code.map((line) => line[column] ?? false))]
  const texts = lines.map((line) => line.map((dark) => (dark ? '1' : '0')).join(''))
  const runs = texts
    .flatMap((text) => text.match(/0{5,}|1{5,}/g) ?? [])
    .reduce((sum, { length }) => sum + length - 2, 0)
  const squares = code.flatMap((line, row) =>
    line.filter((dark, column) => {
      const next = code[row + 1]
      return (
        column + 1 < line.length && next?.[column] === dark && next[column + 1] === dark && line[column + 1] === dark
      )
    }),
  ).length
  const finders = texts.reduce((sum, text) => sum + (text.match(/(?=10111010000|00001011101)/g)?.length ?? 0), 0)
  const all = code.flat()
  const share = Math.abs((all.filter(Boolean).length * 20) / all.length - 10)
  return runs + 3 * squares + 40 * finders + 10 * Math.floor(share)
}

function bitsOf(value: number, count: number): number[] {
  return Array.from({ length: count }, (_, at) => (value >> (count - 1 - at)) & 1)
}

function valueOf(bits: readonly number[]): number {
  return bits.reduce((value, bit) => value * 2 + bit, 0)
}
