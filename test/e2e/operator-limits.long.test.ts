import type { Page } from 'playwright-core'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { violations } from '../support/axe.ts'
import { DESKTOP } from '../support/browser.ts'
import { Operator } from '../support/operator-page.ts'
import { edges, unmarked } from '../support/page-facts.ts'
import { putWorkflow } from '../support/put-workflow.ts'
import type { PutContext } from '../support/put-workflow.ts'
import { BEGUN, runOfLarkfield } from '../support/run-of-larkfield.ts'
import { serveInBrowser } from '../support/serve.ts'
import { XSS_CORPUS } from '../support/xss-corpus.ts'

const RUN = '#run=ctx_run-larkfield'
const NARROW = { width: 360, height: 740 }
/** Timeout of tests with many contexts or many reads, in milliseconds, for a busy machine. */
const LONG = 180_000
const place = serveInBrowser({ WALKON_REHEARSAL_PACE_MS: '0' })

beforeAll(async () => {
  await putWorkflow(place.server, runOfLarkfield())
})

let expected: RegExp | null = null
const opened: Operator[] = []
afterEach(() => {
  for (const { watched } of opened.splice(0))
    expect(watched.complaints.filter((complaint) => !expected?.test(complaint))).toEqual([])
  expected = null
})

type Given = Parameters<typeof Operator.open>
async function open(address: Given[2] = '', options: Given[3] = {}, enter = true): Promise<Operator> {
  const given = [place.browser, place.server, address, { timezoneId: 'UTC', ...options }] as const
  const operator = enter ? await Operator.enter(...given) : await Operator.open(...given)
  opened.push(operator)
  place.closeAfterwards(operator.context)
  return operator
}

/**
 * Makes requests that match `pattern` fail with the given response, or without a response, until the returned function
 * is called.
 */
async function fail(page: Page, pattern: string, answer: { status: number; body: string } | null) {
  await page.route(pattern, (route) =>
    answer === null ? route.abort() : route.fulfill({ ...answer, contentType: 'application/json' }),
  )
  return () => page.unroute(pattern)
}

const refusal = (code: string, next: string, retryAfterMs?: number) =>
  JSON.stringify({ error: { code, next, message: 'no', retryAfterMs } })

describe('the check for inconsistent data', () => {
  it('[operator-14] describes its findings in sentences, in the list and at the context, on request', async () => {
    const states = [{ at: BEGUN, purpose: 'Broken' }] as const
    await putWorkflow(place.server, [
      { id: 'ctx_broken', space: 'run', states: [{ at: BEGUN, purpose: 'A run with faults' }] },
      { id: 'ctx_orphan', parentId: 'ctx_gone', depth: 1, space: 'maya', states },
      { id: 'ctx_wrong-depth', parentId: 'ctx_broken', depth: 4, space: 'maya', states },
      { id: 'ctx_circle-a', parentId: 'ctx_circle-b', depth: 1, space: 'maya', states },
      { id: 'ctx_circle-b', parentId: 'ctx_circle-a', depth: 1, space: 'maya', states },
    ])
    const operator = await open()
    await operator.main.getByText('A run with faults').waitFor()
    expect(operator.watched.requests.filter((path) => path.includes('integrity'))).toEqual([])
    await operator.button('Check').click()
    await operator.main.getByText(/things? do(es)? not fit/).waitFor()
    const findings = await operator.main.locator('.finding').allInnerTexts()
    const said = (id: string) => findings.filter((text) => text.startsWith(id)).join(' ')
    expect(said('ctx_orphan')).toContain('Its parent isn’t there.')
    expect(said('ctx_wrong-depth')).toContain('It says its depth is 4. By its parents it is 1.')
    expect(said('ctx_circle-a') + said('ctx_circle-b')).toContain('Following its parents leads back to it')
    await operator.page.getByRole('link', { name: 'ctx_wrong-depth' }).first().click()
    await operator.tree.waitFor()
    expect(await operator.line('A run with faults').textContent()).not.toContain('By its parents')
    expect(await operator.tree.locator('#ctx_wrong-depth').textContent()).toContain('By its parents it is 1.')
    expect(await operator.tree.locator('#ctx_orphan').textContent()).toContain('Its parent isn’t there.')
    expect(await operator.tree.locator('#ctx_circle-a').textContent()).toContain('It is its own ancestor.')
    expect(await operator.lines.count()).toBe(5)
    await operator.tree.locator('#ctx_orphan').click()
    await operator.details.getByText('A parent is outside this run').waitFor()
    await operator.tree.locator('#ctx_wrong-depth').click()
    await operator.details.getByText('ctx_wrong-depth').waitFor()
    expect(await operator.details.innerText()).not.toContain('A parent is outside')
  })
})

