import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  densityFactors,
  densityOf,
  densityOfDocument,
  densityOfState,
  type DensitySource,
} from '../../worker/core/graph/density.ts'
import { NO_GUIDELINES } from '../../worker/core/graph/graph.ts'
import { baseData, documentFrom } from '../support/graph-document.ts'

describe('density', () => {
  it('[lint-23] is the mean of five factors, and its band follows from the score', () => {
    fc.assert(
      fc.property(anyState, (state) => {
        const factors = Object.values(densityFactors(state))
        const { score, band } = densityOf(state)
        expect(factors).toHaveLength(5)
        for (const factor of factors) {
          expect(factor).toBeGreaterThanOrEqual(0)
          expect(factor).toBeLessThanOrEqual(1)
        }
        expect(score).toBeCloseTo(factors.reduce((sum, factor) => sum + factor, 0) / 5, 1)
        expect(score).toBe(Number(score.toFixed(2)))
        expect(band).toBe(score < 0.25 ? 'minimal' : score < 0.5 ? 'moderate' : score < 0.75 ? 'dense' : 'override')
        expect(densityOf(state)).toEqual(densityOf(structuredClone(state)))
      }),
    )
  })

  it('[lint-24] the three examples come out from an actor who leads to a graph that does', () => {
    expect([LOW, MEDIUM, HIGH].map((state) => densityOf(state).band)).toEqual(['minimal', 'moderate', 'dense'])
  })

  it('[lint-24] by their objectives alone the three come in that order', () => {
    const alone = [LOW, MEDIUM, HIGH].map(({ objective }) => densityOf({ ...MEDIUM, objective }).score)
    expect(alone).toEqual(alone.toSorted((a, b) => a - b))
    expect(new Set(alone).size).toBe(3)
  })

  it('[lint-25] a boundary, a firm word or a longer action never lowers it, an exit more never raises it', () => {
    fc.assert(
      fc.property(anyState, (state) => {
        const { score } = densityOf(state)
        const { boundary } = state.guidelines
        const bounded = { ...state.guidelines, boundary: [...boundary, { text: 'No more', isHard: true }] }
        expect(densityOf({ ...state, guidelines: bounded }).score).toBeGreaterThanOrEqual(score)
        expect(densityOf({ ...state, objective: `${state.objective} exactly` }).score).toBeGreaterThanOrEqual(score)
        const longer = state.actions.map((action) => `${action} once more`)
        expect(densityOf({ ...state, actions: longer }).score).toBeGreaterThanOrEqual(score)
        expect(densityOf({ ...state, exits: [...state.exits, {}] }).score).toBeLessThanOrEqual(score)
      }),
    )
  })

  it('[lint-26] of a graph it is the mean of what its action states come to with its guidelines', () => {
    const document = documentFrom(baseData())
    const states = document.states.flatMap((state) =>
      state.type === 'action' && state.name !== 'close_visit' ? [densityOfState(document, state).score] : [],
    )
    expect(states).toHaveLength(5)
    expect(densityOfDocument(document).score).toBeCloseTo(states.reduce((sum, score) => sum + score, 0) / 5, 2)
    const strict = {
      ...document,
      globalBoundaryConstraints: Array.from({ length: 8 }, () => ({ text: 'No', isHard: false })),
    }
    expect(densityOfDocument(strict).score).toBeGreaterThan(densityOfDocument(document).score)
  })
})

const LOW: DensitySource = {
  objective: 'Create space for open exploration of possibilities without excessive structure',
  actions: ['Invite', 'Listen'],
  guidelines: {
    ...NO_GUIDELINES,
    navigation: ['Feel free to follow where it goes'],
    action: ['Let your own judgment lead'],
  },
  exits: [{}, {}, {}, {}],
}

const MEDIUM: DensitySource = {
  objective: 'Engage the client on their current query while handling natural topic changes within conversation flow',
  actions: [
    'Answer what was asked, with something of use before anything is asked back',
    'Ask one thing that would change the answer for this client',
    'Go along with a change of topic as it comes',
  ],
  guidelines: {
    navigation: [
      'Take a new topic up here',
      'Keep in mind which topic is the present one',
      'Say aloud that it changed',
    ],
    action: ['Fit the answer to this client'],
    boundary: [
      { text: 'Do not leave because the topic changed', isHard: false },
      { text: 'Do not pull the client back', isHard: false },
    ],
  },
  exits: [{}, {}],
}

const HIGH: DensitySource = {
  objective: 'Verify all required regulatory compliance elements while maintaining strict protocol adherence',
  actions: [
    'Read the identity questions from the protocol and check each answer against the record before going on',
    'Read the consent statement verbatim and wait for an explicit yes',
    'Record the answer and read it back exactly as it was given',
  ],
  guidelines: {
    navigation: [
      'Always go in the order of the protocol',
      'Never skip a step',
      'Leave only once every element is verified',
    ],
    action: ['Use the exact wording', 'Never paraphrase'],
    boundary: [
      { text: 'Never go on without consent', isHard: true },
      { text: 'Give no advice', isHard: true },
      { text: 'Name no other client', isHard: false },
    ],
  },
  exits: [{}, {}],
}

const anyText = fc.oneof(
  fc.string(),
  fc.lorem({ maxCount: 6 }),
  fc.constantFrom('Never skip a step', 'Feel free to explore'),
)

const anyState: fc.Arbitrary<DensitySource> = fc.record({
  objective: anyText,
  actions: fc.array(anyText, { maxLength: 8 }),
  guidelines: fc.record({
    navigation: fc.array(anyText, { maxLength: 10 }),
    action: fc.array(anyText, { maxLength: 10 }),
    boundary: fc.array(fc.record({ text: anyText, isHard: fc.boolean() }), { maxLength: 10 }),
  }),
  exits: fc.array(fc.constant({}), { maxLength: 9 }),
})
