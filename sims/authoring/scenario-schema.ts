import * as z from 'zod'
import type { Scenario } from '../../worker/core/scenario/scenario.ts'
import { itemsOf, language, pivot, slug, some, text, tier } from './shapes.ts'

/**
 * The schema of a scenario file. Unknown keys are findings, so that a misspelt key doesn't go unnoticed.
 * `check-references.ts` and the other files named `check-…` check values against each other.
 */
export const scenarioSchema = z.strictObject({
  id: slug(),
  version: z.int().min(1),
  title: text(),
  tier: tier(),
  role: text(),
  situation: z.strictObject({ where: text(), what: text() }),
  decision: z.strictObject({
    question: text(),
    options: itemsOf(z.strictObject({ id: slug(), title: text(), needs: some(slug()).optional() })).check(
      z.minLength(2),
    ),
  }),
  objectives: itemsOf(z.strictObject({ id: slug(), title: text() })).check(z.minLength(1)),
  npcs: itemsOf(npc()).check(z.minLength(1)),
  synonyms: itemsOf(itemsOf(text()).check(z.minLength(2))).default([]),
  run: z
    .strictObject({
      completes: z.union([z.literal('all'), itemsOf(slug()).check(z.minLength(1))], {
        error: 'is neither all nor a list of colleagues',
      }),
    })
    .optional(),
  simulation: simulation().optional(),
  language: language().optional(),
  translates: slug().optional(),
}) satisfies z.ZodType<Scenario>

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never
true satisfies Same<Omit<Scenario, 'assistant'>, z.infer<typeof scenarioSchema>>

function simulation() {
  return z.strictObject({
    minutes: z.int().min(1).max(600),
    skills: some(z.union([text(), z.strictObject({ title: text(), facts: some(slug()) })])),
    hook: z.strictObject({ npc: slug(), line: text() }).optional(),
    deadline: text(),
    guide: slug(),
    facts: some(
      z.strictObject({
        id: slug(),
        npc: slug(),
        text: text(),
        heard: some(some(text())),
        stated: some(some(text())).optional(),
        deciding: z.boolean(),
      }),
    ),
    endings: some(
      z.strictObject({
        option: slug(),
        verdict: z.enum(['right', 'defensible', 'wrong']),
        after: some(paragraph()),
        facts: some(slug()),
      }),
    ),
  })
}

function paragraph() {
  const facts = some(slug()).optional()
  const deeds = z
    .strictObject({ heard: facts, cited: facts })
    .refine(({ heard, cited }) => heard !== undefined || cited !== undefined, { error: 'names no deed' })
  return z.union(
    [text(), z.strictObject({ when: z.union([deeds, some(deeds)]), text: text(), otherwise: text().optional() })],
    {
      error: 'is neither a text nor { when: { heard, cited }, text, otherwise }',
    },
  )
}

function npc() {
  return z.strictObject({
    id: slug(),
    name: text(),
    role: text(),
    hue: z.number().min(0).max(360),
    scene: text(),
    walk: z
      .union([slug(), z.strictObject({ graph: slug(), version: z.int().min(1) })], {
        error: 'is neither tier, guide nor the id of a backbone, nor { graph, version }',
      })
      .default('tier'),
    greeting: text(),
    openers: itemsOf(text()).check(z.length(2)).optional(),
    beats: z.strictObject({ beat1: itemsOf(text()).default([]), beat6: itemsOf(text()).default([]) }).prefault({}),
    knowledge: itemsOf(text()),
    depth: itemsOf(text()).default([]),
    challenges: itemsOf(text()).default([]),
    concerns: itemsOf(text()).default([]),
    goals: itemsOf(text()).default([]),
    opinion: z.strictObject({ rightCall: text(), argument: text() }).nullable().default(null),
    document: z
      .strictObject({ title: text(), kind: text(), lines: itemsOf(text()).check(z.minLength(1)) })
      .nullable()
      .default(null),
    decisionFacts: itemsOf(text()).default([]),
    pivots: itemsOf(pivot()).default([]),
    keyReveal: text().nullable().default(null),
    goal: z.strictObject({ objective: slug(), endCondition: text() }),
    next: z.strictObject({ npc: slug(), why: text() }).nullable().default(null),
    owns: text(),
    subjects: itemsOf(text()).check(z.minLength(1)),
    rehearsal: rehearsal().prefault({}),
  })
}

/** The rehearsal lines of a colleague, or of a draft. `checkSupply` finds what is missing. */
export function rehearsal() {
  const node = z.strictObject({
    open: spokenLines().default([]),
    stay: spokenLines().default([]),
    escalated: spokenLines().default([]),
    satisfied: spokenLines().default([]),
  })
  const state = z.strictObject({
    actions: itemsOf(spokenLines()).default([]),
    exits: itemsOf(itemsOf(text())).default([]),
    conclusions: itemsOf(z.strictObject({ hears: itemsOf(text()).default([]), text: text() })).default([]),
    tools: z
      .record(
        z.string(),
        z.strictObject({
          hears: some(text()),
          says: textWith('{result}'),
          fails: text(),
        }),
      )
      .readonly()
      .exactOptional(),
  })
  return z.strictObject({
    states: z
      .record(z.string().regex(/^[a-z0-9_-]+(\.[a-z0-9_-]+)?$/, 'names a state: state or graph.state'), state)
      .readonly()
      .default({}),
    nodes: z
      .record(z.string().regex(/^[A-Z][A-Z0-9_]*$/, 'node ids are upper case, like PIVOT_1'), node)
      .readonly()
      .default({}),
    answers: itemsOf(
      z.strictObject({
        asks: some(text()),
        heard: some(some(text())).exactOptional(),
        follows: text().exactOptional(),
        after: itemsOf(z.strictObject({ line: text(), asks: some(text()) })).exactOptional(),
        say: some(text()),
        point: text().nullable().default(null),
      }),
    ).default([]),
    acknowledgements: itemsOf(
      z.strictObject({
        groups: some(some(text())),
        not: some(text()).exactOptional(),
        questions: some(text()).exactOptional(),
      }),
    ).default([]),
    redirects: itemsOf(z.strictObject({ npc: slug(), say: some(text()) })).default([]),
    asides: asides().prefault({}),
    phrases: phrases().exactOptional(),
  })
}

function asides() {
  const lines = () => some(text()).default([])
  return z.strictObject({
    unknown: lines(),
    noIdea: lines(),
    inOtherWords: lines(),
    again: lines(),
    pushback: lines(),
    offTopic: lines(),
    hello: lines(),
    thanks: lines(),
    wordless: lines(),
    foreign: lines(),
    insult: lines(),
    idle: lines(),
    quoting: some(textWith('{line}')).default([]),
  })
}

function phrases() {
  const lines = () => some(text()).exactOptional()
  return z.strictObject({
    confirmed: lines(),
    takenIn: lines(),
    lastCall: lines(),
    allTold: lines(),
    bye: lines(),
    metAll: lines(),
    handover: lines(),
    notSaidBack: lines(),
    besides: lines(),
    askingBack: lines(),
    soFar: lines(),
    halfOfIt: lines(),
    whyOfIt: lines(),
    notFollowed: lines(),
    takenUp: lines(),
    notAsked: some(textWith('{question}')).exactOptional(),
  })
}

function textWith(part: string) {
  return text().check(z.includes(part, { error: `has to say where the ${part} goes` }))
}

function spokenLines() {
  return itemsOf(
    z.union([text(), z.strictObject({ say: text(), point: text() })], {
      error: 'is neither a line nor { say, point }',
    }),
  )
}
