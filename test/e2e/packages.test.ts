import { execFileSync } from 'node:child_process'
import { mkdtemp, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { build, createServer as createViteServer } from 'vite'
import { buildPackages, widgetVersion } from '../../scripts/build-packages.ts'
import { Chat, openPage } from '../support/browser.ts'
import { IS_LONG, variants } from '../support/runs.ts'
import { serveInBrowser } from '../support/serve.ts'

// The two packages as a site's developer gets them: packed, installed in a new folder, and built with Vite and React.

const served = serveInBrowser()
const ROOT = join(import.meta.dirname, '../..')

let folder: string
/** The script that Vite has built for the site. */
let site: string
let version: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'walkon-site-'))
  version = await widgetVersion()
  const { widget, react } = await buildPackages({ outdir: join(folder, 'packed') })
  await writeFile(join(folder, 'package.json'), '{ "name": "a-site", "private": true, "type": "module" }')
  // The tarballs depend on nothing but React, which the site has.
  execFileSync('npm', ['install', '--offline', '--legacy-peer-deps', '--no-audit', '--no-fund', widget, react], {
    cwd: folder,
    stdio: 'pipe',
  })
  for (const name of ['react', 'react-dom', 'scheduler'])
    await symlink(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name))
  await mkdir(join(folder, 'src'))
  await writeFile(
    join(folder, 'index.html'),
    '<!doctype html><html lang="en"><title>A site</title><main><h1>A site</h1><div id="app"></div></main><script type="module" src="/src/main.js"></script></html>',
  )
  await writeFile(join(folder, 'src/main.js'), SITE)
  await build({
    root: folder,
    logLevel: 'error',
    resolve: { preserveSymlinks: true },
    define: { SERVICE: JSON.stringify(served.server.url.origin), 'process.env.NODE_ENV': '"development"' },
  })
  const [script = ''] = await readdir(join(folder, 'dist/assets'))
  site = await readFile(join(folder, 'dist/assets', script), 'utf8')
}, 60_000)
afterAll(async () => {
  await rm(folder, { recursive: true })
})

/** A site in React, as its developer would write it. */
const SITE = `
  import { WalkonChat } from '@walkon/react'
  import { Walkon } from '@walkon/widget'
  import { createElement as h, StrictMode, useEffect, useRef, useState } from 'react'
  import { createRoot } from 'react-dom/client'

  function Site() {
    const [shown, show] = useState('inline')
    const [ended, end] = useState('')
    globalThis.show = show
    return h(StrictMode, null, h('p', { id: 'heard' }, ended), shown && h(WalkonChat, {
      service: SERVICE, scenario: 'launch-decision', npc: 'maya', mode: shown,
      onMessage: ({ from, text }) => from === 'learner' && end(text),
      ref: (handle) => void (globalThis.chat = handle),
    }))
  }
  createRoot(document.querySelector('#app')).render(h(Site))

  // Without StrictMode, effects run once, as in production.
  function Plain() {
    const ref = useRef(null)
    useEffect(() => void (globalThis.plain = ref.current), [])
    return h(WalkonChat, { service: SERVICE, scenario: 'launch-decision', npc: 'ines', ref })
  }
  globalThis.showPlain = () => {
    const place = document.createElement('div')
    document.body.append(place)
    createRoot(place).render(h(Plain))
  }
  globalThis.Api = Walkon
`

async function openSite() {
  const watched = await openPage(served.browser)
  served.closeAfterwards(watched.context)
  const script = site.replaceAll('</script', '<\\/script')
  const body = `<main><h1>A site</h1><div id="app"></div></main><script type="module">${script}</script>`
  await watched.page.goto(await served.site.put(body))
  return { ...watched, chat: new Chat(watched.page) }
}

describe('@walkon/react in a Vite site with React 19', () => {
  it.runIf(IS_LONG)(
    '[embed-7] shows the chat in its place, tells the component what happens, and goes with it',
    async () => {
      const { page, requests, complaints } = await openSite()
      await page.getByRole('button', { name: 'Talk to Maya' }).click()
      const region = page.getByRole('region', { name: 'Maya Patel' })
      await region.getByRole('textbox').fill('Hello from React')
      await page.keyboard.press('Enter')
      await expect.poll(() => page.locator('#heard').innerText()).toBe('Hello from React')
      expect(requests).toContain(`/v${version}/widget.js`)
      await page.evaluate('show("bubble")')
      await page.evaluate('chat.open()')
      await page.getByRole('dialog').getByText('Hello from React').waitFor()
      await page.evaluate('show("")')
      await expect.poll(() => page.locator('walkon-chat').count()).toBe(0)
      expect(complaints).toEqual([])
    },
  )

  it.runIf(IS_LONG)(
    '[embed-7] gives the page its handle by ref before the page’s own effects, also where effects run once',
    async () => {
      const { page, complaints } = await openSite()
      await page.evaluate('showPlain()')
      await page.waitForFunction('globalThis.plain')
      await page.evaluate('plain.open()')
      await page.getByRole('dialog').getByRole('heading', { name: 'Ines Okafor' }).waitFor()
      expect(complaints).toEqual([])
    },
  )

  it.runIf(IS_LONG)(
    '[embed-7] leaves nothing after 100 mounts and unmounts in StrictMode',
    { timeout: 120_000 },
    async () => {
      const { page, complaints } = await openSite()
      await page.evaluate('show("bubble")')
      await page.getByRole('button', { name: 'Talk to Maya' }).waitFor()
      const client = await page.context().newCDPSession(page)
      await client.send('HeapProfiler.enable')
      const cycle = (times: number) =>
        page.evaluate(async (count) => {
          const site = globalThis as unknown as {
            show(what: string): void
            chat: { open(): Promise<void> } | null
            hosts: WeakRef<Element>[]
          }
          site.hosts = []
          const until = async (holds: () => boolean) => {
            while (!holds()) await new Promise((resolve) => setTimeout(resolve))
          }
          const there = () => document.querySelector('walkon-chat')
          for (let round = 0; round < count; round += 1) {
            site.show('')
            await until(() => there() === null)
            site.show('bubble')
            await until(() => there() !== null)
            if (round % 10 === 0) await site.chat?.open()
            site.hosts.push(new WeakRef(there()!))
          }
          site.show('')
          await until(() => there() === null)
        }, times)
      await cycle(IS_LONG ? 100 : 10)
      const alive = async () => {
        await client.send('HeapProfiler.collectGarbage')
        return page.evaluate(
          () => (globalThis as unknown as { hosts: WeakRef<Element>[] }).hosts.filter((each) => each.deref()).length,
        )
      }
      // React keeps what it rendered last until it renders again.
      await expect.poll(alive, { timeout: 40_000 }).toBeLessThanOrEqual(1)
      expect(complaints).toEqual([])
    },
  )
})

