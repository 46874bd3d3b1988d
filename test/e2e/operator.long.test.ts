import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createChainClient } from '../../worker/chain/client/chain-client.ts'
import type { ChainClient } from '../../worker/chain/client/chain-client.ts'
import { DEVELOPMENT_TOKEN } from '../../worker/chain/tokens/token-text.ts'
import { Operator } from '../support/operator-page.ts'
import { beginSession, Player } from '../support/player.ts'
import { putWorkflow } from '../support/put-workflow.ts'
import { BEGUN, runOfLarkfield } from '../support/run-of-larkfield.ts'
import { serveInBrowser } from '../support/serve.ts'
import { variants } from '../support/runs.ts'

const RUN = '#run=ctx_run-larkfield'
const MINUTE = 60_000
const at = (minutes: number, seconds = 0) => BEGUN + minutes * MINUTE + seconds * 1_000

const place = serveInBrowser({ WALKON_REHEARSAL_PACE_MS: '0' })
let client: ChainClient

beforeAll(async () => {
  client = createChainClient({ baseUrl: place.server.url.origin, token: DEVELOPMENT_TOKEN })
  await putWorkflow(place.server, runOfLarkfield())
})

/** Every page is watched: no page may log a policy violation or another error, or send a request to another host. */
const opened: Operator[] = []
afterEach(() => {
  for (const { watched } of opened.splice(0)) expect(watched.complaints).toEqual([])
})
async function open(address = '', options: Parameters<typeof Operator.open>[3] = {}): Promise<Operator> {
  return kept(await Operator.open(place.browser, place.server, address, { timezoneId: 'UTC', ...options }))
}
async function enter(address = '', options: Parameters<typeof Operator.open>[3] = {}): Promise<Operator> {
  return kept(await Operator.enter(place.browser, place.server, address, { timezoneId: 'UTC', ...options }))
}
function kept(operator: Operator): Operator {
  opened.push(operator)
  place.closeAfterwards(operator.context)
  return operator
}

describe('signing in', () => {
  it('[operator-1] requires a token, which is stored for the tab and in no address', async () => {
    const { page } = await open(RUN)
    await page.getByLabel('Token').fill(DEVELOPMENT_TOKEN)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('tree').waitFor()
    expect(await page.evaluate(() => location.href)).not.toContain(DEVELOPMENT_TOKEN)
    await page.reload()
    await page.getByRole('tree').waitFor()
    // The page in another tab does not have the token.
    const other = await page.context().newPage()
    await other.goto(page.url())
    await other.getByLabel('Token').waitFor()
    expect(await page.evaluate(() => [localStorage.length, document.cookie])).toEqual([0, ''])
  })

  it('[operator-1] can be undone: signing out leaves nothing behind', async () => {
    const operator = await enter(RUN)
    await operator.tree.waitFor()
    await operator.button('Sign out').click()
    await operator.page.getByLabel('Token').waitFor()
    expect(await operator.page.locator('body').innerText()).not.toContain('Larkfield')
    expect(await operator.page.evaluate(() => sessionStorage.length)).toBe(0)
    expect(await operator.hash()).toBe('')
    await operator.page.goBack().catch(() => null)
    expect(await operator.page.locator('body').innerText()).not.toContain('Larkfield')
  })

  it('[operator-1] as a second user shows nothing that the first had loaded', async () => {
    const operator = await enter()
    await operator.button('Check').click()
    await operator.main.getByText(/fits? together\.|not fit/).waitFor()
    await operator.button('Sign out').click()
    await operator.button('Use the development token').click()
    await operator.button('Check').waitFor()
    expect(await operator.main.getByText(/fits? together\.|not fit/).count()).toBe(0)
  })

  it('[operator-2] offers the development token at a service without keys of its own', async () => {
    const answer = await place.server.fetch('/api/operator')
    expect(await answer.json()).toEqual({ developmentToken: DEVELOPMENT_TOKEN })
    const foreign = await place.server.fetch('/api/operator', { headers: { Origin: 'https://away.invalid' } })
    expect(foreign.status).toBe(403)
    expect(await foreign.text()).not.toContain(DEVELOPMENT_TOKEN)
  })

  it.each(variants(['wkn_nobody-knows-this', 'café ☕', '  ']))(
    '[operator-3] refuses "%s" as a token, and says that it is not one',
    async (token) => {
      const operator = await open(RUN)
      const { page } = operator
      await page.getByLabel('Token').fill(token)
      await page.getByRole('button', { name: 'Sign in' }).click()
      if (token.trim() === '') {
        await answered(operator)
        return expect(await page.getByRole('alert').count()).toBe(0)
      }
      await expect.poll(() => page.getByRole('alert').textContent()).toContain('mistyped, expired or revoked')
      expect(await operator.hash()).toBe(RUN)
      await page.getByRole('button', { name: 'Use the development token' }).click()
      await page.getByRole('tree').waitFor()
      // The browser itself logs the refused request.
      expect(
        opened
          .at(-1)
          ?.watched.complaints.splice(0)
          .every((text) => text.includes('401')),
      ).toBe(true)
    },
  )

  it('[operator-3] is required again when a token expires, and then leads back to the same view', async () => {
    const operator = await enter(`${RUN}&context=ctx_talk-maya`)
    await operator.details.getByRole('heading', { name: 'Find out from Maya' }).waitFor()
    await operator.page.evaluate(() => sessionStorage.setItem('walkon-operator-token', 'wkn_ended'))
    await operator.page.reload()
    await operator.page.getByRole('alert').waitFor()
    await operator.button('Use the development token').click()
    await operator.details.getByRole('heading', { name: 'Find out from Maya' }).waitFor()
    expect(operator.watched.complaints.splice(0)).toHaveLength(1)
  })
})

