import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Browser } from 'playwright-core'
import { connectBrowser, openPage } from '../support/browser.ts'
import { parcelDesk } from '../support/parcel-desk.ts'
import { startWorkerServer, type WorkerServer } from '../support/worker-server.ts'

const SECRET = 'p4Qm8sLx2VtR6yWn1ZcB9dKf3HgJ5aUe'

let server: WorkerServer
let browser: Browser
beforeAll(async () => {
  ;[server, browser] = await Promise.all([
    startWorkerServer({
      configPath: 'wrangler.toml',
      vars: { WALKON_ADMIN_SECRET: SECRET, WALKON_REHEARSAL_PACE_MS: '0' },
    }),
    connectBrowser(),
  ])
  const headers = { Authorization: `Bearer ${SECRET}`, 'Content-Type': 'application/json' }
  await server.fetch('api/admin/scenarios', { method: 'POST', headers, body: JSON.stringify(parcelDesk()) })
})
afterAll(async () => {
  await browser.close()
  await server.stop()
})

it('[document-41] a colleague asks in the chat whether it may use a tool of the page, and speaks of the result', async () => {
  const { page, context, complaints } = await openPage(browser, { reducedMotion: 'reduce', bypassCSP: true })
  await page.goto(new URL('api/docs', server.url).href)
  await page.setContent('<h1>My account</h1>')
  await page.evaluate(
    ({ src }) =>
      new Promise<void>((ready) => {
        const script = document.createElement('script')
        Object.assign(script, { src, onload: () => ready() })
        script.dataset['scenario'] = 'parcel-desk'
        document.body.append(script)
      }),
    { src: new URL('embed.js', server.url).href },
  )
  await page.evaluate(`
    Walkon.setPage({ text: 'My account.', tools: ['free_hour'] })
    Walkon.on('tool', ({ tool, answer }) => answer(tool === 'free_hour' ? 'from ten to noon' : ''))
  `)
  const chat = page.locator('walkon-chat')
  await chat.getByRole('button').first().click()
  const field = chat.getByRole('textbox')
  await field.fill('Look into my calendar for Friday.')
  await field.press('Enter')
  await chat.getByRole('button', { name: 'Allow once' }).click()
  await chat.locator('.speech[aria-busy="false"]').filter({ hasText: 'You are at home from ten to noon.' }).waitFor()
  expect(complaints).toEqual([])
  await context.close()
})