/** The integrity check reads the chain in parts. This is the number of the first part in which it finds something. */
const LATE = 25

it('[operator-14] reports no success before the last part was checked', async () => {
  const operator = await open()
  let asked = 0
  await operator.page.route('**/api/contexts/integrity?**', (route) => {
    asked += 1
    const finding = { kind: 'wrong-count', contextId: '', found: '["","active",0,"leaf"]: 3', expected: '2' }
    return route.fulfill({
      json: asked < LATE ? { items: [], next: `part-${asked}` } : { items: [finding], next: null },
    })
  })
  await operator.button('Check').click()
  await operator.main.getByText('1 thing does not fit').waitFor()
  expect(asked).toBe(LATE)
  expect(await operator.main.locator('.finding').innerText()).toContain('A count is wrong')
  // The finding is not about a single context, so it has no link.
  expect(await operator.main.locator('.finding a').count()).toBe(0)
})

it('[operator-14] continues while the user looks at a run', async () => {
  const operator = await open()
  const held = Promise.withResolvers<void>()
  await operator.page.route('**/api/contexts/integrity?**', async (route) => {
    await held.promise
    await route.fulfill({ json: { items: [], next: null } })
  })
  await operator.button('Check').click()
  await operator.page.getByRole('link', { name: /Larkfield goes live/ }).click()
  await operator.tree.waitFor()
  held.resolve()
  await operator.page.goBack()
  await operator.main.getByText('Everything fits together.').waitFor()
})

