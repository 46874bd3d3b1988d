import { describe, expect, it } from 'vitest'
import { pageKeyOf } from '../../../sims/game/page-keys.ts'
import type { Pressed } from '../../../sims/game/page-keys.ts'
import type { Route } from '../../../sims/game/route.ts'

const run = 'ctx_run'
const people = ['maya', 'marcus', 'otto']
const DESK: Route = { screen: 'desk', run }
const pressed = (given: Partial<Pressed>): Pressed => ({
  key: '',
  code: '',
  alt: false,
  other: false,
  writing: false,
  ...given,
})
const meant = (given: Partial<Pressed>, route: Route = DESK) => pageKeyOf(pressed(given), route, people)

describe('keys', () => {
  it('[page-21] Alt and a digit lead to a colleague, in the order of the desk, on any layout', () => {
    expect(meant({ alt: true, code: 'Digit2', key: '™' })).toEqual({
      does: 'go',
      to: { screen: 'talk', run, npc: 'marcus' },
    })
    expect(meant({ alt: true, code: 'Digit4', key: '4' })).toBeNull()
    expect(meant({ alt: true, code: 'Digit0', key: '0' }, { screen: 'notebook', run })).toEqual({
      does: 'go',
      to: DESK,
    })
    expect(meant({ alt: true, code: 'KeyN', key: '˜' })).toEqual({ does: 'go', to: { screen: 'notebook', run } })
    expect(meant({ alt: true, code: 'Digit1', key: '1' }, { screen: 'library' })).toBeNull()
  })

  it('[page-21] with Alt, a key writes the layout’s own character in a text, and works as a page key if there is none', () => {
    const writing = { alt: true, writing: true }
    for (const route of [
      { screen: 'decide', run },
      { screen: 'talk', run, npc: 'maya' },
    ] as const) {
      for (const written of [
        { code: 'KeyN', key: 'Dead' },
        { code: 'KeyN', key: '˜' },
        { code: 'Digit2', key: '@' },
        { code: 'Digit0', key: 'º' },
      ])
        expect(meant({ ...writing, ...written }, route)).toBeNull()
      expect(meant({ ...writing, code: 'Digit2', key: '2' }, route)).toEqual({
        does: 'go',
        to: { screen: 'talk', run, npc: 'marcus' },
      })
      expect(meant({ ...writing, code: 'Digit0', key: '0' }, route)).toEqual({ does: 'go', to: DESK })
      for (const key of ['n', 'N'])
        expect(meant({ ...writing, code: 'KeyN', key }, route)).toEqual({ does: 'go', to: { screen: 'notebook', run } })
    }
  })

  it('[page-21] Escape goes one step out: to the desk, then to the library, and no further', () => {
    const places: [Route, Route | null][] = [
      [{ screen: 'talk', run, npc: 'maya' }, DESK],
      [{ screen: 'notebook', run }, DESK],
      [{ screen: 'debrief', run }, DESK],
      [DESK, { screen: 'library' }],
      [{ screen: 'teach' }, { screen: 'library' }],
      [{ screen: 'library' }, null],
    ]
    for (const [from, to] of places) expect(meant({ key: 'Escape' }, from)).toEqual(to && { does: 'go', to })
  })

  it('[page-21] Escape belongs to a field, except in a conversation, which keeps its draft', () => {
    const writing = { key: 'Escape', writing: true }
    expect(meant(writing, { screen: 'decide', run })).toBeNull()
    expect(meant(writing, { screen: 'talk', run, npc: 'maya' })).toEqual({ does: 'go', to: DESK })
  })

  it('[page-21] a question mark lists the keys, unless it is being written', () => {
    expect(meant({ key: '?' })).toEqual({ does: 'keys' })
    expect(meant({ key: '?', writing: true })).toBeNull()
  })

  it('[page-21] keys with Control or Command belong to the browser', () => {
    expect(meant({ key: 'Escape', other: true })).toBeNull()
    expect(meant({ alt: true, other: true, code: 'Digit1' })).toBeNull()
    expect(meant({ key: '1', code: 'Digit1' })).toBeNull()
  })
})