describe('the list of runs', () => {
  it('[operator-4] shows the newest first, in parts', async () => {
    for (let count = 1; count <= 60; count += 1)
      await client.createContext({ purpose: `Many of them, number ${count}`, memorySpaceId: 'many', userId: 'many' })
    const operator = await enter('#person=many')
    const links = operator.main.getByRole('listitem').getByRole('link')
    await expect.poll(() => links.count()).toBe(50)
    expect(await links.first().textContent()).toBe('Many of them, number 60')
    await operator.button('Show more').click()
    await expect.poll(() => links.count()).toBe(60)
    expect(await links.last().textContent()).toBe('Many of them, number 1')
    await expect.poll(() => operator.main.textContent()).toContain('60 runs, as of')
    expect(await operator.button('Show more').count()).toBe(0)
  })

  it('[operator-4] is filtered by words, a person and a status, and says when nothing matches', async () => {
    await client.createContext({ purpose: 'Zanzibar spice audit', memorySpaceId: 'run', userId: 'noor' })
    await client.createContext({ purpose: 'Zanzibar harbour audit', memorySpaceId: 'run', userId: 'eli' })
    const operator = await enter()
    const { page } = operator
    const names = () => operator.main.getByRole('listitem').getByRole('link').allTextContents()
    await page.getByLabel('Words').fill('zanzibar audit')
    await page.getByLabel('Words').press('Enter')
    await expect.poll(names).toEqual(['Zanzibar harbour audit', 'Zanzibar spice audit'])
    await page.getByLabel('Person').fill('noor')
    await operator.button('Find').click()
    await expect.poll(names).toEqual(['Zanzibar spice audit'])
    await page.getByLabel('Status').selectOption('cancelled')
    await operator.button('Find').click()
    await operator.main.getByText('No run matches').waitFor()
    expect(await operator.hash()).toBe('#status=cancelled&person=noor&words=zanzibar+audit')
    await page.goBack()
    await expect.poll(names).toEqual(['Zanzibar spice audit'])
    expect(await page.getByLabel('Status').inputValue()).toBe('')
    expect(await page.getByLabel('Person').inputValue()).toBe('noor')
  })

  it('[operator-4] goes on after an empty part', async () => {
    const operator = await open('#words=anything')
    let asked = 0
    await operator.page.route('**/api/contexts?**', async (route) => {
      asked += 1
      const items = asked < 4 ? [] : (await client.listContexts({ depth: 0, limit: 1 })).items
      await route.fulfill({ json: { items, next: asked < 4 ? `part-${asked}` : null } })
    })
    await operator.button('Use the development token').click()
    await expect.poll(() => operator.main.getByRole('listitem').count()).toBe(1)
    expect(asked).toBe(4)
  })
})