describe('a refusal', () => {
  it.each([
    ['BUSY', 503, refusal('BUSY', 'retry-after', 1_000), 'The service is busy', 'Try again'],
    ['rate-limited', 429, refusal('rate-limited', 'retry-after'), 'Wait a minute', 'Try again'],
    ['unavailable', 500, refusal('unavailable', 'retry-after'), 'on the service’s side', 'Try again'],
    ['one of a later version', 409, refusal('NEW_CODE', 'retry-after', 90_000), 'Try again in 1 min 30 s', 'Try again'],
    ['VERSION_CONFLICT', 409, refusal('VERSION_CONFLICT', 'start-over'), 'has changed meanwhile', 'Reload'],
    ['INVALID_CURSOR', 400, refusal('INVALID_CURSOR', 'give-up'), 'The list has changed', 'Reload'],
    ['no JSON at all', 502, '<html>Bad gateway', 'on the service’s side', 'Try again'],
    ['no answer', null, '', 'Check your connection', 'Try again'],
  ] as const)('[operator-15] that is %s (%s) says what helps', async (_, status, body, sentence, button) => {
    expected = /Failed to load resource/
    const operator = await open('', {}, false)
    const stop = await fail(operator.page, '**/api/contexts?**', status === null ? null : { status, body })
    await operator.button('Use the development token').click()
    await operator.page.getByRole('alert').getByText(sentence).waitFor()
    await stop()
    await operator.page.getByRole('alert').getByRole('button', { name: button }).click()
    await operator.main.getByText('The launch decision').first().waitFor()
    expect(await operator.page.getByRole('alert').count()).toBe(0)
  })

  it('[operator-15] for a missing permission leads to the form, and another token back to the same view', async () => {
    expected = /Failed to load resource/
    const operator = await open('', {}, false)
    const stop = await fail(operator.page, '**/api/contexts/ctx_run-larkfield*', {
      status: 403,
      body: refusal('not-permitted', 'give-up'),
    })
    await operator.page.goto(new URL(`operator/${RUN}`, place.server.url).href)
    await operator.button('Use the development token').click()
    await operator.page.getByRole('alert').getByText('does not allow this').waitFor()
    await stop()
    await operator.button('Use another token').click()
    await operator.button('Use the development token').click()
    await operator.tree.waitFor()
  })

  it('[operator-15] that no retry can change leads from a filtered list to the whole list', async () => {
    expected = /Failed to load resource/
    const operator = await open('#status=blocked', {}, false)
    await fail(operator.page, '**/api/contexts?*status=blocked*', { status: 400, body: refusal('TOO_LONG', 'give-up') })
    await operator.button('Use the development token').click()
    await operator.page.getByRole('alert').getByText('trying again won’t help').waitFor()
    await operator.button('All runs').click()
    await operator.main.locator('.run-line').first().waitFor()
    expect(await operator.hash()).toBe('')
  })

  it('[operator-15] for a run that does not exist leads back to all runs', async () => {
    expected = /404/
    const operator = await open('#run=ctx_nobody')
    await operator.page.getByRole('alert').getByText('Nothing has this name').waitFor()
    await operator.button('All runs').click()
    await expect.poll(() => operator.title.textContent()).toBe('Runs')
    expect(await operator.hash()).toBe('')
  })

  it('[operator-15] in the middle of a run keeps the loaded parts', async () => {
    expected = /Failed to load resource/
    await putWorkflow(place.server, manyUnder('ctx_part', 300))
    const operator = await open('', {}, false)
    let parts = 0
    await operator.page.route('**/api/contexts?*history=true*', (route) =>
      (parts += 1) === 2 ? route.fulfill({ status: 503, body: refusal('BUSY', 'retry-after') }) : route.continue(),
    )
    await operator.page.goto(new URL('operator/#run=ctx_part', place.server.url).href)
    await operator.button('Use the development token').click()
    await operator.page.getByRole('alert').getByText('The service is busy').waitFor()
    expect(await operator.lines.count()).toBe(200)
    await operator.button('Try again').click()
    await expect.poll(() => operator.lines.count()).toBe(301)
  })

  it('[operator-15] for an invalid cursor reads the run from its beginning', async () => {
    expected = /Failed to load resource/
    await putWorkflow(place.server, manyUnder('ctx_place', 300))
    const operator = await open('', {}, false)
    const stop = await fail(operator.page, '**/api/contexts?*cursor=*', {
      status: 400,
      body: refusal('INVALID_CURSOR', 'give-up'),
    })
    await operator.page.goto(new URL('operator/#run=ctx_place', place.server.url).href)
    await operator.button('Use the development token').click()
    await operator.button('Reload').waitFor()
    await stop()
    await operator.button('Reload').click()
    await expect.poll(() => operator.lines.count()).toBe(301)
  })
})

