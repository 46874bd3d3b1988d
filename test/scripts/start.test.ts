import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { settingsOf, writeEnvFile, isPortFree, readPort, speakerLine } from '../../scripts/start/settings.ts'
import { QuietLines } from '../../scripts/start/quiet-lines.ts'
import { lineAfter } from '../../scripts/start/watched-page.ts'
import { readConfig } from '../../worker/env.ts'
import { freePort } from '../support/free-port.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'walkon start '))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('start', () => {
  it('[setup-6] the port is 8787 unless PORT says another', () => {
    expect([readPort(undefined), readPort(''), readPort('9000')]).toEqual([8787, 8787, 9000])
  })

  it.each(['0', '65536', '-1', '80.5', '8787x'])('[setup-6] %s is no port', (text) => {
    expect(() => readPort(text)).toThrow('PORT must be a whole number')
  })

  it('[setup-6] a port somebody listens on is not free, and is once they stop', async () => {
    const server = createServer()
    const port = await freePort()
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    expect(await isPortFree(port)).toBe(false)
    await new Promise((resolve) => server.close(resolve))
    expect(await isPortFree(port)).toBe(true)
  })

  it('[setup-7] the environment wins over the file, and nothing but our settings is taken from it', () => {
    const file = path.join(folder, '.dev.vars')
    writeFileSync(file, 'OPENAI_MODEL=from-file\nOPENAI_BASE_URL="http://localhost:1/v1"\n')
    expect(settingsOf(file, { OPENAI_MODEL: 'from-env', HOME: '/somewhere' })).toEqual({
      OPENAI_MODEL: 'from-env',
      OPENAI_BASE_URL: 'http://localhost:1/v1',
    })
  })

  it.skipIf(process.platform === 'win32')('[setup-7] the settings file is for this user only, and goes away', () => {
    const file = writeEnvFile({ OPENAI_API_KEY: 'secret' })
    expect(statSync(file.path).mode & 0o777).toBe(0o600)
    file.remove()
    expect(() => statSync(file.path)).toThrow('ENOENT')
  })

  it('[setup-8] it says who speaks, and never the key', () => {
    expect(speakerLine(readConfig({}))).toContain('rehearsal actor')
    const line = speakerLine(
      readConfig({ OPENAI_API_KEY: 'secret', OPENAI_MODEL: 'm', OPENAI_BASE_URL: 'http://h:1/v1' }),
    )
    expect(line).toBe('Spoken by m at h:1')
  })

  it('[setup-8] that nothing runs by the clock here is no news', () => {
    const said = [
      '▲ [WARNING] Scheduled Workers are not automatically triggered during local development.',
      '  To manually trigger a scheduled event, run:',
      '    curl "http://localhost:8787/cdn-cgi/local/scheduled"',
      '  For more details, see https://developers.cloudflare.com/workers/configuration/cron-triggers/#test',
    ]
    expect(new QuietLines().feed(`${said.join('\n')}\n▲ [WARNING] another\n`).lines).toEqual(['▲ [WARNING] another'])
  })

  it.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])('[setup-8] the address of a %s request is not shown', (method) => {
    const said = `[wrangler:info] ${method} /api/v1/people/anna@example.org 200 OK (3ms)\n`
    expect(new QuietLines().feed(said).lines).toEqual([])
  })

  it('[setup-8] "Not built" is not the last line once the mistake is gone', () => {
    const mark = path.join(folder, 'broken')
    const after = (isBuilt: boolean, isNews: boolean) => lineAfter({ isBuilt, isNews }, mark)
    expect(after(true, false)).toBeNull()
    expect(after(false, false)).toMatch(/^Not built/)
    expect(after(false, false)).toMatch(/^Not built/)
    expect(after(true, false)).toMatch(/^Nothing is wrong any more/)
    expect(after(true, false)).toBeNull()
    expect(after(true, true)).toBe('Built again.')
  })

  it('[setup-8] a build that follows speaks for itself', () => {
    const said = [
      'The file sims/x/scenario.yaml changed, restarting build...',
      '[custom build] sims/x/scenario.yaml:5:1 tier  is none of TECHNICAL',
      '[custom build] ',
      '⎔ Reloading local server...',
      '⎔ Local server updated and ready',
    ]
    expect(new QuietLines().feed(`${said.join('\n')}\n`).lines).toEqual([
      'sims/x/scenario.yaml:5:1 tier  is none of TECHNICAL',
    ])
  })

  it('[setup-8] noise is dropped and an error is kept, wherever the stream is cut', () => {
    const text = ' ⛅️ wrangler 4\n───\n✘ [ERROR] no such file\n[wrangler:info] Ready on http://localhost:1\n'
    for (let cut = 0; cut <= text.length; cut++) {
      const lines = new QuietLines()
      const heard = [lines.feed(text.slice(0, cut)), lines.feed(text.slice(cut))]
      expect(heard.flatMap((piece) => piece.lines)).toEqual(['✘ [ERROR] no such file'])
      expect(heard.some((piece) => piece.ready)).toBe(true)
    }
  })
})