describe('a view', () => {
  it('[operator-5] is in the address, and the same when opened elsewhere', async () => {
    const address = `${RUN}&context=ctx_talk-priya&time=${new Date(at(25)).toISOString()}`
    const operator = await enter(address)
    await operator.details.getByRole('heading', { name: 'Ask Priya what the contract allows' }).waitFor()
    expect(await operator.line('Ask Priya').getAttribute('aria-selected')).toBe('true')
    expect(await operator.line('Legal approves').textContent()).toContain('Not begun yet')
    expect(await operator.hash()).toBe(address)
  })

  it('[operator-5] adds history entries for runs and contexts, but not for moments', async () => {
    const operator = await enter('#words=larkfield')
    await operator.page.getByRole('link', { name: /Larkfield goes live/ }).click()
    await operator.line('Find out from Maya').click()
    await operator.line('Ask Priya').click()
    await operator.button('Moment before').click()
    await operator.button('Moment before').click()
    await expect.poll(() => operator.time()).toBe(new Date(at(58)).toISOString())
    const heading = () => operator.details.getByRole('heading', { level: 2 }).textContent()
    await operator.page.goBack()
    await expect.poll(heading).toBe('Find out from Maya what the tests have shown')
    await operator.page.goBack()
    await expect.poll(heading).toContain('The launch decision')
    await operator.page.goBack()
    await expect.poll(() => operator.title.textContent()).toBe('Runs')
    expect(await operator.page.getByLabel('Words').inputValue()).toBe('larkfield')
    await operator.page.goForward()
    await expect.poll(() => operator.title.textContent()).toContain('The launch decision')
  })

  it('[operator-5] of any context shows its run, with that context open', async () => {
    const operator = await open('#run=ctx_sign-notice')
    const steps = await operator.page.evaluate(() => history.length)
    await operator.button('Use the development token').click()
    await operator.details.getByRole('heading', { name: 'The notice is signed and sent' }).waitFor()
    await expect.poll(() => operator.hash()).toBe(`${RUN}&context=ctx_sign-notice`)
    expect(await operator.lines.count()).toBe(8)
    expect(await operator.page.evaluate(() => history.length)).toBe(steps)
  })

  it('[operator-5] that is reloaded adds no history entry', async () => {
    const operator = await enter()
    await operator.main.getByRole('listitem').first().waitFor()
    const steps = () => operator.page.evaluate(() => history.length)
    const before = await steps()
    const asked = () => operator.watched.requests.filter((path) => path.endsWith('/contexts')).length
    const once = asked()
    await operator.page.getByRole('link', { name: 'Walkon' }).click()
    await operator.button('Find').click()
    await expect.poll(asked).toBe(once + 2)
    expect(await steps()).toBe(before)
  })

  it('[operator-5] shows the last request’s response, in any order of responses', async () => {
    const { id } = await client.createContext({ purpose: 'Asked for later', memorySpaceId: 'run' })
    const operator = await open(RUN)
    const [asked, held, came] = [1, 2, 3].map(() => Promise.withResolvers<void>()) as [Held, Held, Held]
    await operator.page.route('**/api/contexts?*rootId=ctx_run-larkfield*', async (route) => {
      const response = await route.fetch()
      asked.resolve()
      await held.promise
      await route.fulfill({ response })
      came.resolve()
    })
    await operator.button('Use the development token').click()
    await asked.promise
    await operator.page.evaluate((run) => void (location.hash = `run=${run}`), id)
    await operator.line('Asked for later').waitFor()
    held.resolve()
    await came.promise
    await answered(operator)
    expect(await operator.lines.count()).toBe(1)
    expect(await operator.title.textContent()).toBe('Asked for later')
  })

  it('[operator-5] opens in another tab on a click with a modifier key', async () => {
    const operator = await enter('#words=larkfield')
    const opened = operator.context.waitForEvent('page')
    await operator.page.getByRole('link', { name: /Larkfield goes live/ }).click({ modifiers: ['ControlOrMeta'] })
    await (await opened).waitForURL((url) => url.hash.includes(RUN), { waitUntil: 'commit' })
    expect(operator.context.pages()).toHaveLength(2)
    expect(await operator.hash()).toBe('#words=larkfield')
  })

  it('[operator-5] of a context outside the run says so, and shows the run', async () => {
    const operator = await enter(`${RUN}&context=ctx_gone`)
    await operator.details.getByText('The context in the address isn’t in this run').waitFor()
    expect(await operator.details.getByRole('heading', { level: 2 }).textContent()).toContain('The launch decision')
    await operator.line('Ask Priya').click()
    await operator.details.getByRole('heading', { name: 'Ask Priya' }).waitFor()
    expect(await operator.details.innerText()).not.toContain('What the address names')
  })

  it('[operator-5] is not sent in any request', async () => {
    const asked: string[] = []
    const operator = await open(`${RUN}&context=ctx_talk-maya`)
    operator.page.on('request', (request) => asked.push(`${request.url()} ${request.headers()['referer'] ?? ''}`))
    await operator.page.reload()
    expect(asked.join(' ')).not.toMatch(/ctx_/)
  })
})

