import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bytesOf } from '../../../worker/core/reply/characters.ts'
import { fingerprint } from '../../../worker/core/graph/hash.ts'
import {
  CAPS,
  coverageOf,
  type AgentFinding,
  type Intelligence,
  NO_INTELLIGENCE,
  planFor,
  keepFinding,
  sliceFor,
} from '../../../worker/core/assistant/intelligence.ts'

const finding = (more: Partial<AgentFinding> = {}): AgentFinding => ({
  agent: 'research',
  query: 'how warm is it',
  content: 'It is 21 degrees in the hall.',
  type: 'research',
  topics: ['weather'],
  ...more,
})
const after = (findings: readonly AgentFinding[], step = 1, from: Intelligence = NO_INTELLIGENCE) =>
  findings.reduce((all, each, index) => keepFinding(all, each, index * step, fingerprint), from)

const text = fc.oneof(
  fc.string({ maxLength: 80 }),
  fc.constantFrom('__proto__', 'constructor', '7', 'x'.repeat(6_000), '🙂'.repeat(3_000)),
)
const anyFinding: fc.Arbitrary<AgentFinding> = fc.record({
  agent: fc.constantFrom('chat', 'research', '__proto__'),
  query: text,
  content: text,
  type: fc.constantFrom('research', 'search', 'analysis', 'answer'),
  confidence: fc.double(),
  topics: fc.array(text, { maxLength: 20 }),
  citations: fc.array(text, { maxLength: 9 }),
  sources: fc.array(fc.record({ url: text, summary: text }), { maxLength: 14 }),
  suggestions: fc.array(text, { maxLength: 6 }),
})

