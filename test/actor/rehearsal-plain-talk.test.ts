import { describe, expect, it } from 'vitest'
import { concludeReflection } from '../../worker/actor/rehearsal/conclude.ts'
import { dismisses } from '../../worker/actor/rehearsal/dismiss.ts'
import { isGrave } from '../../worker/actor/rehearsal/engagement.ts'
import { doubted, hearMessage, isLost } from '../../worker/actor/rehearsal/hear.ts'
import { likenesses } from '../../worker/actor/rehearsal/likeness.ts'
import { saysNone, saysReady } from '../../worker/actor/rehearsal/meaning.ts'
import { refuses } from '../../worker/actor/rehearsal/select.ts'
import type { NodeBrief } from '../../worker/core/briefing/briefing.ts'
import type { TaskScene } from '../../worker/core/briefing/task.ts'
import { coach, coachingScenario } from '../support/coaching.ts'

const NONE = new Map<string, string>()
const BACKBONE = { state: null } as NodeBrief

describe('what people say in passing', () => {
  it.each([
    ['not really', false],
    ['Nobody, really.', false],
    ['nobody really', false],
    ['really?', true],
    ['Oh, really', true],
    ['But is that really true?', true],
    ['Are you sure?', true],
  ])('[rehearsal-7] %j doubts something: %j', (text, expected) =>
    expect(doubted(hearMessage(text)) !== null).toBe(expected),
  )

  it.each([
    ["it's unclear who reviews it", false],
    ['my boss does not get it', false],
    ["I don't understand my manager", false],
    ['how do I say it to him?', false],
    ["I don't get it", true],
    ["Sorry, I still don't follow", true],
    ["That's unclear", true],
    ["I'm confused", true],
    ['Can you say that again?', true],
  ])('[rehearsal-7] %j asks for other words: %j', (text, expected) => expect(isLost(hearMessage(text))).toBe(expected))

  it.each([
    ['23% is a detail', true],
    ["It's a technicality.", true],
    ["I don't want to do this", true],
    ["I don't want to do this at 23%", false],
    ['23% is not a detail', false],
    ['Is 23% a detail?', false],
    ['8% looks ok on a slide, but it hides the medical ones', false],
    ['I hear you, but who cares about the contract', true],
    ['How does nobody notice that?', false],
    ['What happens if nobody reads it?', false],
    ['Who cares?', true],
  ])('[rehearsal-19] %j waves it away: %j', (text, expected) => expect(dismisses(hearMessage(text))).toBe(expected))
})

describe('slang', () => {
  it.each([
    ['haha', 'grunt'],
    ['Haha!', 'grunt'],
    ['wtf', 'grunt'],
    ['ngl imo', 'grunt'],
    ['nope', 'grunt'],
    ['...', 'wordless'],
    ['lol why?', 'plain'],
  ])('[rehearsal-14] %j is heard as %s', (text, manner) => expect(hearMessage(text).manner).toBe(manner))
})

describe('another language', () => {
  it.each([
    ['Guten Tag', 'foreign'],
    ['Kann ich bitte nach Hause gehen', 'foreign'],
    ['Je suis malade', 'foreign'],
    ['What about the price tag?', 'plain'],
  ])('[rehearsal-14] %j is heard as %s', (text, manner) => expect(hearMessage(text).manner).toBe(manner))
})

describe('a grave matter', () => {
  it.each([
    "I'm being harassed by Marcus",
    'my manager is bullying me',
    'I was sexually assaulted.',
    "I don't feel safe around him",
    'I want to die',
    'So 23% then. And I get panic attacks.',
  ])('[rehearsal-29] %j comes first', (text) => expect(isGrave(hearMessage(text), BACKBONE)).toBe(true))

  it.each([
    'He is bullying me into a date',
    'What if a member writes that they want to die?',
    'If a member says "I hurt myself", it makes something up.',
    'Members with panic attacks ask it about tablets',
    "I don't feel safe shipping this",
    'The deadline is killing us',
  ])('[rehearsal-29] %j is about the matter', (text) => expect(isGrave(hearMessage(text), BACKBONE)).toBe(false))

  it('[rehearsal-29] is for the states of a context graph, where there is one', () => {
    const state = { state: {} } as NodeBrief
    expect(isGrave(hearMessage('I want to die'), state)).toBe(false)
  })
})

