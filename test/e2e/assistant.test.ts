import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { violations } from '../support/axe.ts'
import { DESKTOP, openPage, PHONE, type WatchedPage } from '../support/browser.ts'
import { serveInBrowser } from '../support/serve.ts'
import { IS_LONG, oneIn } from '../support/runs.ts'

const served = serveInBrowser()

interface Visit extends WatchedPage {
  /** The frames that the page has sent. */
  readonly frames: string[]
  /** The addresses of the sockets that it has opened. */
  readonly sockets: string[]
}

async function visit(options: Parameters<typeof openPage>[1] = {}): Promise<Visit> {
  const watched = await openPage(served.browser, { reducedMotion: 'reduce', bypassCSP: true, ...options })
  served.closeAfterwards(watched.context)
  const frames: string[] = []
  const sockets: string[] = []
  watched.page.on('websocket', (socket) => {
    sockets.push(socket.url())
    socket.on('framesent', ({ payload }) => {
      if (String(payload).startsWith('42')) frames.push(String(payload))
    })
  })
  await watched.page.goto(new URL('embed/editor', served.server.url).href)
  return { ...watched, frames, sockets }
}

const field = (page: Page) => page.locator('walkon-chat').getByRole('textbox')
const replies = (page: Page) => page.locator('walkon-chat .speech[aria-busy="false"]')

async function open(page: Page): Promise<void> {
  await page.locator('walkon-chat').getByRole('button').first().click()
  // The greeting.
  await replies(page).first().waitFor()
}

/** Sends a message and waits for a reply that contains a text. */
async function ask(page: Page, text: string, answer: string | RegExp): Promise<void> {
  const before = await replies(page).count()
  await field(page).fill(text)
  await field(page).press('Enter')
  await replies(page).nth(before).filter({ hasText: answer }).waitFor()
}

const kind = (frame: string) => (JSON.parse(frame.replace(/^42\d*/, '')) as readonly [string])[0]

