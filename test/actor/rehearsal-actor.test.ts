import { describe, expect, it } from 'vitest'
import { ActorError } from '../../worker/actor/actor.ts'
import { createRehearsalActor } from '../../worker/actor/rehearsal-actor.ts'
import type { Briefing } from '../../worker/core/briefing/briefing.ts'
import { readReply } from '../../worker/core/reply/read-report.ts'
import { EMPTY_REPORT } from '../../worker/core/reply/report.ts'
import { SEPARATOR } from '../../worker/core/reply/separator.ts'
import { createReplySplitter } from '../../worker/core/reply/splitter.ts'
import { Conversation, launchDecision } from '../support/rehearsal-conversation.ts'

const scenario = launchDecision()
const noPace = () => Promise.resolve()

describe('the stream', () => {
  it('[rehearsal-1] is the same for the same briefing, at any pace', async () => {
    const slow = createRehearsalActor({ pace: () => new Promise((resolve) => setImmediate(resolve)) })
    const quick = createRehearsalActor({ pace: noPace })
    expect(await collect(slow.speak(briefing(), live()))).toEqual(await collect(quick.speak(briefing(), live())))
  })

  it('[rehearsal-2] is speech in words, the separator once, and the report on one line', async () => {
    const pieces = await collect(createRehearsalActor({ pace: noPace }).speak(briefing(), live()))
    const text = pieces.join('')
    expect(text.split(SEPARATOR)).toHaveLength(2)
    const [speech, metadata] = text.split(`\n${SEPARATOR}\n`)
    expect(pieces.slice(0, -2).every((piece) => /^\S+ ?$/.test(piece))).toBe(true)
    expect(speech).toMatch(/^It makes things up\./)
    expect(metadata).not.toContain('\n')
    expect(Object.keys(JSON.parse(metadata ?? '')).toSorted()).toEqual(Object.keys(EMPTY_REPORT).toSorted())
  })

  it('[rehearsal-2] is clean to the splitter and the ladder', async () => {
    const pieces = await collect(createRehearsalActor({ pace: noPace }).speak(briefing(), live()))
    const splitter = createReplySplitter({ npcName: 'Maya Patel' })
    for (const piece of pieces) splitter.feed(piece)
    const end = splitter.end()
    const read = readReply(end, { repair: (text) => text, outside: { theirs: ['So what did run 47 show?'], ours: [] } })
    expect(read.quality).toBe('clean')
    expect(end.issues).toEqual([])
    expect(end.speech).toBe(pieces.join('').split(`\n${SEPARATOR}`)[0])
    expect(read.report).toMatchObject({ node_satisfied: true, emotional_state: 'neutral' })
  })

  it('[rehearsal-2] keeps to the separator a deployment asks for', async () => {
    const actor = createRehearsalActor({ pace: noPace })
    const pieces = await collect(actor.speak({ ...briefing(), separator: '---END:K3---' }, live()))
    expect(pieces.at(-2)).toBe('\n---END:K3---\n')
  })

  it('[rehearsal-3] waits for the pace before every piece', async () => {
    const log: string[] = []
    const actor = createRehearsalActor({ pace: async (piece) => void log.push(`pace ${piece}`) })
    for await (const piece of actor.speak(briefing(), live())) log.push(`said ${piece}`)
    expect(log.slice(0, 4)).toEqual(['pace It ', 'said It ', 'pace makes ', 'said makes '])
    expect(log.filter((entry) => entry.startsWith('pace'))).toHaveLength(log.length / 2)
  })

  it('[rehearsal-3] ends as aborted when the signal was aborted before', async () => {
    const stream = createRehearsalActor({ pace: noPace }).speak(briefing(), AbortSignal.abort())
    await expect(collect(stream)).rejects.toEqual(new ActorError('aborted'))
  })

  it('[rehearsal-3] ends as aborted between two words, and keeps what was said', async () => {
    const control = new AbortController()
    const said: string[] = []
    const run = async () => {
      for await (const piece of createRehearsalActor({ pace: noPace }).speak(briefing(), control.signal)) {
        said.push(piece)
        if (said.length === 3) control.abort()
      }
    }
    await expect(run()).rejects.toEqual(new ActorError('aborted'))
    expect(said).toHaveLength(3)
  })

  it('[rehearsal-3] ends as aborted while a pace waits that would never come back', async () => {
    const control = new AbortController()
    const waiting = Promise.withResolvers<void>()
    const actor = createRehearsalActor({
      pace: () => {
        waiting.resolve()
        return new Promise(() => {})
      },
    })
    const first = actor.speak(briefing(), control.signal)[Symbol.asyncIterator]().next()
    await waiting.promise
    control.abort()
    await expect(first).rejects.toEqual(new ActorError('aborted'))
  })

  it('[rehearsal-3] passes on what a pace throws of its own', async () => {
    const actor = createRehearsalActor({ pace: () => Promise.reject(new RangeError('no clock')) })
    await expect(collect(actor.speak(briefing(), live()))).rejects.toThrow('no clock')
  })
})

function briefing(): Briefing {
  const conversation = new Conversation(scenario, 'maya')
  conversation.say('Hi')
  return { system: '', user: '', separator: SEPARATOR, scene: conversation.scene('So what did run 47 show?') }
}

function live(): AbortSignal {
  return new AbortController().signal
}

async function collect(stream: AsyncIterable<string>): Promise<string[]> {
  const pieces: string[] = []
  for await (const piece of stream) pieces.push(piece)
  return pieces
}