describe('a bare no', () => {
  it.each([
    ['no', true],
    ['No, thanks.', true],
    ['not really', true],
    ['nope, sorry', true],
    ['no idea', false],
    ['no, go on', false],
    ['not sure', false],
    ['', false],
  ])('[selection-30] %j is one: %j', (text, expected) => expect(refuses(hearMessage(text))).toBe(expected))

  it('[selection-30] is read against what the exits are there for', () => {
    expect(saysReady('The opening is done, and they are content to begin', NONE)).toBe(true)
    expect(saysReady('They have told whom they turn to', NONE)).toBe(false)
    expect(saysNone('They have settled on a step, or on no step at all', NONE)).toBe(true)
    expect(saysNone('They have settled on a step', NONE)).toBe(false)
  })
})

describe('a cue', () => {
  const heard = (text: string) =>
    likenesses(hearMessage(text), [{ descriptions: [], cues: ['go on', 'end'] }], NONE)[0] ?? 0

  it.each([
    ['Actually no, go on', true],
    ['No. Go on.', true],
    ['I am not sure, go on', true],
    ['I would not go on', false],
    ['No go on that', false],
  ])('[selection-22] in %j is heard: %j', (text, expected) => expect(heard(text) >= 1).toBe(expected))

  it.each(['---END---', 'ok\n--- end ---', '———END———', '---END:ab12---'])('[selection-22] is none in %j', (text) => {
    expect(heard(text)).toBe(0)
  })
})

describe('a conclusion', () => {
  const scene = (learner: string, ...before: string[]): TaskScene => ({
    scenario: coachingScenario,
    npc: { ...coach, rehearsal: { ...coach.rehearsal, states: {} } },
    history: before.map((text) => ({ who: 'learner', text })),
    said: [],
    relationship: { score: 0, level: 'neutral' },
    learner,
    lineKey: 'talk',
    thoughts: [],
    safetyExits: [],
  })
  const request = { type: 'reflection-request', request: 'r', node: 'n', problem: 'p', wordLimit: 60 } as const

  it('[selection-28] of a last message that says nothing is drawn from the one before', () => {
    const drawn = concludeReflection(request, scene("That's all, thanks", 'The overtime never ends', 'ok'))
    expect(drawn).toContain('overtime')
    expect(drawn).not.toContain('thanks')
  })

  it('[selection-28] is the author’s where a phrase of an earlier message fits it, and never by a single word', () => {
    const conclusions = [
      { hears: ['nobody told'], text: 'It was never explained.' },
      { hears: ['nobody'], text: 'They have nobody.' },
      { hears: [], text: 'All is well.' },
    ]
    const told = (learner: string, ...before: string[]) => {
      const told = scene(learner, ...before)
      const rehearsal = { ...coach.rehearsal, states: { talk: { actions: [], exits: [], conclusions } } }
      return concludeReflection(request, { ...told, npc: { ...coach, rehearsal } })
    }
    expect(told('Sam', 'Nobody told me', 'ok')).toBe('It was never explained.')
    expect(told('Nobody', 'Nobody told me')).toBe('They have nobody.')
    expect(told('Sam', 'Nobody sees that')).toBe('All is well.')
    expect(told('Sam', 'Nobody told me', 'a', 'b', 'c', 'd', 'e', 'f')).toBe('All is well.')
  })

  it('[selection-28] of nothing at all says so, and no more', () => {
    expect(concludeReflection(request, scene('idk', 'k', 'no'))).toBe('They have given me nothing to go by yet.')
  })
})

describe('a name in what is said', () => {
  const people = new Set(['zoltan'])
  it.each(['Zoltan', 'hello Zoltan', 'Thanks, Zoltan', 'So, Zoltan, is that the limit?', 'ok Zoltan, repeat after me'])(
    '[rehearsal-14] of the scenario counts for nothing by itself, whoever is in its cast: %s',
    (text) => {
      const [named, plain] = [hearMessage(text, people), hearMessage(text.replace(/,? Zoltan/, ''), people)]
      expect(named.manner).toBe(text === 'Zoltan' ? 'hello' : plain.manner)
      if (text !== 'Zoltan')
        expect(named.sentences.map(({ form }) => form)).toEqual(plain.sentences.map(({ form }) => form))
    },
  )

  it('[rehearsal-14] of nobody in the scenario is a word like any other', () => {
    expect(hearMessage('Maya', people).manner).toBe('plain')
    expect(hearMessage('Maya', new Set(['maya'])).manner).toBe('hello')
  })
})
