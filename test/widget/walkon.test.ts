import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Emit } from '../../widget/host-events.ts'
import type { Launcher } from '../../widget/launcher.ts'
import { createWalkon } from '../../widget/walkon.ts'

afterEach(() => void vi.unstubAllGlobals())

describe('the global', () => {
  it('[embed-3] means the first launcher when no name is given, and all of them for closing', async () => {
    const { walkon, did } = page('maya', 'otto')
    await walkon.open()
    await walkon.toggle()
    await walkon.close()
    expect(did).toEqual(['maya restore', 'otto restore', 'maya open', 'maya toggle', 'maya close', 'otto close'])
  })

  it('[embed-3] means the launcher of that name', async () => {
    const { walkon, did } = page('maya', 'otto')
    await walkon.open('otto')
    await walkon.close('otto')
    expect(did.slice(2)).toEqual(['otto open', 'otto close'])
  })

  it('[embed-5] rejects when no launcher has that name, and says so', async () => {
    const { walkon } = page()
    await expect(walkon.open()).rejects.toThrow('no launcher')
    await expect(walkon.open('ghost')).rejects.toThrow('no launcher ghost')
  })

  it('[embed-4] replays what was queued, in order, and keeps taking calls', async () => {
    const { walkon, did } = page('maya')
    walkon.push(['open', 'maya'], ['close'])
    walkon.push(['toggle'])
    await Promise.resolve()
    expect(did.slice(1)).toEqual(['maya open', 'maya close', 'maya toggle'])
  })

  it('[embed-64] [embed-65] tells one launcher, or all, who the learner is and what the page is about', async () => {
    const { walkon, did } = page('maya', 'otto')
    await walkon.identify('t1')
    await walkon.setPage('The cart', 'otto')
    walkon.push(['identify', 't2', 'maya'])
    expect(did.slice(2)).toEqual(['maya identify t1', 'otto identify t1', 'otto setPage The cart', 'maya identify t2'])
    await expect(walkon.identify('t', 'ghost')).rejects.toThrow('no launcher ghost')
  })

  it('[embed-4] reports a queued call that fails, and says what cannot be queued', async () => {
    const reported = vi.fn<(error: unknown) => void>()
    vi.stubGlobal('reportError', reported)
    const error = vi.spyOn(console, 'error').mockReturnValue(undefined)
    page().walkon.push(['open'], ['constructor'])
    await vi.waitFor(() => expect(reported).toHaveBeenCalledOnce())
    expect(error.mock.calls.map(([line]) => line)).toEqual(['Walkon: no method constructor'])
    error.mockRestore()
  })

  it('[embed-6] keeps one launcher for the same tag, and puts it back', () => {
    const { did } = page('maya', 'maya', 'otto')
    expect(did).toEqual(['maya restore', 'maya restore', 'otto restore'])
  })

  it('[embed-6] destroys a launcher for good; the same tag makes a new one', async () => {
    const { walkon, did, add } = page('maya')
    await walkon.destroy('maya')
    await expect(walkon.open()).rejects.toThrow('no launcher')
    add('maya')
    await walkon.open()
    expect(did).toEqual(['maya restore', 'maya destroy', 'maya restore', 'maya open'])
  })

  it('[embed-3] gives a handle that means its own launcher, and hears its events alone', async () => {
    const { walkon, did, emit } = page('maya')
    const otto = walkon.add({ npc: 'otto', scenario: 'launch-decision' })
    const heard: string[] = []
    otto.on('open', ({ name }) => heard.push(name))
    await otto.open()
    await otto.sendMessage('Hello')
    emit('open', { name: 'maya' })
    emit('open', { name: 'otto' })
    await otto.destroy()
    await walkon.close()
    expect(heard).toEqual(['otto'])
    expect(did.slice(2)).toEqual(['otto open', 'otto sendMessage Hello', 'otto destroy', 'maya close'])
    await expect(otto.open()).rejects.toThrow('no launcher otto')
  })

  it('[embed-7] makes two launchers for two places on a page, and one for the same place', () => {
    const { walkon, did } = page()
    const [left, right] = [{}, {}] as Element[]
    const names = [left, right, left].map((place) => walkon.add({ npc: 'maya' }, place).name)
    expect(names).toEqual(['maya', 'maya 2', 'maya'])
    expect(did).toEqual(['maya restore', 'maya 2 restore', 'maya restore'])
  })

  it('[embed-3] calls every handler until it is removed', () => {
    const { walkon, emit } = page('maya')
    const heard: string[] = []
    const stop = new AbortController()
    const off = walkon.on('open', ({ name }) => heard.push(`a ${name}`))
    walkon.on('open', ({ name }) => heard.push(`b ${name}`), { signal: stop.signal })
    emit('open', { name: 'maya' })
    off()
    emit('open', { name: 'maya' })
    stop.abort()
    emit('open', { name: 'maya' })
    expect(heard).toEqual(['a maya', 'b maya', 'b maya'])
  })

  it('[embed-3] a handler that throws stops no other handler', () => {
    const reported = vi.fn<(error: unknown) => void>()
    vi.stubGlobal('reportError', reported)
    const { walkon, emit } = page('maya')
    const heard: string[] = []
    walkon.on('close', () => {
      throw new Error('mine')
    })
    walkon.on('close', () => heard.push('still here'))
    emit('close', { name: 'maya' })
    expect(heard).toEqual(['still here'])
    expect(reported).toHaveBeenCalledWith(new Error('mine'))
  })
})

/** Returns a page with one launcher for each name. */
function page(...names: string[]) {
  if (!('reportError' in globalThis)) vi.stubGlobal('reportError', () => {})
  vi.stubGlobal('Element', class {})
  vi.stubGlobal('HTMLScriptElement', class {})
  const did: string[] = []
  let emit: Emit = () => {}
  const walkon = createWalkon((name, _options, _src, given, place) => {
    emit = given
    return launcher(name, place, did)
  }, 'https://walkon.example/embed.js')
  const add = (name: string) => walkon.add({ name })
  for (const name of names) add(name)
  return { walkon, did, add, emit: ((event, detail) => emit(event, detail)) as Emit }
}

function launcher(name: string, place: Element | null, did: string[]): Launcher {
  const note = (what: string) => void did.push(`${name} ${what}`)
  return {
    name,
    place,
    call: async (method, value) => note(VALUED.has(method) ? `${method} ${String(value)}` : method),
    restore: () => note('restore'),
  }
}

const VALUED = new Set(['identify', 'setPage', 'setTheme', 'setLocale', 'sendMessage', 'prefill'])
