import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { linkTo } from '../../../sims/game/debrief/copy-field.tsx'
import { againWish } from '../../../sims/game/debrief/again-button.tsx'
import { castOf } from '../../../sims/game/people.ts'
import { dayForFileName, fileName } from '../../../sims/game/debrief/save-file.ts'
import { tallyOf } from '../../../sims/game/debrief/lesson.ts'
import { launchCard, launchDebrief } from '../../support/game-debrief.ts'

/** Returns a storage as a browser has it. If `denied` is true, every access throws. */
function memory(denied = false) {
  const kept = new Map<string, string>()
  const storage = {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    removeItem: (name: string) => void kept.delete(name),
  }
  return {
    kept,
    open: () => {
      if (denied) throw new DOMException('denied', 'SecurityError')
      return storage
    },
  }
}

describe('the name of a file to keep', () => {
  it('is one that every system takes, for any title of a class', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 4 }), (parts) => {
        const name = fileName(parts, 'csv')
        expect(name).toMatch(/^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.csv$/)
        expect(name.length).toBeLessThanOrEqual(71)
        expect(name).not.toMatch(/^(?:con|prn|aux|nul|com\d|lpt\d)\./)
      }),
    )
  })

  it.each([
    [['Thursday, group B', '2026-03-09'], 'thursday-group-b-2026-03-09.csv'],
    [['../../etc/passwd'], 'etc-passwd.csv'],
    [['Économie à 9h'], 'economie-a-9h.csv'],
    [['木曜日'], 'walkon.csv'],
    [['CON'], 'walkon-con.csv'],
  ])('of %s is %s', (parts, name) => {
    expect(fileName(parts, 'csv')).toBe(name)
  })

  it('has the day so that names sort', () => {
    expect(dayForFileName(new Date(2026, 2, 9, 23, 59).getTime())).toBe('2026-03-09')
  })
})

describe('the wish for a new run', () => {
  const moment = { run: 'ctx_1', npc: 'maya', pivot: 'PIVOT_1' }
  const ids = () => {
    let next = 0
    return () => `cid-${(next += 1)}`
  }

  it.each([
    ['kept by the tab', false],
    ['kept by the page alone, where storage is denied', true],
  ])('[after-6] goes by one name until it is answered, %s', (_, denied) => {
    const { open } = memory(denied)
    const newId = ids()
    const first = againWish({ ...moment, run: `ctx_${denied}` }, open, newId)
    expect(againWish({ ...moment, run: `ctx_${denied}` }, open, newId).cid).toBe(first.cid)
    expect(againWish({ ...moment, run: `ctx_${denied}`, pivot: 'PIVOT_2' }, open, newId).cid).not.toBe(first.cid)
    first.fulfil()
    expect(againWish({ ...moment, run: `ctx_${denied}` }, open, newId).cid).not.toBe(first.cid)
  })

  it('[after-6] survives a reload of the page', () => {
    const { open, kept } = memory()
    const { cid } = againWish({ ...moment, run: 'ctx_reload' }, open, () => 'before')
    expect([...kept.values()]).toEqual([cid])
    expect(againWish({ ...moment, run: 'ctx_reload' }, open, () => 'after').cid).toBe('before')
  })
})

describe('small things', () => {
  it('[after-2] of the deciding facts, it is counted how many were heard and cited', () => {
    expect(tallyOf(launchDebrief().facts)).toEqual({ deciding: 5, heard: 3, cited: 1 })
    expect(tallyOf([])).toEqual({ deciding: 0, heard: 0, cited: 0 })
  })

  it('[after-1] a colleague the simulation does not know goes by their id', () => {
    const cast = castOf(launchCard())
    expect([cast.name('maya'), cast.person('maya').role]).toEqual(['Maya', 'QA lead'])
    expect(castOf(null).person('the-auditor')).toEqual({ id: 'the-auditor', name: 'The auditor', role: '', hue: 265 })
  })

  it('a link names the place and nothing of the address it was made at', () => {
    const at = { origin: 'https://play.example', pathname: '/', search: '?lang=es', hash: '#/class/secret' }
    expect(linkTo({ screen: 'join', code: '7K3M' }, at)).toBe('https://play.example/#/join/7K3M')
  })
})
