import fc from 'fast-check'
import type { Page, Request, WebSocketRoute } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Hello, LogEvent } from '../../worker/wire/messages.ts'
import { Chat, openPage } from '../support/browser.ts'
import { streamed } from '../support/completion-stream.ts'
import { hostileText } from '../support/hostile-text.ts'
import { startModelServer, type ModelServer } from '../support/model-server.ts'
import { serveInBrowser } from '../support/serve.ts'
import { startWorkerServer, type WorkerServer } from '../support/worker-server.ts'
import { XSS_CORPUS } from '../support/xss-corpus.ts'

const served = serveInBrowser()

/**
 * Hostile texts. Some attack the page, and others attack the model's prompt. None of them may have an effect on the
 * page.
 */
const LINES = [
  ...XSS_CORPUS,
  ...fc.sample(hostileText, { numRuns: 60, seed: 20_261_120 }).filter((line) => line.trim()),
]

const NONCE = 'r4nd0m'

interface Visit {
  readonly chat: Chat
  readonly page: Page
  /** Returns all harm that the page recorded: scripts that ran, dialogs, requests to other hosts, policy violations. */
  readonly harm: () => Promise<string[]>
}

/** Opens a page under the strictest policy under which the widget works. */
async function visit(
  server: { readonly url: URL },
  prepare: (page: Page) => Promise<void> = async () => {},
): Promise<Visit> {
  const { page, context, complaints } = await openPage(served.browser)
  served.closeAfterwards(context)
  const away: string[] = []
  const own = new Set([served.site.origin, server.url.origin])
  context.on('request', (request: Request) => {
    if (!own.has(new URL(request.url()).origin)) away.push(`request ${request.url()}`)
  })
  context.on('page', (other) => away.push(`page ${other.url()}`))
  page.on('dialog', (dialog) => {
    away.push(`dialog ${dialog.message()}`)
    void dialog.dismiss()
  })
  await prepare(page)
  const { origin } = server.url
  const url = await served.site.put(
    `<script nonce="${NONCE}">
       window.refused = []
       addEventListener('securitypolicyviolation', ({ violatedDirective, sample }) => refused.push(violatedDirective + ' ' + sample))
     </script>
     <script src="${origin}/embed.js" data-npc="maya" nonce="${NONCE}"></script>`,
    {
      'content-security-policy': `default-src 'none'; script-src 'nonce-${NONCE}' 'strict-dynamic'; connect-src ${origin} ${origin.replace('http', 'ws')}; require-trusted-types-for 'script'; trusted-types 'none'`,
    },
  )
  await page.goto(url)
  const harm = async () => {
    const inside = await page.evaluate(() => {
      const { refused, __ran } = globalThis as unknown as { refused: string[]; __ran?: number }
      return [...refused.map((each) => `refused ${each}`), ...(__ran === undefined ? [] : ['a script ran'])]
    })
    return [...away, ...inside, ...complaints]
  }
  return { page, chat: new Chat(page), harm }
}

