import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { createChainClient } from '../../worker/chain/client/chain-client.ts'
import { DEVELOPMENT_TOKEN } from '../../worker/chain/tokens/token-text.ts'
import { Operator } from '../support/operator-page.ts'
import { serveInBrowser } from '../support/serve.ts'
import { IS_LONG } from '../support/runs.ts'

const ADMIN = randomBytes(32).toString('base64url')

/** A deployment with its own token keys and secrets, as close to production as a test can get. */
const place = serveInBrowser({
  WALKON_TOKEN_KEYS: `first:${randomBytes(32).toString('base64url')}`,
  WALKON_ADMIN_SECRET: ADMIN,
  WALKON_LEARNER_SECRET: randomBytes(32).toString('base64url'),
})

async function admin<T>(path: string, body: object): Promise<T> {
  const response = await place.server.fetch(`/api/admin/tenants/${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${ADMIN}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(response.ok).toBe(true)
  return (await response.json()) as T
}

const tokenFor = (tenant: string, ...permissions: readonly string[]) =>
  admin<{ id: string; token: string }>(`${tenant}/tokens`, { name: 'operator', permissions })

async function enterWith(token: string, address = ''): Promise<Operator> {
  const operator = await Operator.open(place.browser, place.server, address)
  place.closeAfterwards(operator.context)
  await operator.page.getByLabel('Token').fill(token)
  await operator.button('Sign in').click()
  return operator
}

it.runIf(IS_LONG)('[operator-2] the development token is neither offered nor accepted by a deployment', async () => {
  const answer = await place.server.fetch('/api/operator')
  expect(await answer.json()).toEqual({ developmentToken: null })
  const operator = await enterWith(DEVELOPMENT_TOKEN)
  await expect.poll(() => operator.page.getByRole('alert').textContent()).toContain('doesn’t work')
  expect(await operator.button('Use the development token').count()).toBe(0)
})

it('[operator-3] a token that is revoked while the page is open leads to the form, and another back to the view', async () => {
  const [first, second] = [await tokenFor('acme', 'read', 'write'), await tokenFor('acme', 'read')]
  const client = createChainClient({ baseUrl: place.server.url.origin, token: first.token })
  const { id } = await client.createContext({ purpose: 'Quarterly close', memorySpaceId: 'finance' })
  const operator = await enterWith(first.token, `#run=${id}`)
  await operator.line('Quarterly close').waitFor()
  await admin(`acme/tokens/${first.id}/revoke`, {})
  await operator.button('Refresh').click()
  await operator.page.getByRole('alert').getByText('expired or revoked').waitFor()
  expect(await operator.page.locator('body').innerText()).not.toContain('Quarterly close')
  expect(await operator.page.title()).toBe('Run · Walkon')
  await operator.page.getByLabel('Token').fill(second.token)
  await operator.button('Sign in').click()
  await operator.line('Quarterly close').waitFor()
})

it.runIf(IS_LONG)(
  '[operator-11] a token with the right to read but not to see people shows everything except their texts',
  async () => {
    const [writer, reader] = [await tokenFor('globex', 'write'), await tokenFor('globex', 'read')]
    const client = createChainClient({ baseUrl: place.server.url.origin, token: writer.token })
    const { id } = await client.createContext({
      purpose: 'A talk',
      memorySpaceId: 'maya',
      conversationRef: { conversationId: 'c-1', messageIds: ['m-1'] },
    })
    const operator = await enterWith(reader.token, `#run=${id}`)
    await operator.button('Read what was said').click()
    await operator.details.getByText('Your token does not allow this').waitFor()
    expect(await operator.lines.count()).toBe(1)
  },
)

it('[operator-3] a token of another tenant shows no data of this one', async () => {
  const [mine, theirs] = [await tokenFor('initech', 'read', 'write'), await tokenFor('hooli', 'read')]
  const client = createChainClient({ baseUrl: place.server.url.origin, token: mine.token })
  const { id } = await client.createContext({ purpose: 'Nobody else’s business', memorySpaceId: 'tps' })
  const operator = await enterWith(theirs.token, `#run=${id}`)
  await operator.page.getByRole('alert').getByText('Nothing has this name').waitFor()
  await operator.button('All runs').click()
  await operator.main.getByText('There are no runs yet').waitFor()
})
