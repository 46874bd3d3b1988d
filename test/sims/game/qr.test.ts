import { describe, expect, it } from 'vitest'
import { checkWords, formatBits, qrCode, versionBits } from '../../../sims/game/teach/qr.ts'
import type { QrCode } from '../../../sims/game/teach/qr.ts'

/** The code of a class's link, two rows of modules in a line. Another program has read the link from this picture. */
const PICTURE = `
█▀▀▀▀▀█ ▀▀█ ▀ ▀ ▄█▀▄▀ █▀▀▀▀▀█
█ ███ █ ▄█ █▄▀▄▀▀▀▀ ▀ █ ███ █
█ ▀▀▀ █ ██ ▀▄██▀▄▄█▄▄ █ ▀▀▀ █
▀▀▀▀▀▀▀ █ ▀ █ █▄█▄█ █ ▀▀▀▀▀▀▀
█  ▄█▄▀███ ▄█▀▀ ███ ▀▀████▄▄█
▄██▀  ▀▀ █▄ ▄█▀█ ▄█    ▄█▄ ▄█
▀█ █▀ ▀▄▄▄▄▄▀█▄▀▄█▄▀ ▀▄▄▄▄▄█▄
▄ █▄ █▀ ▄▄▄█▄ ▄▀▄▄  █▄ ▀▄▀▀▄█
▄▀ ▄▀ ▀▀ █  ▄▀▀▄▀█▄ ▀ ▄▄▄▄ █▄
  ▄▀▄█▀█ ██▀▄█▀▀▄▄█ ▀▄ ▄  ▀▄█
▀▀   ▀▀▀█▀▀▄▀█▄▀▄█▄██▀▀▀█▀  █
█▀▀▀▀▀█ ▀▀▀ ▄ ▄▀ █▄██ ▀ █▀▀▄█
█ ███ █ ▀▀██▀█▀▄▀█▄███▀▀▀▀ ▀▄
█ ▀▀▀ █   ▄█  █▀ ▄▀▄█▀▄ ▄█▀██
▀▀▀▀▀▀▀ ▀▀ ▀▀ ▀▀ ▀▀ ▀▀ ▀▀  ▀`

function drawn(code: QrCode): string {
  const lines = code.flatMap((line, row) => {
    if (row % 2 === 1) return []
    const pairs = line.map(
      (upper, column) => [' ', '▀', '▄', '█'][Number(upper) + 2 * Number(code[row + 1]?.[column] ?? 0)],
    )
    return [pairs.join('').trimEnd()]
  })
  return `\n${lines.join('\n')}`
}

/** The data words of each block of a version at level M, from the standard's table, and the check words of each. */
const BLOCKS: readonly (readonly [check: number, ...data: number[]])[] = [
  [10, 16],
  [16, 28],
  [26, 44],
  [18, 32, 32],
  [24, 43, 43],
  [16, 27, 27, 27, 27],
  [18, 31, 31, 31, 31],
  [22, 38, 38, 39, 39],
  [22, 36, 36, 36, 37, 37],
  [26, 43, 43, 43, 43, 44],
]

const INVERTS: readonly ((i: number, j: number) => boolean)[] = [
  (i, j) => (i + j) % 2 === 0,
  (i) => i % 2 === 0,
  (_, j) => j % 3 === 0,
  (i, j) => (i + j) % 3 === 0,
  (i, j) => (Math.trunc(i / 2) + Math.trunc(j / 3)) % 2 === 0,
  (i, j) => ((i * j) % 2) + ((i * j) % 3) === 0,
  (i, j) => (((i * j) % 2) + ((i * j) % 3)) % 2 === 0,
  (i, j) => (((i + j) % 2) + ((i * j) % 3)) % 2 === 0,
]

