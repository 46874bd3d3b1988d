import { describe, expect, it } from 'vitest'
import type { GraphDocument } from '../../worker/core/graph/document/document.ts'
import { lintDocument } from '../../worker/core/graph/document/lint-document.ts'
import { baseData, type Change, defectLibrary, documentFrom, edited } from '../support/graph-document.ts'

describe('what a state may have, and what may stand in it', () => {
  it.each([
    ['an exit to the end', { description: 'They ask to stop', next_state: 'close_visit' }, []],
    ['a safety exit to anywhere', { description: 'They are upset', next_state: 'explain_finding', safety: true }, []],
    ['a way through a decision that has one', { description: 'They hesitate', next_state: 'weigh_exit' }, []],
    ['an exit the walker takes', { description: 'Done', next_state: 'close_visit', guarded: true }, ['G026', 'G035']],
    ['a way through another state that speaks', { description: 'On', next_state: 'explain_finding' }, ['G026']],
  ])('[lint-16] %s', (_, exit, codes) => {
    const decision = {
      type: 'decision',
      objective: 'See whether they want to stop',
      decision_guidelines: [],
      exit_conditions: [
        { description: 'They want to stop', next_state: 'close_visit' },
        { description: 'Anything else', next_state: 'explain_finding' },
      ],
    }
    const through = exit.next_state === 'weigh_exit' ? [{ at: '/states/weigh_exit', value: decision }] : []
    expect(codesWith([{ at: '/states/greet_again/exit_conditions/1', value: exit }, ...through])).toEqual(codes)
  })

  it.each([
    [1, ['G027']],
    [2, []],
    [6, []],
    [7, ['G027']],
  ])('[lint-17] %d actions', (count, codes) => {
    expect(codesWith([{ at: '/states/agree_task/actions', value: lines(count) }])).toEqual(codes)
  })

  it.each([
    [1, ['G027']],
    [2, []],
    [7, []],
    [8, ['G027']],
  ])('[lint-17] %d guidelines besides a global one', (count, codes) => {
    expect(codesWith([{ at: '/states/agree_task/intra_state_navigation_guidelines', value: lines(count) }])).toEqual(
      codes,
    )
  })

  it('[lint-17] one action is enough beside content or a fork, and needs no navigation', () => {
    const change = [
      { at: '/states/agree_task/actions', value: ['Say back what was agreed'] },
      { at: '/states/agree_task/content_source', value: 'content.story' },
      { at: '/states/agree_task/intra_state_navigation_guidelines', value: [] },
    ]
    expect(codesWith(change)).toEqual([])
  })

  it.each([
    ['---END---', true],
    ['**--- end ---**', true],
    ['> ---END:abc123---', true],
    ['\u2014\u2014END\u2014\u2014', true],
    ['and so ---END--- it goes', true],
    ['This is the END - of it', false],
    ['-END-', false],
  ])('[lint-18] %j holds a separator: %s', (text, holds) => {
    for (const at of ['/description', '/states/recall_history/queries/0', '/states/mark_beginning/inner_thought']) {
      const found = codesWith([{ at, value: text }]).filter((code) => code === 'G033')
      expect(found).toEqual(holds ? ['G033'] : [])
    }
  })

  it('[lint-15] an exit counts only where none before it always holds', () => {
    const exit = (index: number, when: unknown) => ({
      at: `/states/explain_finding/exit_conditions/${index}/when`,
      value: when,
    })
    const neutral = { relationship: 'neutral' }
    const told = { satisfied: 'greet_again' }
    expect(codesWith([exit(0, neutral), exit(1, { not: neutral })])).toEqual([])
    expect(codesWith([exit(0, neutral), exit(1, { all: [{ relationship: 'trusting' }, told] })])).toEqual(['G035'])
    expect(codesWith([exit(0, { any: [neutral, told] }), exit(1, { not: { any: [told] } })])).toEqual([])
    expect(codesWith([exit(0, { satisfied: 'recall_history' })])).toEqual(['G035'])
    expect(codesWith([exit(0, { not: { satisfied: 'recall_history' } })])).toEqual(['G035'])
  })

  it('[lint-15] an exit of the walker counts only where the state is satisfied some time, or runs out of turns', () => {
    const at = '/states/explain_finding'
    const never = [
      { at: `${at}/satisfy_when`, value: null },
      { at: `${at}/dwell`, value: { min: 0 } },
    ]
    expect(codesWith(never)).toContain('G035')
    const also = (change: Change) => codesWith([...never, change])
    expect(also({ at: `${at}/satisfy_when`, value: 'They have said it back' })).not.toContain('G035')
    expect(also({ at: `${at}/dwell`, value: { max: 3 } })).not.toContain('G035')
    expect(also({ at: `${at}/dwell`, value: { self_loop: false } })).not.toContain('G035')
  })

  it('[lint-15] a guarded exit of a decision is never taken', () => {
    const exit = { description: 'They trust you', next_state: 'explain_finding', when: { relationship: 'trusting' } }
    expect(codesWith([{ at: '/states/choose_path/exit_conditions/-', value: exit }])).toEqual(['G035'])
  })

  it('[lint-9] a decision is its exits to choose from; with one there is no need of a catch-all', () => {
    const one = [{ description: 'They are here', next_state: 'explain_finding' }]
    const rest = {
      at: '/states/agree_task/exit_conditions/-',
      value: { description: 'More', next_state: 'ask_preference' },
    }
    const alert = { at: '/states/mark_beginning/next_state/0', value: 'scale.pass_by' }
    const codes = codesWith([{ at: '/states/choose_path/exit_conditions', value: one }, rest, alert])
    expect(codes).toEqual(['G007'])
  })

  it('[lint-12] bare figures conflict with what is close by', () => {
    const of = (line: string) =>
      codesWith([
        { at: '/content/document', value: ['About 23.4 of them'] },
        { at: '/content/finding/0', value: line },
      ])
    expect(of('It is 23.')).toEqual(['G031'])
    expect(of('It is 47.')).toEqual([])
  })
})

const library: readonly GraphDocument[] = defectLibrary()

function codesWith(change: readonly Change[]): readonly string[] {
  const document = documentFrom(edited(baseData(), change))
  return lintDocument(document, { library, npc: null })
    .filter(({ severity }) => severity !== 'info')
    .map(({ code }) => code)
}

function lines(count: number): readonly string[] {
  return Array.from({ length: count }, (_, nth) => `Do thing ${'abcdefghij'.charAt(nth)}`)
}