describe('the tree', () => {
  it('[operator-7] is a tree to assistive technology', async () => {
    const operator = await enter(RUN)
    await operator.tree.waitFor()
    const told = await operator.lines.evaluateAll((lines) =>
      lines.map((line) =>
        ['aria-level', 'aria-posinset', 'aria-setsize', 'aria-expanded']
          .map((name) => line.getAttribute(name))
          .join(' '),
      ),
    )
    expect(told).toEqual([
      '1 1 1 true',
      '2 1 4 true',
      '3 1 1 ',
      '2 2 4 true',
      '3 1 1 true',
      '4 1 1 ',
      '2 3 4 ',
      '2 4 4 ',
    ])
    expect(await operator.tree.getAttribute('aria-labelledby')).toBe('tree')
  })

  it('[operator-7] can be moved through, collapsed, expanded and read by keyboard alone', async () => {
    const operator = await enter(RUN)
    await operator.tree.waitFor()
    const { keyboard } = operator.page
    const here = () => operator.here()
    await operator.lines.first().focus()
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowLeft']) await keyboard.press(key)
    await expect.poll(here).toBe('ctx_talk-maya')
    await keyboard.press('ArrowLeft')
    await expect.poll(() => operator.lines.count()).toBe(7)
    await keyboard.press('ArrowRight')
    await expect.poll(() => operator.lines.count()).toBe(8)
    await keyboard.press('End')
    await expect.poll(here).toBe('ctx_write-down')
    await keyboard.press('Home')
    await keyboard.type('he')
    await expect.poll(here).toBe('ctx_talk-marcus')
    expect(await operator.line('Hear from Marcus').getAttribute('aria-selected')).toBe('false')
    await keyboard.press('Enter')
    await operator.details.getByRole('heading', { name: 'Hear from Marcus' }).waitFor()
    expect(await operator.line('Hear from Marcus').getAttribute('aria-selected')).toBe('true')
    await expect.poll(here).toBe('ctx_talk-marcus')
    // Exactly one row of the tree is a Tab stop, wherever the focus was before.
    expect(await operator.tree.locator('[tabindex="0"]').count()).toBe(1)
  })

  it('[operator-8] shows each status by a shape and a word', async () => {
    const states = ['active', 'blocked', 'completed', 'cancelled'] as const
    await putWorkflow(place.server, [
      { id: 'ctx_all', space: 'run', states: [{ at: BEGUN, purpose: 'One of each' }] },
      ...states.map((status) => ({
        id: `ctx_all-${status}`,
        parentId: 'ctx_all',
        space: 'run',
        states: [{ at: BEGUN, purpose: status, status }] as const,
      })),
      { id: 'ctx_all-later', parentId: 'ctx_all', space: 'run', states: [{ at: BEGUN + 1, purpose: 'later' }] },
    ])
    const operator = await enter(`#run=ctx_all&time=${new Date(BEGUN).toISOString()}`)
    await operator.tree.waitFor()
    const marks = await operator.lines.evaluateAll((lines) =>
      lines.map(
        (line) => [line.querySelector('.status')?.textContent, line.querySelector('.mark')?.innerHTML] as const,
      ),
    )
    const shapes = new Map(marks)
    expect([...shapes.keys()].map(String).toSorted()).toEqual([
      'Active',
      'Blocked',
      'Cancelled',
      'Completed',
      'Not begun yet',
    ])
    expect(new Set(shapes.values()).size).toBe(5)
  })
})

