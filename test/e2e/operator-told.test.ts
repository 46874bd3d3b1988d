import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { violations } from '../support/axe.ts'
import { DESKTOP, PHONE } from '../support/browser.ts'
import { Operator } from '../support/operator-page.ts'
import { newCid, openSession, Player } from '../support/player.ts'
import { IS_LONG, variants } from '../support/runs.ts'
import { serveInBrowser } from '../support/serve.ts'

const ADMIN = randomBytes(32).toString('base64url')

const place = serveInBrowser({
  WALKON_TOKEN_KEYS: `first:${randomBytes(32).toString('base64url')}`,
  WALKON_ADMIN_SECRET: ADMIN,
  WALKON_LEARNER_SECRET: randomBytes(32).toString('base64url'),
  WALKON_REHEARSAL_PACE_MS: '0',
})

const HASH = '00000000000000aa'
let session: string
let player: Player
const tokens: Record<string, string> = {}

beforeAll(async () => {
  session = await openSession(place.server, { scenario: 'page-assistant' })
  player = await Player.join(place.server, session)
  const content = '---\ntitle: Bridges\n---\nThe bridge has seven arches.\n\nNobody paid for it.'
  const web = [{ title: 'Moths', url: 'https://moths.example', text: 'Moths like lamps.' }]
  await player.emit('page', { hash: HASH, page: { editor: { filename: 'bridges.md', content }, results: { web } } })
  for (const text of ['How many arches has the bridge?', '@research What do moths like?']) {
    const taken = await player.emit('say', { cid: newCid(), text, context: HASH })
    if (taken.ok) await player.turn(taken.turn)
  }
  for (const [tenant, permissions] of [
    ['walkon', ['read', 'people']],
    ['walkon', ['read']],
    ['other', ['read', 'people']],
  ] as const) {
    const response = await place.server.fetch(`/api/admin/tenants/${tenant}/tokens`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${ADMIN}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'operator', permissions }),
    })
    tokens[`${tenant} ${permissions.length}`] = ((await response.json()) as { token: string }).token
  }
})
afterAll(() => player.leave())

async function enter(which: string, address = '', options: Parameters<typeof Operator.open>[3] = {}) {
  const operator = await Operator.open(place.browser, place.server, address, { timezoneId: 'UTC', ...options })
  place.closeAfterwards(operator.context)
  await operator.page.getByLabel('Token').fill(tokens[which] ?? '')
  await operator.button('Sign in').click()
  return operator
}

const rowsOf = (operator: Operator, step: string | RegExp) =>
  operator.page
    .getByRole('region', { name: step })
    .locator('.fields > .pair')
    .evaluateAll((rows) => rows.map((row) => (row as HTMLElement).innerText.replaceAll(/\s+/g, ' ')))

describe('what was sent in a turn', () => {
  it('[operator-21] is shown for a session id, turn by turn, field by field, with why it was allowed and what was left out', async () => {
    const operator = await enter('walkon 2')
    const { page } = operator
    await page.getByRole('link', { name: 'What was sent' }).click()
    await page.getByLabel('Session id').fill(session)
    await operator.button('Show').click()
    const research = page.getByRole('region', { name: '@research: the reply' })
    await research.waitFor()
    expect(await operator.hash()).toBe(`#session=${session}`)
    expect(await research.innerText()).toContain('mentioned by the person')
    const rows = await rowsOf(operator, '@research: the reply')
    expect(rows.map((row) => row.split(' ', 1)[0])).toEqual([
      'messages',
      'user_id',
      'current_query',
      'persona',
      'active_agent',
      'conversation_topic',
      'shared_memory.search_results',
      'shared_memory.research_findings',
      'shared_memory.data_sufficiency',
      'shared_memory.permitted',
      'shared_memory.intelligence',
    ])
    expect(rows[2]).toMatch(/^current_query every agent may know it; \d+ bytes What do moths like\?$/)
    expect(rows[6]).toMatch(/its file asks for “search-results”; \d+ bytes .*Moths like lamps\./)
    expect(rows.join()).not.toContain('Nobody paid')
    expect(await research.getByRole('region', { name: 'Left out' }).innerText()).toMatch(
      /editor, .*not told, because this agent’s file does not ask for it/s,
    )

    await page.getByRole('link', { name: 'Turn 1', exact: true }).click()
    await page.getByRole('region', { name: 'The classifier' }).waitFor()
    expect(await operator.hash()).toBe(`#session=${session}&turn=1`)
    expect((await rowsOf(operator, /classifier/)).map((row) => row.split(' ', 1)[0])).toEqual([
      'current_query',
      'active_agent',
    ])
    const told = (await rowsOf(operator, '@chat: the reply')).join('\n')
    expect(told).toContain('The bridge has seven arches.')
    expect(told).not.toContain('Moths')
    await page.goBack()
    await research.waitFor()
    expect(operator.watched.complaints).toEqual([])
  })

  it('[operator-21] is shown to no other tenant, and to no token without the right to see people', async () => {
    const address = `#session=${session}`
    const other = await enter('other 2', address)
    await other.page.getByRole('alert').getByText('There is no conversation with this id').waitFor()
    const reader = await enter('walkon 1', address)
    await reader.page.getByRole('alert').getByText('Your token does not allow this').waitFor()
    const wrong = await enter('walkon 2', `#session=${'0'.repeat(64)}`)
    await wrong.page.getByRole('alert').getByText('There is no conversation with this id').waitFor()
    for (const headers of [{}, { Authorization: 'Bearer wkn_x' }])
      expect((await place.server.fetch(`api/told/${session}`, { headers })).status).toBe(401)
    const headers = { Authorization: `Bearer ${tokens['walkon 2']}`, Origin: 'https://elsewhere.example' }
    expect((await place.server.fetch(`api/told/${session}`, { headers })).status).toBe(403)
  })

  const SIZES = [
    ['phone', PHONE],
    ['desktop', DESKTOP],
  ] as const

  it.runIf(IS_LONG).each(SIZES)('[operator-18] [operator-21] fits a %s, and axe finds nothing', async (_, viewport) => {
    for (const colorScheme of variants(['light', 'dark'] as const)) {
      const operator = await enter('walkon 2', `#session=${session}&turn=1`, { viewport, colorScheme, bypassCSP: true })
      const { page } = operator
      await page.getByRole('region', { name: '@chat: the reply' }).waitFor()
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
      expect(await violations(page)).toEqual([])
    }
  })
})