describe('the packages on a server', () => {
  it('[embed-7] render an empty place, and touch no browser API', async () => {
    await writeFile(
      join(folder, 'src/server.js'),
      `import { renderToString } from 'react-dom/server'
       import { createElement as h } from 'react'
       import { WalkonChat } from '@walkon/react'
       export const html = renderToString(h(WalkonChat, { service: 'https://walkon.example', npc: 'maya', mode: 'inline', className: 'chat' }))`,
    )
    const vite = await createViteServer({
      root: folder,
      logLevel: 'error',
      resolve: { preserveSymlinks: true },
      ssr: { noExternal: true },
      appType: 'custom',
      server: { middlewareMode: true },
    })
    await vite.close()
    const html = execFileSync(
      process.execPath,
      [
        '--preserve-symlinks',
        '--input-type=module',
        '-e',
        `import('./src/server.js').then(({ html }) => console.log(html))`,
      ],
      { cwd: folder, encoding: 'utf8' },
    )
    expect(html.trim()).toBe('<div class="chat"></div>')
  })

  it('[embed-51] are small: the React component has at most 1 kB, and neither depends on another package', async () => {
    const react = await readFile(join(folder, 'node_modules/@walkon/react/index.js'))
    expect(brotliCompressSync(react).length).toBeLessThanOrEqual(1_000)
    for (const name of ['widget', 'react']) {
      const { dependencies } = JSON.parse(
        await readFile(join(folder, `node_modules/@walkon/${name}/package.json`), 'utf8'),
      ) as { dependencies?: object }
      expect(dependencies).toBeUndefined()
    }
  })

  it.runIf(IS_LONG)('[embed-7] have types that a strict project compiles against', async () => {
    await writeFile(
      join(folder, 'src/typed.tsx'),
      `import { WalkonChat } from '@walkon/react'
       import { Walkon } from '@walkon/widget'
       const chat = Walkon.add({ service: 'https://walkon.example', npc: 'maya' })
       chat.on('end', ({ completion }) => completion === 'earned')
       // @ts-expect-error -- there is no such event
       chat.on('ended', () => undefined)
       // @ts-expect-error -- the service has to be named
       Walkon.add({ npc: 'maya' })
       export const element = <WalkonChat service="https://walkon.example" onMessage={({ text }) => text.length} />
      `,
    )
    await symlink(join(ROOT, 'node_modules/@types'), join(folder, 'node_modules/@types'))
    const tsc = join(ROOT, 'node_modules/.bin/tsc')
    const flags = [
      '--noEmit',
      '--strict',
      '--jsx',
      'react-jsx',
      '--module',
      'nodenext',
      '--target',
      'es2022',
      '--types',
      'react',
      'src/typed.tsx',
    ]
    expect(execFileSync(tsc, flags, { cwd: folder, encoding: 'utf8' })).toBe('')
  })
})

describe('a version', () => {
  it('[embed-8] is served under its number with the hashes of its files, and so is each release', async () => {
    const released = await readdir(join(ROOT, 'widget/releases')).catch(() => [])
    for (const each of variants([`v${version}`, `v${version.split('.')[0]}`, ...released])) {
      const response = await fetch(new URL(`/${each}/integrity.json`, served.server.url))
      const hashes = (await response.json()) as Record<string, string>
      const { page, context } = await openPage(served.browser)
      served.closeAfterwards(context)
      const src = new URL(`/${each}/embed.js`, served.server.url).href
      const tag = `<script src="${src}" integrity="${hashes['embed.js']}" crossorigin data-scenario="launch-decision" data-npc="maya"></script>`
      await page.goto(await served.site.put(`<h1>A shop</h1>${tag}`))
      const chat = new Chat(page)
      await chat.open()
      await chat.say('Hello')
    }
  })
})