describe('what earlier work is remembered', () => {
  it('[assistant-8] keeps every cap and the byte budget after any sequence', () => {
    fc.assert(
      fc.property(
        fc.array(anyFinding, { maxLength: 60 }),
        fc.constantFrom(0, 1, CAPS.lifetime / 4),
        (findings, step) => {
          const all = after(findings, step)
          expect(bytesOf(JSON.stringify(all))).toBeLessThanOrEqual(CAPS.bytes)
          expect(Object.keys(all.cached_results).length).toBeLessThanOrEqual(CAPS.results)
          expect(Object.keys(all.source_cache).length).toBeLessThanOrEqual(CAPS.sources)
          expect(all.topic_history.length).toBeLessThanOrEqual(CAPS.history)
          expect(all.topic_transitions.length).toBeLessThanOrEqual(CAPS.transitions)
          expect(all.collaboration_suggestions.length).toBeLessThanOrEqual(CAPS.suggestions)
          for (const outputs of Object.values(all.agent_outputs))
            expect(outputs.length).toBeLessThanOrEqual(CAPS.outputsOfAgent)
          const at = (findings.length - 1) * step
          for (const result of Object.values(all.cached_results)) {
            expect(at - result.timestamp).toBeLessThan(CAPS.lifetime)
            expect([result.topics.length <= CAPS.topics, result.citations.length <= CAPS.citations]).toEqual([
              true,
              true,
            ])
            expect(result.confidence_score).toBeGreaterThanOrEqual(0)
            expect(result.confidence_score).toBeLessThanOrEqual(1)
          }
          // The research cache never names a result that is gone.
          for (const key of Object.values(all.research_cache)) expect(Object.hasOwn(all.cached_results, key)).toBe(true)
          expect(JSON.stringify(after(findings, step))).toBe(JSON.stringify(all))
          expect(JSON.stringify(JSON.parse(JSON.stringify(all)))).toBe(JSON.stringify(all))
        },
      ),
      { numRuns: 60 },
    )
  })

  it('[assistant-8] evicts the oldest, and of one time the smaller key', () => {
    const many = Array.from({ length: CAPS.results + 3 }, (_, index) =>
      finding({ content: `Result ${index}`, query: `q${index}` }),
    )
    const kept = Object.values(after(many).cached_results).map(({ content }) => content)
    expect(kept).toHaveLength(CAPS.results)
    expect(kept).not.toContain('Result 0')
    expect(kept).toContain(`Result ${CAPS.results + 2}`)
    // All of one time: those with the smallest keys are gone.
    const keys = Object.keys(after(many, 0).cached_results).toSorted()
    const all = many.map(({ content }) => fingerprint(content)).toSorted()
    expect(keys).toEqual(all.slice(-CAPS.results))
  })

  it('[assistant-8] goes on with a topic, and takes the first topic of a list', () => {
    const all = after([
      finding({ topics: ['Weather', 'Hall'] }),
      finding({ topics: ['hall', 'weather'], content: 'b' }),
    ])
    expect(all).toMatchObject({
      current_topic: 'hall',
      topic_history: ['weather', 'hall'],
      topic_transitions: [{ from: 'weather', to: 'hall', at: 1 }],
      intelligence_version: 2,
    })
    expect(after([finding(), finding({ topics: [] })]).current_topic).toBe('weather')
  })

  it.each([
    ['How warm is it, please?', 'use_cached_context', 1],
    ['how warm is the hall', 'supplement_cache', 1],
    ['warm or cold in Lima', 'fresh_search', 0.5],
    ['', 'fresh_search', 1],
    ['degrees', 'fresh_search', 0.1],
  ] as const)('[assistant-9] covers %j: %s', (query, plan, confidence) => {
    const all = after([finding({ content: 'How warm: the hall has 21 degrees.', confidence })])
    expect(planFor(coverageOf(all, query, 1))).toBe(plan)
    expect(sliceFor(all, query, CAPS.lifetime + 1)).toEqual([])
  })

  it('[assistant-9] the same question is covered in full by what answered it, for whoever may be told of it', () => {
    const all = after([finding({ query: 'Why do moths gather?', content: 'Because of the light.' })])
    expect(coverageOf(all, 'Why do moths gather?', 1)).toBeCloseTo(0.8)
    expect(coverageOf(all, 'why do moths gather? ', 1, ['research'])).toBeCloseTo(0.8)
    expect(coverageOf(all, 'Why do moths gather?', 1, ['chat'])).toBe(0)
    expect(coverageOf(all, 'Why do bees gather?', 1)).toBe(0)
    const long = 'Why do so many moths gather around the lamps of the old town'
    const asked = after([finding({ query: `${long} in June?`, content: 'So many moths gather around lamps in June.' })])
    expect(planFor(coverageOf(asked, `${long} in June?`, 1))).toBe('use_cached_context')
    expect(planFor(coverageOf(asked, `${long} in May?`, 1))).not.toBe('use_cached_context')
  })

  it('[assistant-9] of equal results the later comes first, and of one time the smaller key', () => {
    const word = fc.constantFrom('warm', 'hall', 'degrees', 'wind')
    const content = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(' '))
    fc.assert(
      fc.property(fc.array(fc.tuple(content, fc.nat(3)), { maxLength: 12 }), (drawn) => {
        const all = drawn.reduce(
          (before, [text, at], index) => keepFinding(before, finding({ content: `${text} ${index}` }), at, fingerprint),
          NO_INTELLIGENCE,
        )
        const slice = sliceFor(all, 'warm hall degrees', 3)
        const before = (a: (typeof slice)[number], b: (typeof slice)[number]) =>
          a.score - b.score || a.timestamp - b.timestamp || (a.key < b.key ? 1 : -1)
        for (const [index, each] of slice.slice(1).entries()) expect(before(slice[index]!, each)).toBeGreaterThan(0)
      }),
    )
  })

  it('[assistant-9] a briefing gets at most five results, those that share the most words first', () => {
    const all = after(
      Array.from({ length: 12 }, (_, index) =>
        finding({ content: `warm hall ${'degrees '.repeat(index % 2)}${index}` }),
      ),
    )
    const slice = sliceFor(all, 'warm hall degrees', 12)
    expect(slice).toHaveLength(CAPS.slice)
    expect(slice.every(({ content }) => content.includes('degrees'))).toBe(true)
    expect(slice.map(({ timestamp }) => timestamp)).toEqual([11, 9, 7, 5, 3])
  })
})
