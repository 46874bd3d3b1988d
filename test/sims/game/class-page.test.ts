import { describe, expect, it } from 'vitest'
import { keepClass, keptClasses, letGoOfClass } from '../../../sims/game/teach/kept-classes.tsx'
import { whereaboutsOf } from '../../../sims/game/teach/learners.tsx'

function memory(entries: Record<string, string> = {}) {
  const kept = new Map(Object.entries(entries))
  return {
    kept,
    open: () => ({
      getItem: (name: string) => kept.get(name) ?? null,
      setItem: (name: string, value: string) => void kept.set(name, value),
      removeItem: (name: string) => void kept.delete(name),
    }),
  }
}

const denied = () => {
  throw new DOMException('denied', 'SecurityError')
}
const aClass = (id: string) => ({ id, title: `Class ${id}`, key: `key-${id}` })

describe('classes kept in the browser', () => {
  it('[after-11] are those that were asked to be kept, newest first and each once, until they are let go', () => {
    const { open, kept } = memory()
    expect(keptClasses(open)).toEqual([])
    expect(kept.size).toBe(0)
    for (const id of ['1', '2', '1']) expect(keepClass(aClass(id), open)).toBe(true)
    expect(keptClasses(open)).toEqual([aClass('1'), aClass('2')])
    letGoOfClass('1', open)
    letGoOfClass('2', open)
    expect(kept.size).toBe(0)
  })

  it('[after-11] are fifty at the most', () => {
    const { open } = memory()
    for (let id = 0; id < 60; id += 1) keepClass(aClass(String(id)), open)
    expect(keptClasses(open)).toHaveLength(50)
    expect(keptClasses(open)[0]).toEqual(aClass('59'))
  })

  it.each(['no JSON', '{}', '[1, null, {"id": 1}]', 'null'])('[after-11] are none if the stored text is %s', (text) => {
    expect(keptClasses(memory({ 'walkon-game|classes': text }).open)).toEqual([])
  })

  it('[after-11] are none if storage is denied, and keeping one says so', () => {
    expect(keptClasses(denied)).toEqual([])
    expect(keepClass(aClass('1'), denied)).toBe(false)
  })
})

describe('where somebody is', () => {
  it.each([
    ['new new', { kind: 'nowhere' }],
    ['', { kind: 'nowhere' }],
    ['over new', { kind: 'between', over: 1, of: 2 }],
    ['over over', { kind: 'through' }],
    ['over talking talking', { kind: 'talking', npcs: ['1', '2'], over: 1, of: 3 }],
  ])('[after-12] with "%s" is %o', (statuses, where) => {
    const people = statuses
      .split(' ')
      .filter((status) => status !== '')
      .map((status, index) => ({ npc: String(index), status: status as 'new' | 'talking' | 'over' }))
    expect(whereaboutsOf(people)).toEqual(where)
  })
})