describe('the details', () => {
  it('[operator-9] show a context’s purpose, its participants, and its data with their source', async () => {
    const operator = await enter(`${RUN}&context=ctx_sign-notice`)
    const text = () => operator.details.innerText()
    await expect.poll(text).toContain('The notice is signed and sent')
    const held = await operator.details
      .locator('section[aria-labelledby="data"] > div')
      .evaluateAll((groups) =>
        groups.map((group) => [
          group.querySelector('h4')?.textContent ?? 'its own',
          Array.from(group.querySelectorAll('dt'), (key) => key.textContent),
        ]),
      )
    expect(held).toEqual([
      ['Inherited from Legal approves the notice to Larkfield', ['approved', 'clause']],
      ['Inherited from Ask Priya what the contract allows', ['objective', 'met', 'deadline', 'mood']],
      [
        'Inherited from The launch decision: Larkfield goes live on Thursday at nine',
        ['scenario', 'version', 'decision'],
      ],
    ])
    const { inherited } = await client.getContext({ context: 'ctx_sign-notice', inherited: true })
    expect(Object.keys(inherited?.data ?? {}).toSorted()).toEqual(
      held
        .flatMap(([, keys]) => keys)
        .map(String)
        .toSorted(),
    )
    await operator.details.getByRole('link', { name: 'Ask Priya' }).first().click()
    await operator.details.getByRole('heading', { name: 'Ask Priya', level: 2 }).waitFor()
    await expect.poll(text).toContain('Hides what comes from The launch decision')
  })

  it('[operator-10] show who made each version, when, and what changed', async () => {
    const operator = await enter(`${RUN}&context=ctx_approve-notice`)
    const versions = operator.details.locator('.versions > li')
    await expect.poll(() => versions.count()).toBe(3)
    const [latest = '', second = '', first = ''] = await versions.allInnerTexts()
    expect(latest.replaceAll(/\s+/g, ' ')).toMatch(
      /^Version 3 shown Show by legal, 20 Nov 2026, 10:16:45 Status active → ?became completed approved changed was null is true clause added is 7\.2$/,
    )
    expect(second).toContain('blocked')
    expect(first).toContain('by priya')
    await operator.button('Show version 2').click()
    await expect.poll(() => operator.time()).toBe(new Date(at(31, 20)).toISOString())
    await expect.poll(() => operator.line('Legal approves').textContent()).toContain('Active')
  })

  it('[operator-10] link only to versions that are visible at some moment', async () => {
    await putWorkflow(place.server, [
      {
        id: 'ctx_at-once',
        space: 'run',
        states: [{ at: BEGUN, purpose: 'At once' }, { at: BEGUN + 9 }, { at: BEGUN + 9, status: 'completed' }],
      },
    ])
    const operator = await enter('#run=ctx_at-once')
    await operator.details.waitFor()
    const offered = await operator.details.getByRole('button', { name: /^Show version/ }).all()
    expect(await Promise.all(offered.map((button) => button.getAttribute('aria-label')))).toEqual([
      'Show version 3',
      'Show version 1',
    ])
  })

  it('[operator-11] never show people’s texts without a request, however late the response is', async () => {
    await putWorkflow(place.server, [
      { id: 'ctx_late', space: 'maya', conversationId: 'c-1', states: [{ at: BEGUN, purpose: 'A talk' }] },
    ])
    const operator = await enter('#run=ctx_late')
    const [asked, held, came] = [1, 2, 3].map(() => Promise.withResolvers<void>()) as [Held, Held, Held]
    await operator.page.route('**/api/contexts/ctx_late/conversation', async (route) => {
      const response = await route.fetch()
      asked.resolve()
      await held.promise
      await route.fulfill({ response })
      came.resolve()
    })
    await operator.button('Read what was said').click()
    await asked.promise
    await operator.button('Sign out').click()
    await operator.button('Use the development token').click()
    await operator.page.evaluate(() => void (location.hash = 'run=ctx_late'))
    await operator.button('Read what was said').waitFor()
    held.resolve()
    await came.promise
    await answered(operator)
    expect(await operator.button('Read what was said').count()).toBe(1)
  })

  it('[operator-11] load people’s texts only on request', async () => {
    const session = await beginSession(place.server)
    const player = await Player.join(place.server, session)
    await player.say('Have you seen the marmalade figures?')
    player.leave()
    const { items } = await client.listContexts({ conversationId: session })
    const operator = await enter(`#run=${items[0]?.id}`)
    await operator.button('Read what was said').waitFor()
    expect(await operator.lines.count()).toBe(2)
    expect(operator.watched.requests.filter((path) => path.endsWith('/conversation'))).toEqual([])
    expect(await operator.main.innerText()).not.toContain('Have you seen')
    await operator.button('Read what was said').click()
    await expect
      .poll(() => operator.details.locator('.said > li').allInnerTexts())
      .toContainEqual(expect.stringMatching(/^Learner[^]*Have you seen the marmalade figures\?$/))
    expect(operator.watched.requests.filter((path) => path.endsWith('/conversation'))).toHaveLength(1)
    // If a message caused a context, the conversation marks that message.
    const { conversation } = await client.getConversation({ context: items[0]?.id ?? '' })
    const said = conversation?.messages.find(({ who }) => who === 'learner')
    const conversationRef = { conversationId: session, messageIds: [said?.id ?? ''] }
    const { id } = await client.createContext({ purpose: 'Figures', memorySpaceId: 'maya', conversationRef })
    const other = await enter(`#run=${id}`)
    await other.button('Read what was said').click()
    const tagged = other.details.locator('.said > li').filter({ hasText: 'brought this about' })
    await expect.poll(() => tagged.locator('.text').allInnerTexts()).toEqual(['Have you seen the marmalade figures?'])
  })
})