/** Reads a code as a scanner does, from its format information to its text. @throws when a block has a wrong word */
function read(code: QrCode): string {
  const [size, version] = [code.length, (code.length - 17) / 4]
  const at = (row: number, column: number) => Number(code[row]?.[column] ?? 0)
  const format = [0, 1, 2, 3, 4, 5, 7, 8].map((column) => at(8, column))
  const mask = INVERTS.findIndex((_, each) => formatBits(each).slice(0, 8).join('') === format.join(''))
  const middle = version < 7 ? [] : [(size - 1) / 2]
  const small = version === 1 ? [] : [6, ...middle, size - 7]
  const carries = (row: number, column: number) => {
    const near = (centre: number, place: number) => Math.abs(centre - place) <= 2
    const corner = (row < 9 && (column < 9 || column >= size - 8)) || (row >= size - 8 && column < 9)
    const number = version >= 7 && ((row < 6 && column >= size - 11) || (column < 6 && row >= size - 11))
    const isFinder = (y: number, x: number) => (y === 6 && (x === 6 || x === size - 7)) || (x === 6 && y === size - 7)
    const square = small.some((y) => small.some((x) => !isFinder(y, x) && near(y, row) && near(x, column)))
    return !(corner || number || square || row === 6 || column === 6)
  }
  const columns = Array.from({ length: size }, (_, index) => size - 1 - index).filter((column) => column !== 6)
  const bits = Array.from({ length: (size - 1) / 2 }, (_, pair) => {
    const rows = code.map((_, row) => (pair % 2 === 0 ? size - 1 - row : row))
    return rows.flatMap((row) =>
      columns
        .slice(pair * 2, pair * 2 + 2)
        .filter((column) => carries(row, column))
        .map((column) => at(row, column) ^ Number(INVERTS[mask]?.(row, column))),
    )
  }).flat()
  const words = Array.from({ length: Math.trunc(bits.length / 8) }, (_, word) =>
    Number.parseInt(bits.slice(word * 8, word * 8 + 8).join(''), 2),
  )
  const [check = 0, ...sizes] = BLOCKS[version - 1] ?? []
  const turns = (lengths: readonly number[]) => {
    const blocks: number[][] = lengths.map(() => [])
    for (let turn = 0; turn < Math.max(...lengths); turn += 1)
      for (const [index, length] of lengths.entries()) if (turn < length) blocks[index]?.push(words.shift() ?? -1)
    return blocks
  }
  const data = turns(sizes)
  const checks = turns(sizes.map(() => check))
  for (const [index, block] of data.entries()) expect(checks[index]).toEqual(checkWords(block, check))
  const text = data
    .flat()
    .map((word) => word.toString(2).padStart(8, '0'))
    .join('')
  expect(text.slice(0, 4)).toBe('0100')
  const head = version < 10 ? 12 : 20
  const length = Number.parseInt(text.slice(4, head), 2)
  const bytes = Array.from({ length }, (_, byte) =>
    Number.parseInt(text.slice(head + byte * 8, head + byte * 8 + 8), 2),
  )
  return new TextDecoder().decode(Uint8Array.from(bytes))
}

describe('the QR code of a class', () => {
  it('[after-11] has the words of the standard’s own examples', () => {
    // ISO/IEC 18004: the check words of "01234567" in version 1-M, the format of level M with mask 101, version 7.
    const data = [0x10, 0x20, 0x0c, 0x56, 0x61, 0x80, 0xec, 0x11, 0xec, 0x11, 0xec, 0x11, 0xec, 0x11, 0xec, 0x11]
    expect(checkWords(data, 10)).toEqual([0xa5, 0x24, 0xd4, 0xc1, 0xed, 0x36, 0xc7, 0x87, 0x2c, 0x55])
    expect(formatBits(0b101).join('')).toBe('100000011001110')
    expect(versionBits(7).join('')).toBe('000111110010010100')
  })

  it('[after-11] is a picture that another program reads', () => {
    const code = qrCode('https://walkon.example/#/join/7K3MQ9')
    expect(code && drawn(code)).toBe(PICTURE)
  })

  it('[after-11] holds any text of up to 213 bytes, in the smallest of ten sizes', () => {
    const sizes = new Set<number>()
    for (let length = 0; length <= 213; length += 5) {
      const text = 'https://walkon.example/schule/größe/#/join/7K3MQ9'.repeat(5).slice(0, length)
      const code = qrCode(text)
      if (code) expect(read(code)).toBe(text)
      else expect(new TextEncoder().encode(text).length).toBeGreaterThan(213)
      sizes.add(code?.length ?? 0)
    }
    expect([...sizes].filter((size) => size > 0)).toEqual([21, 25, 29, 33, 37, 41, 45, 49, 53, 57])
    expect(qrCode('x'.repeat(213))?.length).toBe(57)
    expect(qrCode('x'.repeat(214))).toBeNull()
  })
})