describe('hostile and foreign text', { timeout: LONG }, () => {
  it('[operator-16] is shown exactly, and nothing in it is run, fetched or drawn', async () => {
    const texts = XSS_CORPUS.map((text) => text.replaceAll('\u0000', '\ufffd'))
    await putWorkflow(
      place.server,
      texts.map((text, index): PutContext => ({
        id: index === 0 ? 'ctx_hostile' : `ctx_hostile-${index}`,
        parentId: index === 0 ? null : 'ctx_hostile',
        space: text,
        userId: text,
        participants: [text],
        conversationId: text,
        states: [
          { at: BEGUN, purpose: text, by: text, data: { before: text } },
          {
            at: BEGUN + 1,
            purpose: `${text} `,
            by: text,
            description: text,
            data: { [text]: text, list: [text, { [text]: text }] },
          },
        ],
      })),
    )
    const away: string[] = []
    const operator = await open('', {}, false)
    operator.context.on('request', (request) => {
      if (new URL(request.url()).origin !== place.server.url.origin) away.push(request.url())
    })
    operator.page.on('dialog', (dialog) => void away.push(dialog.message()))
    await operator.button('Use the development token').click()
    await operator.main
      .getByText(texts[0] ?? '')
      .first()
      .waitFor()
    await operator.page.goto(new URL('operator/#run=ctx_hostile', place.server.url).href)
    await expect.poll(() => operator.lines.count()).toBe(texts.length)
    expect(await operator.tree.locator('.purpose').allTextContents()).toEqual(texts.map((text) => `${text} `))
    for (let index = 0; index < texts.length; index += 1) {
      await operator.lines.nth(index).click()
      await expect.poll(() => operator.details.locator('h2').textContent()).toBe(`${texts[index]} `)
    }
    expect(await operator.details.locator('.description').textContent()).toBe(texts.at(-1))
    expect(await operator.page.evaluate(() => '__ran' in globalThis)).toBe(false)
    expect(await operator.page.locator('main script, main img, main iframe, main style, main object').count()).toBe(0)
    expect(
      await operator.page
        .locator('main a')
        .evaluateAll((links) => links.filter((link) => !link.getAttribute('href')?.startsWith('#')).length),
    ).toBe(0)
    expect(away).toEqual([])
  })

  it('[operator-16] that runs from right to left does not turn the page', async () => {
    const purpose = 'قرار الإطلاق: ماذا نشحن يوم الخميس؟'
    await putWorkflow(place.server, [
      { id: 'ctx_rtl', space: 'مايا', states: [{ at: BEGUN, purpose, data: { قرار: 'نعم', plain: 'yes' } }] },
    ])
    const operator = await open('#run=ctx_rtl', { viewport: NARROW })
    await operator.tree.waitFor()
    const directions = await operator.tree
      .locator('.purpose, .space')
      .evaluateAll((all) => all.map((each) => getComputedStyle(each).direction))
    expect(directions).toEqual(['rtl', 'rtl'])
    expect(await operator.page.evaluate(() => getComputedStyle(document.body).direction)).toBe('ltr')
    expect(await outside(operator.page)).toEqual([])
  })
})

describe('a large run', { timeout: LONG }, () => {
  it('[operator-17] shows 500 contexts at once, and moves through time quickly', async () => {
    await putWorkflow(place.server, manyUnder('ctx_wide', 499))
    const operator = await open('#run=ctx_wide')
    await expect.poll(() => operator.lines.count()).toBe(500)
    await operator.page.keyboard.press('Tab')
    await operator.slider.focus()
    await operator.page.keyboard.press('Home')
    await expect.poll(() => operator.lines.filter({ hasText: 'Not begun yet' }).count()).toBe(499)
    await operator.lines.first().focus()
    await operator.page.keyboard.press('End')
    await operator.page.keyboard.press('Enter')
    await operator.details.getByRole('heading', { name: 'Part 499' }).waitFor()
    // The details of a row far down the tree are visible next to that row.
    await expect.poll(() => operator.details.getByRole('heading', { name: 'Part 499' }).evaluate(isInSight)).toBe(true)
    await expect.poll(() => operator.line('Part 499').evaluate(isInSight)).toBe(true)
  })

  it('[operator-17] loads more than a thousand contexts on request', async () => {
    await putWorkflow(place.server, manyUnder('ctx_huge', 1_150))
    const operator = await open('#run=ctx_huge')
    await operator.button('Show more').waitFor()
    expect(await operator.lines.count()).toBe(1_000)
    await operator.main.getByText('1,000 contexts so far').waitFor()
    await operator.button('Show more').click()
    await expect.poll(() => operator.lines.count()).toBe(1_151)
    expect(await operator.button('Show more').count()).toBe(0)
  })

  it('[operator-17] shows eleven levels on a phone', async () => {
    await putWorkflow(
      place.server,
      Array.from({ length: 11 }, (_, depth): PutContext => ({
        id: depth === 0 ? 'ctx_deep' : `ctx_deep-${depth}`,
        parentId: depth === 0 ? null : depth === 1 ? 'ctx_deep' : `ctx_deep-${depth - 1}`,
        space: 'colleague',
        states: [{ at: BEGUN + depth, purpose: `Level ${depth}: an unbreakable-compound-word-that-does-not-fit-here` }],
      })),
    )
    const operator = await open('#run=ctx_deep', { viewport: NARROW })
    await expect.poll(() => operator.lines.count()).toBe(11)
    expect(await outside(operator.page)).toEqual([])
    const widths = await operator.tree
      .locator('.purpose')
      .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().width))
    expect(Math.min(...widths)).toBeGreaterThan(110)
  })

  it('[operator-17] shows a long history in parts', async () => {
    const states = Array.from({ length: 45 }, (_, index) => ({ at: BEGUN + index, data: { step: index } }))
    await putWorkflow(place.server, [
      { id: 'ctx_long', space: 'run', states: [{ at: BEGUN, purpose: 'Long' }, ...states.slice(1)] },
    ])
    const operator = await open('#run=ctx_long')
    const versions = operator.details.locator('.versions > li')
    await expect.poll(() => versions.count()).toBe(20)
    await operator.button('Show older versions').click()
    await operator.button('Show older versions').click()
    await expect.poll(() => versions.count()).toBe(45)
  })
})