describe('an assistant beside an editor', () => {
  it('[assistant-15] knows the text, proposes changes, and the person takes them one by one', async () => {
    const { page, complaints } = await visit()
    await open(page)
    await ask(page, 'When was the first street lantern lit?', '1820')
    await ask(page, 'Please proofread this.', 'changes to lanterns.md')
    const changes = page.locator('walkon-chat .changes li')
    await changes.first().waitFor()
    const count = await changes.count()
    expect(count).toBeGreaterThan(2)
    const text = page.locator('#text')
    await changes.first().getByRole('button', { name: 'Take it' }).click()
    await expect.poll(() => text.inputValue()).toContain('In the winter')
    await page.getByText('“teh” is now “the”.').waitFor()

    // The person writes where the next change would go. It is refused, and the text stays as they wrote it.
    await text.fill((await text.inputValue()).replace('untill', 'up to'))
    await page.getByRole('button', { name: 'Take all' }).click()
    await page.locator('walkon-chat .changes').getByText('Not taken: the text has changed there.').waitFor()
    // The other changes may still arrive one after another.
    await expect.poll(() => text.inputValue()).toContain('Nobody paid for it. The shops')
    expect(await text.inputValue()).toContain('bakery up to 1861')
    // It can still be left, and that is all that is offered.
    const rest = page.locator('walkon-chat .changes').getByRole('button')
    expect(await rest.allInnerTexts()).toEqual(['Take it', 'Leave it'])
    await rest.last().click()
    await expect.poll(() => rest.count()).toBe(0)
    expect(await page.locator('walkon-chat .changes .taken').count()).toBe(count - 1)
    expect(complaints).toEqual([])
  })

  it.runIf(IS_LONG)(
    '[assistant-23] offers a change once: neither after a reload nor in another tab again',
    async () => {
      const { page, context, complaints } = await visit()
      await open(page)
      await ask(page, 'Please proofread this.', 'changes to lanterns.md')
      const changesIn = (tab: Page) => tab.locator('walkon-chat .changes li')
      const buttonsIn = (tab: Page) => changesIn(tab).getByRole('button')
      await changesIn(page).first().waitFor()
      const count = await changesIn(page).count()
      const other = await context.newPage()
      await other.goto(page.url())
      await open(other)
      await expect.poll(() => buttonsIn(other).count()).toBe(2 * count)

      const before = await other.locator('#text').inputValue()
      await changesIn(page).first().getByRole('button', { name: 'Take it' }).click()
      await changesIn(other).first().getByText('Taken.').waitFor()
      await changesIn(other).nth(1).getByRole('button', { name: 'Leave it' }).click()
      await changesIn(page).nth(1).getByText('Left as it was.').waitFor()
      // Each tab makes its own changes.
      expect(await other.locator('#text').inputValue()).toBe(before)
      expect(await page.locator('#text').inputValue()).not.toBe(before)
      expect(await buttonsIn(other).count()).toBe(2 * (count - 2))

      await page.reload()
      await field(page).or(page.locator('walkon-chat').getByRole('button')).first().waitFor()
      if (!(await field(page).isVisible())) await open(page)
      await expect.poll(() => changesIn(page).count()).toBe(count)
      await expect.poll(() => buttonsIn(page).count()).toBe(2 * (count - 2))
      await page.getByRole('button', { name: 'Leave all' }).click()
      await expect.poll(() => page.locator('walkon-chat .edits').getByRole('button').count()).toBe(0)
      await expect.poll(() => other.locator('walkon-chat .edits').getByRole('button').count()).toBe(0)
      await ask(page, '@edit Once more, please.', /I have read lanterns.md|One change/)
      expect(complaints).toEqual([])
    },
  )

  it.runIf(IS_LONG)('[assistant-18] takes its question away if the person stops the reply', async () => {
    const { page } = await visit()
    await open(page)
    await field(page).fill('@research Why do moths gather?')
    await field(page).press('Enter')
    const card = page.locator('walkon-chat .asks')
    await card.waitFor()
    // Right after the message was sent, a press counts as a double press and stops nothing.
    const stop = page.locator('walkon-chat').getByRole('button', { name: 'Stop' })
    await expect
      .poll(async () => {
        if (await stop.isVisible()) await stop.click()
        return card.getByText('Not asked any more.').count()
      })
      .toBe(1)
    expect(await card.getByRole('button').count()).toBe(0)
  })

  it.runIf(IS_LONG)(
    '[assistant-7] [assistant-14] [assistant-17] says in the chat, and names in the console, what the service refused',
    async () => {
      const { page, context, complaints } = await openPage(served.browser, { reducedMotion: 'reduce', bypassCSP: true })
      served.closeAfterwards(context)
      let isRefused = true
      await page.routeWebSocket(/socket\.io/, (socket) => {
        const server = socket.connectToServer()
        socket.onMessage((frame) => {
          const [, id, name] = /^42(\d+)\["(lock|permit)"/.exec(String(frame)) ?? []
          if (!id || !isRefused) return server.send(frame)
          const code = name === 'lock' ? 'unknown-agent' : 'unavailable'
          const refusal = { ok: false, next: 'give-up', code, message: 'There is no such agent here.' }
          socket.send(`43${id}${JSON.stringify([name === 'lock' ? refusal : null])}`)
        })
        server.onMessage((frame) => {
          const text = String(frame)
          if (!text.includes('"type":"edits"')) return socket.send(frame)
          const refused = [{ index: 3, why: 'ambiguous' }]
          const [event, body, ...rest] = JSON.parse(text.slice(2)) as [string, object, ...unknown[]]
          socket.send(`42${JSON.stringify([event, { ...body, refused }, ...rest])}`)
        })
      })
      await page.goto(new URL('embed/editor', served.server.url).href)
      await open(page)
      const agents = page.getByRole('group', { name: 'Who answers' })
      await agents.getByRole('button', { name: '@edit' }).click()
      await expect.poll(() => complaints).toEqual(['Walkon: unknown-agent. There is no such agent here.'])
      expect(await agents.locator('[aria-pressed="true"]').innerText()).toBe('Anyone')
      await ask(page, 'Please proofread this.', 'changes to lanterns.md')
      await page.getByText('One more change had no clear place in the text.').waitFor()
      expect(complaints.slice(1)).toEqual(['Walkon: the change 4 to lanterns.md was not offered: ambiguous.'])

      // Without an answer of the service, the question stays open.
      await field(page).fill('@research Why do moths gather?')
      await field(page).press('Enter')
      const card = page.locator('walkon-chat .asks')
      await card.getByRole('button', { name: 'Allow once' }).click()
      await card.getByText('That did not work. Nothing has changed. Try again.').waitFor()
      isRefused = false
      await card.getByRole('button', { name: 'Allow once' }).click()
      await card.getByText('Allowed once.').waitFor()
      expect(await card.getByText('That did not work.').count()).toBe(0)
    },
  )

  it.runIf(IS_LONG)('[assistant-1] offers the agents if a message begins with the name of none', async () => {
    const { page } = await visit()
    await open(page)
    await ask(page, '@nobody Are you there?', 'There is no @nobody here.')
    await page.locator('walkon-chat').getByRole('button', { name: '@research', exact: true }).last().waitFor()
  })

  it.runIf(IS_LONG)(
    '[assistant-16] sends the page only when it has changed, and only what the page shows',
    async () => {
      const { page, frames } = await visit()
      const long = `${'A line of the text that says nothing new.\n'.repeat(4_800)}The heron stands in the pond.\n`
      await page.locator('#text').evaluate((area, text) => {
        ;(area as HTMLTextAreaElement).value = text
        area.dispatchEvent(new Event('input'))
      }, long)
      expect(long.length).toBeGreaterThan(200_000)
      await open(page)
      await ask(page, 'Where does the heron stand?', 'pond')
      expect(frames.map(kind)).toEqual(['page', 'say'])
      expect(frames[0]?.length).toBeLessThan(50_000)
      await ask(page, 'And who else stands there?', 'Quill')
      expect(frames.map(kind)).toEqual(['page', 'say', 'say'])
      for (const frame of frames.filter((each) => kind(each) === 'say')) expect(frame.length).toBeLessThan(400)

      for (const [shown, question, expected] of [
        ['A pipeline', 'How many texts are signed off?', 'two of six'],
        ['Neither', 'Where does the heron stand?', /I don.t find that/],
        ['A text in an editor', 'Where does the heron stand now?', 'The heron stands'],
      ] as const) {
        await page.getByRole('button', { name: shown }).click()
        await ask(page, question, expected)
      }
      expect(frames.map(kind).slice(3)).toEqual(['page', 'say', 'page', 'say', 'page', 'say'])
    },
  )

  it.runIf(IS_LONG)(
    '[assistant-14] is locked to one agent by the buttons above the conversation, also after a reload',
    async () => {
      const { page } = await visit()
      await open(page)
      const agents = page.getByRole('group', { name: 'Who answers' })
      await agents.getByRole('button', { name: '@research' }).click()
      await expect.poll(() => agents.locator('[aria-pressed="true"]').innerText()).toBe('@research')
      await agents.getByText('Only @research answers. Press it again to unlock.').waitFor()
      await ask(page, 'What did lamps burn?', /whale oil.*example\.org/s)
      await page.getByText('Quill, researching').first().waitFor()
      await page.reload()
      await field(page).or(page.locator('walkon-chat').getByRole('button')).first().waitFor()
      if (!(await field(page).isVisible())) await open(page)
      await expect.poll(() => agents.locator('[aria-pressed="true"]').innerText()).toBe('@research')
      await agents.getByRole('button', { name: 'Anyone' }).click()
      await expect.poll(() => agents.locator('[aria-pressed="true"]').innerText()).toBe('Anyone')
    },
  )

  it.runIf(IS_LONG)(
    '[assistant-27] shows what the person has allowed in this conversation, also after a reload, until it is taken back',
    async () => {
      const { page, complaints } = await visit()
      await open(page)
      await field(page).fill('@research Why do moths gather?')
      await field(page).press('Enter')
      await page.getByRole('button', { name: 'Allow in this conversation' }).click()
      const menu = page.locator('walkon-chat').getByRole('button', { name: 'Menu' })
      const back = page
        .getByRole('group', { name: 'Allowed in this conversation' })
        .getByRole('button', { name: 'Take back: Search the web' })
      await replies(page).nth(1).waitFor()
      await page.reload()
      await field(page).or(page.locator('walkon-chat').getByRole('button')).first().waitFor()
      if (!(await field(page).isVisible())) await open(page)
      await menu.click()
      await back.click()
      await expect.poll(() => back.count()).toBe(0)
      await page.getByText('Taken back. You will be asked again.').first().waitFor()
      await expect
        .poll(() => page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.textContent))
        .toBe('Allowed in this conversation')
      await menu.click()
      await ask(page, 'Hello.', 'about this page')
      await field(page).fill('@research Where do trams run?')
      await field(page).press('Enter')
      await page.locator('walkon-chat .asks').nth(1).getByRole('button', { name: "Don't allow" }).waitFor()
      expect(await violations(page)).toEqual([])
      expect(complaints).toEqual([])
    },
  )

  it('[assistant-17] asks before it uses a tool of the page, also after a reload, and goes on with the result', async () => {
    const { page, complaints } = await visit()
    await open(page)
    await field(page).fill('@research Why do moths gather?')
    await field(page).press('Enter')
    const card = page.locator('walkon-chat .asks')
    await card.getByRole('heading', { name: '@research asks for permission: Search the web' }).waitFor()
    expect(await card.innerText()).toContain('Costs about one cent. Risk: low.')
    expect(await violations(page)).toEqual([])
    await page.reload()
    await field(page).or(page.locator('walkon-chat').getByRole('button')).first().waitFor()
    if (!(await field(page).isVisible())) await open(page)
    await card.getByRole('button', { name: 'Allow once' }).click()
    await card.getByText('Allowed once.').waitFor()
    await replies(page).filter({ hasText: 'fixed angle' }).waitFor()
    expect(await card.getByRole('button').count()).toBe(0)
    expect(complaints).toEqual([])
  })

  it.runIf(IS_LONG)(
    '[assistant-22] keeps each conversation, also if its menu was never opened, whatever another tab does',
    async () => {
      const { page, context, complaints } = await visit()
      await open(page)
      await ask(page, 'When was the first street lantern lit?', '1820')
      const listIn = (tab: Page) =>
        tab.locator('walkon-chat').getByRole('group', { name: 'Menu' }).getByRole('group', { name: 'Conversations' })
      const openMenu = (tab: Page) => tab.locator('walkon-chat').getByRole('button', { name: 'Menu' }).click()
      const other = await context.newPage()
      await other.goto(page.url())
      await open(other)
      await other.locator('walkon-chat').getByText('street lantern').first().waitFor()

      // One tab begins another conversation; in the old one, something still happens in the other tab.
      await openMenu(page)
      await listIn(page).getByRole('button', { name: 'New conversation' }).click()
      await expect.poll(() => page.locator('walkon-chat').getByText('street lantern').count()).toBe(0)
      await ask(page, 'Who swept the lanes?', 'Quill')
      await ask(other, 'Who paid for it?', 'Quill')
      await page.reload()
      await field(page).or(page.locator('walkon-chat').getByRole('button')).first().waitFor()
      if (!(await field(page).isVisible())) await open(page)
      await page.locator('walkon-chat .said').filter({ hasText: 'Who swept the lanes?' }).waitFor()

      // And one is forgotten without its menu having been opened.
      await page.evaluate(() => {
        for (const key of Object.keys(localStorage))
          if (key.startsWith('walkon|') && !key.includes('|past|')) localStorage.removeItem(key)
      })
      await page.reload()
      await field(page).or(page.locator('walkon-chat').getByRole('button')).first().waitFor()
      if (!(await field(page).isVisible())) await open(page)
      await expect.poll(() => page.locator('walkon-chat .said').count()).toBe(0)
      await replies(page).first().waitFor()
      await openMenu(page)
      await expect
        .poll(async () => (await listIn(page).locator('li > button').allInnerTexts()).toSorted())
        .toEqual(['Nothing said yet', 'When was the first street lantern lit?', 'Who swept the lanes?'])
      expect(complaints).toEqual([])
    },
  )

  it.runIf(IS_LONG)(
    '[assistant-22] lists the conversations of this browser: new, back, rename, pin, archive, search, delete',
    async () => {
      const { page, complaints } = await visit()
      await open(page)
      await ask(page, 'When was the first street lantern lit?', '1820')
      const menu = page.locator('walkon-chat').getByRole('group', { name: 'Menu' })
      const list = menu.getByRole('group', { name: 'Conversations' })
      const openMenu = () => page.locator('walkon-chat').getByRole('button', { name: 'Menu' }).click()
      await openMenu()
      await list.getByRole('button', { name: 'When was the first street lantern lit?' }).waitFor()
      expect(await violations(page)).toEqual([])
      await list.getByRole('button', { name: 'New conversation' }).click()
      await menu.waitFor({ state: 'detached' })
      await expect.poll(() => page.locator('walkon-chat').getByText('street lantern').count()).toBe(0)
      await replies(page).first().waitFor()
      await ask(page, 'Who swept the lanes?', 'Quill')

      await openMenu()
      const first = list.locator('li', { hasText: 'When was the first' })
      await first.locator('summary').click()
      await first.getByLabel('Name').fill('The lanterns')
      await first.getByLabel('Name').press('Enter')
      const renamed = list.locator('li', { hasText: 'The lanterns' })
      await renamed.locator('summary').click()
      await renamed.getByRole('button', { name: 'Pin to the top' }).click()
      await renamed.locator('summary', { hasText: '★' }).waitFor()
      expect(await list.locator('li').first().innerText()).toContain('The lanterns')
      expect(await violations(page)).toEqual([])
      await list.getByRole('searchbox').fill('LANES')
      await expect.poll(() => list.locator('li').count()).toBe(1)
      await list.getByRole('searchbox').fill('')

      // What the service has is what the list says.
      const kept = await page.evaluate(async () => {
        const [, text] = Object.entries(localStorage).find(
          ([key]) => key.includes('|past|') && localStorage.getItem(key)!.includes('The lanterns'),
        )!
        const { id, key } = JSON.parse(text as string) as { id: string; key: string }
        const response = await fetch(`/api/sessions/${id}/metadata`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ key }),
        })
        return ((await response.json()) as { metadata: object }).metadata
      })
      expect(kept).toMatchObject({ title: 'The lanterns', is_pinned: true, is_archived: false })

      await renamed.getByRole('button', { name: 'The lanterns' }).click()
      await page.locator('walkon-chat .speech').filter({ hasText: '1820' }).waitFor()
      await ask(page, 'Who paid for it?', 'Quill')
      await openMenu()
      const other = list.locator('li', { hasText: 'Who swept the lanes?' })
      await other.locator('summary').click()
      await other.getByRole('button', { name: 'Archive' }).click()
      await list.getByText('Archived (1)').click()
      await other.locator('summary').last().click()
      await other.getByRole('button', { name: 'Delete' }).last().click()
      const erased = page.waitForResponse(/\/erase$/)
      await other.getByRole('button', { name: 'Yes, delete it for good' }).last().click()
      expect((await erased).status()).toBe(200)
      await expect.poll(() => list.locator('li').count()).toBe(1)
      expect(complaints).toEqual([])
    },
  )

  it.runIf(IS_LONG)(
    '[assistant-22] [again-10] goes on from an earlier message in a conversation of its own',
    async () => {
      const { page, complaints } = await visit({ viewport: PHONE })
      await open(page)
      await ask(page, 'When was the first street lantern lit?', '1820')
      await ask(page, 'Who swept the lanes?', 'Quill')
      const chat = page.locator('walkon-chat')
      const list = chat.getByRole('group', { name: 'Conversations' })
      const names = () => list.locator('li > button').allInnerTexts()
      const openMenu = () => chat.getByRole('button', { name: 'Menu' }).click()
      await openMenu()
      const row = list.locator('li', { hasText: 'When was the first' })
      await row.locator('summary').click()
      const branch = 'Go on from here in a new conversation'
      await row.getByRole('combobox', { name: branch }).selectOption('When was the first street lantern lit?')
      expect(await violations(page)).toEqual([])
      await row.getByRole('button', { name: branch }).click()
      await expect.poll(() => chat.locator('.said').count()).toBe(1)
      await replies(page).filter({ hasText: '1820' }).waitFor()
      await ask(page, 'Who paid for it?', 'Quill')
      await openMenu()
      expect((await names()).toSorted()).toEqual([
        'From: When was the first street lantern lit?',
        'When was the first street lantern lit?',
      ])
      await list.getByRole('button', { name: 'When was the first', exact: false }).last().click()
      await chat.locator('.said', { hasText: 'Who swept the lanes?' }).waitFor()
      expect(complaints).toEqual([])
    },
  )

  const BAD: readonly (readonly [page: string, why: string])[] = [
    [`{ editor: { content: 'x' } }`, 'editor: filename is no text.'],
    [`{ editor: { filename: 'a.md', content: 'x', cursor: NaN } }`, 'editor: cursor is no number.'],
    [`{ editor: null }`, 'the page: editor is no object.'],
    [`{ text: 'a', pipeline: { id: 'p', title: 't' } }`, 'give exactly one of editor, pipeline and text.'],
    [`{ pipeline: { id: 'p', title: 't', preference: 'maybe' } }`, 'pipeline.preference is neither prefer nor ignore.'],
    [`{ pipeline: { id: 'p', title: 7 } }`, 'pipeline: title is no text.'],
    [`{ get text() { throw new Error('gone') } }`, 'Error: gone'],
    [`42`, 'the page is neither a text nor an object.'],
  ]

  it.runIf(IS_LONG)(
    '[assistant-16] names what is wrong with a page in the console, and the message goes without it',
    async () => {
      const { page, complaints, frames } = await visit()
      await open(page)
      for (const [bad, why] of oneIn(4, BAD)) {
        complaints.length = frames.length = 0
        await page.evaluate(`Walkon.setPage(${bad}, 'assistant')`)
        await ask(page, 'Who pays for the trams?', /I don.t find that/)
        expect([complaints, frames.map(kind)], bad).toEqual([[`Walkon.setPage: ${why}`], ['say']])
      }
      complaints.length = frames.length = 0
      await page.evaluate(`Walkon.setPage(null, 'assistant')`)
      await ask(page, 'And for the buses?', /I don.t find that/)
      expect([complaints, frames.map(kind)]).toEqual([[], ['say']])
    },
  )

  it.runIf(IS_LONG)(
    '[assistant-16] [embed-50] is not loaded by a simulation, which takes a text of a page and nothing else',
    async () => {
      const { page, context, complaints } = await openPage(served.browser, { reducedMotion: 'reduce' })
      served.closeAfterwards(context)
      const files: string[] = []
      page.on('request', (request) => files.push(new URL(request.url()).pathname))
      const tag = `<script src="${new URL('embed.js', served.server.url).href}" data-scenario="launch-decision"></script>`
      await page.goto(await served.site.put(tag))
      await page.evaluate(`Walkon.setPage({ text: 'a' })`)
      await open(page)
      await ask(page, 'Hi, what is going on?', /./)
      await page.locator('walkon-chat').getByRole('button', { name: 'Menu' }).click()
      await page.locator('walkon-chat').getByRole('button', { name: 'Copy the conversation' }).waitFor()
      expect(files.filter((each) => each.endsWith('.js'))).toEqual(['/embed.js', '/widget.js', '/menu.js'])
      expect(complaints).toEqual(['Walkon.setPage: a colleague takes a text.'])
    },
  )

  it.runIf(IS_LONG)(
    '[assistant-16] sends of a page that is too large for one frame what fits, on one connection',
    async () => {
      const { page, complaints, frames, sockets } = await visit()
      await open(page)
      await page.evaluate(`{
      const hits = Array.from({ length: 40 }, () => ({ title: 't'.repeat(900), url: 'u', text: '\\u0001'.repeat(9000) }))
      const content = 'The heron stands in the pond. ' + '\\u0001'.repeat(90000)
      Walkon.setPage({ editor: { filename: 'a.md', content }, results: { local: hits, web: hits } }, 'assistant')
    }`)
      await ask(page, 'Where does the heron stand?', 'pond')
      expect([complaints, frames.map(kind), sockets.length]).toEqual([[], ['page', 'say'], 1])
      expect(new TextEncoder().encode(frames[0]).length).toBeLessThan(65_536)
    },
  )

  it.runIf(IS_LONG)(
    '[assistant-16] does not send the page again while a message waits for a question to be answered',
    async () => {
      const { page, frames } = await visit()
      await open(page)
      await field(page).fill('@research Why do moths gather?')
      await field(page).press('Enter')
      const card = page.locator('walkon-chat .asks')
      await card.waitFor()
      await field(page).fill('Another one')
      await field(page).press('Enter')
      // Refused as busy twice, it waits longer and longer.
      await expect.poll(() => frames.map(kind), { timeout: 15_000 }).toEqual(['page', 'say', 'say', 'say', 'say'])
      await card.getByRole('button', { name: "Don't allow" }).click()
      await replies(page).nth(2).waitFor()
      expect(frames.map(kind).filter((name) => name === 'page')).toHaveLength(1)
    },
  )

  const LOOKS = [
    ['a phone', PHONE, 'light'],
    ['a desktop in the dark', DESKTOP, 'dark'],
  ] as const

  it.runIf(IS_LONG).each(LOOKS)('[assistant-15] has no finding of axe on %s', async (_, viewport, colorScheme) => {
    const { page } = await visit({ viewport, colorScheme })
    await open(page)
    await ask(page, 'Please proofread this.', 'changes to')
    await page.locator('walkon-chat .changes li').first().waitFor()
    expect(await violations(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  })

  it.runIf(IS_LONG)(
    '[assistant-15] changes no text that may not be changed, and leaves the cursor and the focus where they were',
    async () => {
      const { page, complaints } = await visit()
      await open(page)
      expect(await page.evaluate('scrollY')).toBe(0)
      const chat = page.locator('walkon-chat')
      await chat.getByRole('button', { name: 'Please proofread this text.' }).click()
      const changes = chat.locator('.changes li')
      await changes.first().waitFor()
      const text = page.locator('#text')
      const whole = await text.inputValue()
      const cursor = whole.indexOf('The shops')
      await text.evaluate((area, at) => (area as HTMLTextAreaElement).setSelectionRange(at, at), cursor)

      await page.getByLabel('The text may not be changed').check()
      expect(await text.evaluate((area) => (area as HTMLTextAreaElement).readOnly)).toBe(true)
      await chat.getByRole('button', { name: 'Take all' }).click()
      await changes.first().getByText('Not taken: the text may not be changed.').waitFor()
      expect(await text.inputValue()).toBe(whole)
      await page.getByLabel('The text may not be changed').uncheck()

      await page.getByRole('button', { name: 'A pipeline' }).click()
      await changes.first().getByRole('button', { name: 'Take it' }).click()
      await changes.first().getByText('Not taken: the page does not show this text now.').waitFor()
      await page.getByRole('button', { name: 'A text in an editor' }).click()

      // The second change makes the text before the cursor shorter. The focus goes to the next change.
      await changes.nth(1).getByRole('button', { name: 'Take it' }).click()
      await changes.nth(1).getByText('Taken.').waitFor()
      await expect.poll(() => text.inputValue()).toContain('It was\na oil')
      const place = () => text.evaluate((area) => (area as HTMLTextAreaElement).selectionStart)
      expect(await place()).toBe((await text.inputValue()).indexOf('The shops'))
      await expect
        .poll(() => page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.textContent))
        .toBe('Take it')
      await text.focus()
      await page.keyboard.press('Control+z')
      expect(await text.inputValue()).toBe(whole)
      expect(complaints).toEqual([])
    },
  )

  it.runIf(IS_LONG)('[assistant-14] shows that @auto and a second press take the lock back', async () => {
    const { page } = await visit()
    await open(page)
    const agents = page.getByRole('group', { name: 'Who answers' })
    const pressed = agents.locator('[aria-pressed="true"]')
    const press = (name: string) => agents.getByRole('button', { name }).click()
    await press('@edit')
    await expect.poll(() => pressed.allInnerTexts()).toEqual(['@edit'])
    await ask(page, '@auto When was the first street lantern lit?', '1820')
    await expect.poll(() => pressed.allInnerTexts()).toEqual(['Anyone'])
    await press('@edit')
    await expect.poll(() => pressed.allInnerTexts()).toEqual(['@edit'])
    await press('@edit')
    await expect.poll(() => pressed.allInnerTexts()).toEqual(['Anyone'])
    await ask(page, 'Who climbed a ladder?', 'a boy')
  })

  it.runIf(IS_LONG)('[assistant-18] says why a tool gave nothing, below the question that was asked', async () => {
    const { page } = await visit()
    await open(page)
    const chat = page.locator('walkon-chat')
    const answer = async (button: string, reply: string) => {
      await field(page).fill('@research Why do birds sing?')
      await field(page).press('Enter')
      const card = chat.locator('.asks').filter({ has: page.getByRole('button', { name: button }) })
      await card.waitFor()
      // Nothing is being replied while the person is asked.
      expect(await chat.locator('.replying').isVisible()).toBe(false)
      await card.getByRole('button', { name: button }).click()
      const said = replies(page).filter({ hasText: reply })
      await said.waitFor()
      return (await said.boundingBox())?.y ?? 0
    }
    const denied = await answer("Don't allow", 'You did not allow “Search the web”')
    expect(denied).toBeGreaterThan((await chat.locator('.asks').boundingBox())?.y ?? Infinity)
    await answer('Allow once', 'gave no result for “Why do birds sing?”')
  })

  const SIZES = [
    ['a phone', PHONE],
    ['a desktop', DESKTOP],
  ] as const

  it.runIf(IS_LONG).each(SIZES)(
    '[assistant-22] shows the list within the panel on %s, and the message box below it',
    async (_, viewport) => {
      const { page } = await visit({ viewport })
      await open(page)
      await ask(page, 'Who paid for it, and why is this such a long question about nothing much?', 'Quill')
      const chat = page.locator('walkon-chat')
      await chat.getByRole('button', { name: 'Menu' }).click()
      const row = chat.locator('.conversations li').first()
      await row.locator('summary').click()
      const right = (place: ReturnType<Page['locator']>) =>
        place.evaluate((element) => element.getBoundingClientRect().right)
      const panel = chat.locator('.panel')
      for (const part of [row, row.locator('summary'), row.locator('input')])
        expect(await right(part)).toBeLessThan(await right(panel))
      for (const target of await row.locator('button, summary, input').all())
        expect((await target.boundingBox())?.height).toBeGreaterThanOrEqual(44)
      const bottom = (place: ReturnType<Page['locator']>) =>
        place.evaluate((element) => element.getBoundingClientRect().bottom)
      expect(await bottom(chat.locator('.composer'))).toBeLessThanOrEqual(await bottom(panel))
    },
  )
})