describe('time', () => {
  /** Opens the run with the clock stopped, so that only the test advances the playback. */
  async function openStandingStill(): Promise<Operator> {
    const operator = await open(RUN)
    await operator.page.clock.install({ time: BEGUN })
    await operator.page.clock.pauseAt(BEGUN + 24 * 60 * MINUTE)
    await operator.button('Use the development token').click()
    await operator.tree.waitFor()
    return operator
  }

  it('[operator-12] shows the service’s state of every moment in the tree', async () => {
    const operator = await enter(RUN)
    await operator.tree.waitFor()
    const contexts = runOfLarkfield()
    const times = [...new Set(contexts.flatMap(({ states }) => states.map((state) => state.at)))].toSorted(
      (a, b) => a - b,
    )
    const last = times.length - 1
    expect(Number(await operator.slider.getAttribute('max'))).toBe(last)
    expect(times).toHaveLength(17)
    await operator.slider.focus()
    for (let moment = last; moment >= 0; moment -= 1) {
      if (moment < last) await operator.page.keyboard.press('ArrowLeft')
      const time = new Date(times[moment] ?? 0).toISOString()
      const { items } = await client.listContexts({ rootId: 'ctx_run-larkfield', at: time })
      const begun = items.map(({ id, state }) => ({ id, status: state?.status, version: state?.version }))
      const others = contexts
        .filter(({ id }) => !items.some((item) => item.id === id))
        .map(({ id }) => ({ id, status: 'not begun yet', version: null }))
      const shown = async () => {
        const { time: shownTime, lines: all } = await operator.shown()
        return { time: shownTime, lines: byId(all.map((line) => ({ ...line, status: line.status.toLowerCase() }))) }
      }
      await expect.poll(shown).toEqual({ time: moment === last ? null : time, lines: byId([...begun, ...others]) })
    }
    await expect
      .poll(() => operator.slider.getAttribute('aria-valuetext'))
      .toBe('1 of 17, 20 Nov 2026, 09:40:00. run: begun')
    // The slider's last position means the present, so it stays the last when new events arrive.
    await operator.page.keyboard.press('End')
    await expect.poll(() => operator.time()).toBeNull()
  })

  it('[operator-12] shows what changed at a moment, in the caption and at the context', async () => {
    const operator = await enter(`${RUN}&context=ctx_talk-maya&time=${new Date(at(14, 40)).toISOString()}`)
    await expect
      .poll(() => operator.slider.getAttribute('aria-valuetext'))
      .toBe('5 of 17, 20 Nov 2026, 09:54:40. maya: active → completed, priya: begun')
    expect(await operator.lines.filter({ hasText: 'just changed' }).count()).toBe(2)
    await operator.details.getByText('trusting').first().waitFor()
    await operator.details.getByText('are as they are now: neither has versions').waitFor()
    const completed = operator.details.locator('dt').filter({ hasText: 'Completed' })
    expect(await completed.count()).toBe(1)
    await operator.button('Moment before').click()
    await expect.poll(() => completed.count()).toBe(0)
    await expect
      .poll(() => operator.details.locator('section[aria-labelledby="data"]').innerText())
      .not.toContain('trusting')
  })

  it('[operator-13] plays to the last moment and stops there', async () => {
    const operator = await openStandingStill()
    await operator.button('Play it through').click()
    const counted = () => operator.page.locator('.caption .count').textContent()
    await expect.poll(counted).toBe('1 of 17')
    await operator.page.clock.runFor(900 * 3)
    await expect.poll(counted).toBe('4 of 17')
    await operator.page.clock.runFor(900 * 30)
    await expect.poll(counted).toBe('17 of 17')
    await operator.button('Play it through').waitFor()
    expect(await operator.time()).toBeNull()
  })

  it('[operator-13] stops playing when the user changes the moment', async () => {
    const operator = await openStandingStill()
    await operator.button('Play it through').click()
    await operator.page.clock.runFor(900)
    await operator.button('Moment after').click()
    await operator.page.clock.runFor(900 * 5)
    expect(await operator.page.locator('.caption .count').textContent()).toBe('3 of 17')
    await operator.button('Now').click()
    await expect.poll(() => operator.button('Moment after').isDisabled()).toBe(true)
  })

  it('[operator-13] stops playing when the user opens a context', async () => {
    const operator = await openStandingStill()
    await operator.button('Play it through').click()
    await operator.page.clock.runFor(900)
    await operator.line('Find out from Maya').click()
    await operator.page.clock.runFor(900 * 5)
    expect(await operator.page.locator('.caption .count').textContent()).toBe('2 of 17')
  })

  it('[operator-13] stops playing when the run is reloaded', async () => {
    const operator = await openStandingStill()
    await operator.button('Play it through').click()
    await operator.page.clock.runFor(900)
    const held = Promise.withResolvers<void>()
    await operator.page.route('**/api/contexts/**', async (route) => {
      await held.promise
      await route.continue()
    })
    await operator.button('Refresh').click()
    await operator.page.clock.runFor(900 * 3)
    held.resolve()
    await operator.tree.waitFor()
    expect(await operator.page.locator('.caption .count').textContent()).toBe('2 of 17')
    await operator.button('Play it through').waitFor()
  })
})

type Held = PromiseWithResolvers<void>

/** Waits until the service has answered a request that the page sent after all its earlier requests. */
async function answered({ page }: Operator): Promise<void> {
  await page.evaluate(() => fetch('/api/operator').then((response) => response.text()))
}

function byId<T extends { readonly id: string }>(contexts: readonly T[]): readonly T[] {
  return contexts.toSorted((a, b) => a.id.localeCompare(b.id))
}