describe('every user', { timeout: LONG }, () => {
  const PAST = `${RUN}&context=ctx_talk-maya&time=${new Date(BEGUN + 20 * 60_000).toISOString()}`

  it.each([
    ['phone', 'light', NARROW],
    ['phone', 'dark', NARROW],
    ['desktop', 'light', DESKTOP],
    ['desktop', 'dark', DESKTOP],
  ] as const)(
    '[operator-18] gets pages on a %s, %s, in which axe finds no problem and nothing lies outside the screen',
    async (_, colorScheme, viewport) => {
      expected = /404/
      const look = { viewport, colorScheme, reducedMotion: 'reduce', bypassCSP: true } as const
      const signIn = await open('', look, false)
      await signIn.button('Use the development token').waitFor()
      await sound(signIn)
      const operator = await open('', look)
      await operator.main.getByText('The launch decision').first().waitFor()
      await operator.button('Check').click()
      await operator.main.getByText(/fits? together\.|not fit/).waitFor()
      await sound(operator)
      for (const address of [
        RUN,
        PAST,
        '#words=nothing-has-these-words',
        '#run=ctx_nobody',
        '#run=ctx_run-larkfield&context=ctx_approve-notice',
      ]) {
        const other = await open(address, look)
        await other.main.locator('.tree, .details, .empty, .trouble').locator('visible=true').first().waitFor()
        await sound(other)
      }
    },
  )

  it('[operator-18] can read everything with text at twice its size', async () => {
    for (const address of ['', RUN, PAST]) {
      const operator = await open(address, { viewport: NARROW })
      await operator.main.locator('.tree, .list, .details').locator('visible=true').first().waitFor()
      await operator.page.evaluate(() => void (document.documentElement.style.fontSize = '200%'))
      expect([address, ...(await outside(operator.page))]).toEqual([address])
      // If a word fits on a line, the page does not break the word to make room for the elements next to it.
      const broken = await operator.page.locator('h1:visible, h2:visible:not(.hidden)').evaluateAll((headings) =>
        headings
          .flatMap((heading) => Array.from(heading.textContent.matchAll(/\S+/g), (word) => ({ heading, word })))
          .filter(({ heading, word }) => {
            const range = document.createRange()
            range.setStart(heading.firstChild as Node, word.index)
            range.setEnd(heading.firstChild as Node, word.index + word[0].length)
            return new Set(Array.from(range.getClientRects(), ({ top }) => top)).size > 1
          })
          .map(({ word }) => word[0]),
      )
      expect([address, ...broken]).toEqual([address])
    }
  })

  it('[operator-18] sees focus and choice by an edge under forced colours', async () => {
    const operator = await open(`${RUN}&context=ctx_approve-notice`, { forcedColors: 'active' })
    const { page } = operator
    await operator.tree.waitFor()
    expect(await unmarked(page)).toEqual([])
    await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur())
    const [line, now] = ['.line-item[aria-selected="true"]', '.now[aria-pressed="true"]']
    expect(await edges(page, line)).not.toBe(await edges(page, '.line-item[aria-selected="false"]'))
    const pressed = await edges(page, now)
    await operator.button('Moment before').click()
    await page.locator('.now[aria-pressed="false"]').waitFor()
    expect(await edges(page, '.now')).not.toBe(pressed)
  })

  it('[operator-18] can work by keyboard alone', async () => {
    const operator = await open('', {}, false)
    const { keyboard } = operator.page
    const on = () => operator.page.evaluate(() => document.activeElement?.tagName)
    const tabTo = async (name: string | RegExp) => {
      for (let tries = 0; tries < 60; tries += 1) {
        await keyboard.press('Tab')
        const { label, seen } = await operator.page.evaluate(focusedNow)
        expect(seen).toBe(true)
        if (typeof name === 'string' ? label === name : name.test(label)) return
      }
      throw new Error(`no way to ${String(name)}`)
    }
    // The page shows the button once the service has offered the token. Before that, Tab would skip the button.
    await operator.button('Use the development token').waitFor()
    await tabTo('Use the development token')
    await keyboard.press('Enter')
    await operator.main.getByText('The launch decision').first().waitFor()
    await expect.poll(on).toBe('H1')
    await tabTo('Words')
    await keyboard.type('Larkfield')
    await keyboard.press('Enter')
    await expect.poll(() => operator.main.getByRole('listitem').count()).toBe(1)
    await tabTo(/Larkfield goes live/)
    await keyboard.press('Enter')
    await operator.tree.waitFor()
    await expect.poll(on).toBe('H1')
    await tabTo('Moment')
    await keyboard.press('ArrowLeft')
    await expect.poll(() => operator.page.locator('.caption .count').textContent()).toBe('16 of 17')
    await tabTo(/^The launch decision/)
    await keyboard.press('ArrowDown')
    await keyboard.press('Enter')
    await operator.details.getByRole('heading', { name: 'Find out from Maya' }).waitFor()
    await tabTo('Show version 2')
    await keyboard.press('Enter')
    await expect.poll(() => operator.page.locator('.caption .count').textContent()).toBe('3 of 17')
  })

  it('[operator-18] keeps the focus in the field that filters the list', async () => {
    const operator = await open()
    await operator.main.getByText('The launch decision').first().waitFor()
    const status = operator.page.getByLabel('Status')
    await status.focus()
    for (let presses = 0; presses < 3; presses += 1) await operator.page.keyboard.press('ArrowDown')
    await expect.poll(() => status.inputValue()).toBe('completed')
    const words = operator.page.getByLabel('Words')
    await words.fill('larkfield')
    await words.press('Enter')
    await expect.poll(() => operator.hash()).toBe('#status=completed&words=larkfield')
    await expect.poll(() => operator.main.getByText(/runs?, as of/).count()).toBe(1)
    expect(await words.evaluate((field) => field === document.activeElement)).toBe(true)
    await operator.page.goBack()
    await expect.poll(() => words.inputValue()).toBe('')
    expect(await status.inputValue()).toBe('')
  })

  it('[operator-18] starts at the heading again when a run is read again', async () => {
    const operator = await open(RUN)
    await operator.tree.waitFor()
    await operator.button('Refresh').press('Enter')
    await expect.poll(() => operator.page.evaluate(() => document.activeElement?.tagName)).toBe('H1')
  })

  it('[operator-18] has the focus on the form’s field after signing out', async () => {
    const operator = await open()
    await operator.button('Sign out').press('Enter')
    await expect.poll(() => operator.here()).toBe('token')
  })

  it('[operator-18] sees the details in place of the tree on a phone, and the focus follows and returns', async () => {
    const operator = await open(RUN, { viewport: NARROW })
    await operator.tree.waitFor()
    expect(await operator.details.isVisible()).toBe(false)
    await operator.line('Hear from Marcus').click()
    await operator.details.waitFor()
    expect(await operator.tree.isVisible()).toBe(false)
    const here = () => operator.here()
    await expect.poll(here).toBe('details')
    await expect.poll(() => operator.details.getByRole('heading', { level: 2 }).evaluate(isInSight)).toBe(true)
    await operator.page.goBack()
    await operator.tree.waitFor()
    await expect.poll(here).toBe('ctx_talk-marcus')
    await operator.line('Hear from Marcus').click()
    await operator.button('Back to the tree').click()
    await expect.poll(here).toBe('ctx_talk-marcus')
  })

  it('[operator-20] gets the page under the common policy, never in a frame, with files that are cached for ever', async () => {
    const page = await place.server.fetch('/operator/')
    const policy = page.headers.get('content-security-policy') ?? ''
    for (const part of [
      "default-src 'none'",
      "script-src 'self'",
      "connect-src 'self'",
      "frame-ancestors 'none'",
      "trusted-types 'none'",
    ])
      expect(policy).toContain(part)
    expect(page.headers.get('cache-control')).not.toContain('immutable')
    expect(page.headers.get('referrer-policy')).toBe('no-referrer')
    const assets = Array.from((await page.text()).matchAll(/"(\/operator\/assets\/[^"]+)"/g), ([, path = '']) => path)
    expect(assets).toHaveLength(2)
    for (const asset of assets) {
      const file = await place.server.fetch(asset)
      expect([file.status, file.headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable'])
    }
    const site = await place.site.put(`<iframe src="${place.server.url.href}operator/"></iframe>`)
    const framing = await place.browser.newPage()
    place.closeAfterwards(framing)
    await framing.goto(site)
    await expect.poll(() => framing.frames()[1]?.url()).toContain('chrome-error')
  })
})

async function sound(operator: Operator): Promise<void> {
  expect(await violations(operator.page)).toEqual([])
  expect(await outside(operator.page)).toEqual([])
}

/**
 * Returns the elements that are outside the window or clipped by their container, except elements for screen readers
 * only.
 */
function outside(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const width = document.documentElement.clientWidth
    const named = (element: Element) => `${element.tagName}.${element.className.toString()}`
    const wide = document.documentElement.scrollWidth > width ? [`page ${document.documentElement.scrollWidth}`] : []
    const all = Array.from(document.querySelectorAll('body *')).filter(
      (element) => !element.closest('.hidden, svg, option'),
    )
    return [
      ...wide,
      ...all
        .filter((element) => element.getBoundingClientRect().right > width + 0.5)
        .map((element) => `outside ${named(element)}`),
      ...all
        .filter((element) => !['INPUT', 'SELECT'].includes(element.tagName))
        .filter(
          (element) =>
            getComputedStyle(element).overflowX !== 'visible' && element.scrollWidth > element.clientWidth + 1,
        )
        .map((element) => `cut ${named(element)}`),
    ]
  })
}