describe('hostile texts in a page under a strict policy', { timeout: 120_000 }, () => {
  it(`[embed-53] would be detected if one did harm`, async () => {
    const { chat, page, harm } = await visit(served.server)
    await chat.open()
    expect(await harm()).toEqual([])
    await page.evaluate(() => {
      const root = document.querySelector('walkon-chat')?.shadowRoot
      const image = document.createElement('img')
      image.src = 'https://away.invalid/x.png'
      root?.append(image)
      try {
        if (root) root.innerHTML += '<b>x</b>'
      } catch {}
    })
    for (const kind of ['request https://away.invalid', 'refused img-src', 'refused require-trusted-types-for'])
      await expect.poll(async () => (await harm()).join()).toContain(kind)
  })

  it(`[embed-53] do no harm as a name, a title, a scene, a question, a document or a stored message: ${LINES.length} of them`, async () => {
    let line: WebSocketRoute | undefined
    let hello: Hello | undefined
    const { chat, harm } = await visit(served.server, (page) =>
      page.routeWebSocket(/socket\.io/, (ws) => {
        line = ws
        const server = ws.connectToServer()
        server.onMessage((message) => {
          const text = String(message)
          if (text.startsWith('42["hello"')) [, hello] = JSON.parse(text.slice(2)) as [string, Hello]
          ws.send(message)
        })
      }),
    )
    await chat.open()
    await expect.poll(() => hello).toBeDefined()
    for (const [index, words] of LINES.entries()) {
      if (hello) line?.send(`42${JSON.stringify(['hello', spoiled(hello, words, index)])}`)
      await chat.log.getByText(`number ${index} `).first().waitFor()
      expect(await links(chat)).toEqual([])
    }
    expect(await harm()).toEqual([])
  })

  describe('hostile texts through the whole service', () => {
    const SIZE = 24
    let model: ModelServer
    let spoken: WorkerServer
    beforeAll(async () => {
      model = await startModelServer(() => {
        const at = ((model.requests.all.length - 1) * SIZE) % LINES.length
        const pieces = LINES.slice(at, at + SIZE).flatMap((line) => [...(line.match(/.{1,7}/gsu) ?? []), '\n\n'])
        return streamed(pieces)
      })
      spoken = await startWorkerServer({
        configPath: 'wrangler.toml',
        vars: { OPENAI_BASE_URL: model.url, OPENAI_MODEL: 'walkon-test', WALKON_ORIGINS: served.site.origin },
      })
    })
    afterAll(async () => {
      await spoken.stop()
      await model.close()
    })

    // Each test sends few lines, because a conversation without progress ends after six turns.
    it.each([0, 4 * SIZE])(
      '[embed-53] [embed-65] do no harm as a reply, as a learner’s message and as the page’s own text, from line %i',
      async (from) => {
        const { chat, page, harm } = await visit(spoken)
        await chat.open()
        const asked = model.requests.all.length
        for (let at = from; at < Math.min(from + 4 * SIZE, LINES.length); at += SIZE) {
          const words = LINES.slice(at, at + SIZE)
            .join('\n')
            .slice(0, 1_900)
          await page.evaluate(
            (text) => (globalThis as unknown as { Walkon: { setPage(page: string): void } }).Walkon.setPage(text),
            `About: ${words}`,
          )
          await chat.say(words)
          expect(await links(chat)).toEqual([])
        }
        expect(JSON.stringify(model.requests.all[asked]?.body)).toContain('About:')
        const said = await chat.log.innerText()
        expect(said).toContain(from ? 'END' : 'alert(1)')
        await page.reload()
        await chat.open()
        await chat.log.locator('.said').first().waitFor()
        await expect.poll(() => chat.log.innerText()).toBe(said)
        expect(await links(chat)).toEqual([])
        expect(await harm()).toEqual([])
      },
    )
  })
})

/** Returns the elements in the panel with a link that a reply may not contain. */
function links(chat: Chat): Promise<string[]> {
  return chat.panel.evaluate((panel) =>
    [...panel.querySelectorAll('[href], [src], [srcset], [style*="url"], [onerror], [onload]')]
      .filter(
        (each) =>
          !/^(https|mailto):/.test(each.getAttribute('href') ?? '') || !/noopener/.test(each.getAttribute('rel') ?? ''),
      )
      .map((each) => each.outerHTML),
  )
}

/** Returns the same conversation with the given text in every field that anyone can write. */
function spoiled(hello: Hello, words: string, index: number): Hello {
  const person = { id: 'maya', name: words, role: words, hue: 320 }
  const place = { at: 0, turn: 1 }
  const events: LogEvent[] = [
    { ...place, seq: 1, type: 'turn-start', attempt: 1, cid: 'c1', text: words },
    {
      ...place,
      seq: 2,
      type: 'turn',
      attempt: 1,
      text: `number ${index} \n\n${words}`,
      outcome: 'complete',
      level: 'neutral',
    },
    {
      ...place,
      seq: 3,
      type: 'pivot-end',
      pivot: 'p',
      level: 'neutral',
      choice: { cid: 'c2', id: 'a', text: words, reaction: words, effect: words },
    },
    {
      ...place,
      seq: 4,
      type: 'command',
      id: '1.0',
      command: { name: 'AI_AdvanceObjective', objective: 'o', title: words },
    },
    {
      ...place,
      seq: 5,
      type: 'command',
      id: '1.1',
      command:
        index % 2 === 0
          ? { name: 'AI_PivotMoment', pivot: 'q', question: words, choices: [{ id: 'a', text: words }] }
          : {
              name: 'AI_EndConversation',
              completion: 'forced',
              document: { title: words, kind: words, lines: [words, `x: ${words}`] },
              next: { ...person, why: words },
            },
    },
  ]
  return {
    ...hello,
    mode: 'snapshot',
    epoch: `e${index}`,
    head: events.length,
    events,
    running: null,
    conversation: {
      ...hello.conversation,
      scenario: { id: 's', title: words, role: words, situation: words },
      npc: person,
      scene: words,
      colleagues: [person],
      speaker: { kind: 'model', label: words },
    },
  }
}
