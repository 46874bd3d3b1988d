import * as z from 'zod'
import type { Scenario } from '../worker/core/scenario/scenario.ts'

/**
 * The shape of a scenario file, level by level. Unknown keys are findings, so that a misspelt key is not a silently
 * missing one. What has to fit together across keys is checked in `check-references.ts` and its neighbours.
 */
export const scenarioSchema = z.strictObject({
  id: slug(),
  version: z.int().min(1),
  title: text(),
  tier: z.enum(['TECHNICAL']),
  role: text(),
  situation: z.strictObject({ where: text(), what: text() }),
  decision: z.strictObject({
    question: text(),
    options: list(z.strictObject({ id: slug(), title: text() })).check(z.minLength(2)),
  }),
  objectives: list(z.strictObject({ id: slug(), title: text() })).check(z.minLength(1)),
  npcs: list(npc()).check(z.minLength(1)),
  synonyms: list(list(text()).check(z.minLength(2))).default([]),
}) satisfies z.ZodType<Scenario>

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never
true satisfies Same<Scenario, z.infer<typeof scenarioSchema>>

function npc() {
  return z.strictObject({
    id: slug(),
    name: text(),
    role: text(),
    hue: z.number().min(0).max(360),
    scene: text(),
    greeting: text(),
    beats: z.strictObject({ beat1: list(text()), beat6: list(text()) }),
    knowledge: list(text()),
    concerns: list(text()),
    goals: list(text()),
    opinion: z.strictObject({ rightCall: text(), argument: text() }).nullable(),
    document: z.strictObject({ title: text(), kind: text(), lines: list(text()).check(z.minLength(1)) }).nullable(),
    decisionFacts: list(text()),
    pivots: list(pivot()),
    keyReveal: text().nullable(),
    goal: z.strictObject({ objective: slug(), endCondition: text() }),
    next: z.strictObject({ npc: slug(), why: text() }).nullable(),
    owns: text(),
    subjects: list(text()).check(z.minLength(1)),
    rehearsal: rehearsal(),
  })
}

function pivot() {
  const choice = z.strictObject({
    id: slug(),
    text: text(),
    mood: z.int().min(-20).max(20),
    reaction: text(),
    effect: text(),
  })
  return z.strictObject({
    id: slug(),
    question: text(),
    choices: list(choice).check(
      z.minLength(2, 'a fork needs 2 to 4 choices'),
      z.maxLength(4, 'a fork needs 2 to 4 choices'),
    ),
  })
}

function rehearsal() {
  const node = z.strictObject({
    open: spokenLines().default([]),
    stay: spokenLines().default([]),
    escalated: spokenLines().default([]),
    satisfied: spokenLines().default([]),
  })
  return z.strictObject({
    nodes: z.record(z.string().regex(/^[A-Z][A-Z0-9_]*$/, 'node ids are upper case, like PIVOT_1'), node).readonly(),
    answers: list(z.strictObject({ asks: some(text()), say: some(text()), point: text().nullable() })),
    acknowledgements: list(z.strictObject({ groups: some(some(text())) })),
    redirects: list(z.strictObject({ npc: slug(), say: some(text()) })),
    asides: asides(),
  })
}

function asides() {
  return z.strictObject({
    unknown: some(text()),
    noIdea: some(text()),
    inOtherWords: some(text()),
    again: some(text()),
    pushback: some(text()),
    offTopic: some(text()),
    hello: some(text()),
    thanks: some(text()),
    wordless: some(text()),
    foreign: some(text()),
    insult: some(text()),
    idle: some(text()),
    quoting: some(text().check(z.includes('{line}', { error: 'has to say where the {line} goes' }))),
  })
}

function spokenLines() {
  return list(
    z.union([text(), z.strictObject({ say: text(), point: text() })], {
      error: 'is neither a line nor { say, point }',
    }),
  )
}

function list<Item extends z.ZodType>(item: Item) {
  return z.array(item).readonly()
}

function some<Item extends z.ZodType>(item: Item) {
  return list(item).check(z.minLength(1))
}

function text() {
  return z.string().check(z.trim(), z.minLength(1, 'is empty'))
}

function slug() {
  return z.string().regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'ids are lower case words joined by hyphens, like ship-as-is')
}