function isInSight(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect()
  const under = document.elementFromPoint(element.getBoundingClientRect().left + 4, top + 4)
  return top >= 0 && bottom <= innerHeight && under !== null && (element.contains(under) || under.contains(element))
}

/** Returns the label of the focused element and whether its focus is visible. */
function focusedNow(): { label: string; seen: boolean } {
  const element = document.activeElement
  if (!(element instanceof HTMLElement) || element === document.body) return { label: '', seen: true }
  const labelled = element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : null
  const label = element.getAttribute('aria-label') ?? labelled ?? element.innerText.trim()
  const ring = [element, ...element.querySelectorAll('*')].map((each) => getComputedStyle(each))
  const after = getComputedStyle(element, '::after')
  const seen = [...ring.slice(0, 1), after].some(
    (style) => (style.outlineStyle !== 'none' && style.outlineWidth !== '0px') || style.boxShadow !== 'none',
  )
  return { label, seen }
}

/** Returns a run with `count` contexts under one root. Each context begins a millisecond after the previous one. */
function manyUnder(root: string, count: number): readonly PutContext[] {
  const children = Array.from({ length: count }, (_, index): PutContext => ({
    id: `${root}-${index + 1}`,
    parentId: root,
    space: 'part',
    states: [{ at: BEGUN + index + 1, purpose: `Part ${index + 1}` }],
  }))
  return [{ id: root, space: 'run', states: [{ at: BEGUN, purpose: `Many parts of ${root}` }] }, ...children]
}
