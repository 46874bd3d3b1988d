import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { announcer, spoken } from '../../widget/announcer.ts'
import { englishTexts } from '../../widget/texts/en.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('announcements', () => {
  it('[embed-40] one message is announced once, whole, in one place', () => {
    const { announce, heard } = listen()
    announce.say('Maya: Hello.')
    vi.advanceTimersByTime(250)
    expect(heard()).toEqual(['Maya: Hello.'])
  })

  it('[embed-40] announcements within 250 ms go out together', () => {
    const { announce, heard, regions } = listen()
    announce.say('Maya: Hello.')
    vi.advanceTimersByTime(200)
    announce.say('Objective met: Ask.')
    vi.advanceTimersByTime(49)
    expect(heard()).toEqual([])
    vi.advanceTimersByTime(1)
    expect(heard()).toEqual(['Maya: Hello. Objective met: Ask.'])
    vi.advanceTimersByTime(5_000)
    expect(regions.map(({ textContent }) => textContent)).toContain('Maya: Hello. Objective met: Ask.')
  })

  it('[embed-40] the same text twice makes two announcements, in two regions', () => {
    const { announce, heard, regions } = listen()
    for (const _ of [1, 2]) {
      announce.say('Hm.')
      vi.advanceTimersByTime(250)
    }
    expect(heard()).toEqual(['Hm.', 'Hm.'])
    expect(regions.map(({ textContent }) => textContent)).toEqual(['Hm.', ''])
  })

  it('[embed-40] says that a reply is coming only after two seconds, and not when it has come', () => {
    const { announce, heard } = listen()
    announce.sayIfSlow('Maya is replying')
    vi.advanceTimersByTime(1_999)
    announce.cancelSlow()
    vi.advanceTimersByTime(5_000)
    expect(heard()).toEqual([])
    announce.sayIfSlow('Maya is replying')
    vi.advanceTimersByTime(2_250)
    expect(heard()).toEqual(['Maya is replying'])
  })

  it('[embed-40] empties both regions after 15 seconds, and at the end', () => {
    const { announce, regions } = listen()
    announce.say('Hello.')
    vi.advanceTimersByTime(250)
    expect(regions.map(({ textContent }) => textContent)).toContain('Hello.')
    vi.advanceTimersByTime(15_000)
    expect(regions.map(({ textContent }) => textContent)).toEqual(['', ''])
    announce.say('Too late.')
    announce.stop()
    vi.advanceTimersByTime(60_000)
    expect(regions.map(({ textContent }) => textContent)).toEqual(['', ''])
  })

  it('[embed-40] reads a reply without Markdown, and a long one by its first sentence', () => {
    expect(spoken('It’s **8.1 %**, see [the report](https://a.example).', englishTexts)).toBe(
      'It’s 8.1 %, see the report.',
    )
    expect(spoken('# Soon\n> 3 > 2, <b>really</b>', englishTexts)).toBe('Soon\n3 > 2, <b>really</b>')
    const long = `First. ${'More words here. '.repeat(40)}`
    expect(spoken(long, englishTexts)).toBe('First. 40 more sentences in the transcript.')
  })
})

function listen() {
  const log: string[] = []
  const region = () => {
    let text = ''
    return {
      get textContent() {
        return text
      },
      set textContent(value: string | null) {
        text = value ?? ''
        if (text) log.push(text)
      },
    }
  }
  const regions = [region(), region()] as const
  return { announce: announcer(regions), regions, heard: () => log.slice() }
}
