import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { checkScenario } from '../../sims/authoring/check-file.ts'
import { newScenario } from '../../scripts/sim/new-scenario.ts'
import { ADVICE, whatToDo } from '../../sims/authoring/advice.ts'
import { BROKEN } from '../support/broken-scenarios.ts'
import { openDayIn, playedOpenDay } from '../support/open-day-script.ts'
import { scriptRunner } from '../support/run-script.ts'
import { oneIn, variants } from '../support/runs.ts'
import { IS_LONG } from '../support/runs.ts'

const sim = scriptRunner('scripts/sim.ts')

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

const TIERS = ['TECHNICAL', 'ACADEMIC', 'EXPERT'] as const

describe('npm run sim -- new', { timeout: 180_000 }, () => {
  it.each(variants(TIERS))(
    '[authoring-10] [authoring-1] writes a short %s simulation about its title, which is sound and needs a model',
    async (tier) => {
      const folder = folderOf()
      const made = await sim(['new', 'open-day', '--tier', tier, '--title', 'Rain: "or" 7', '--folder', folder])
      expect([made.err, made.code]).toEqual(['', 0])
      expect(made.out).toContain('A language model can play it as it is. Set OPENAI_API_KEY')
      const text = readFileSync(path.join(folder, 'open-day/scenario.yaml'), 'utf8')
      expect(text).not.toMatch(/THE-/)
      expect(text.split('\n').length).toBeLessThanOrEqual(121)
      expect(parse(text)).toMatchObject({
        title: 'Rain: "or" 7',
        situation: { what: expect.stringContaining('Rain: "or" 7') },
        decision: { question: 'Rain: "or" 7: what is the plan?' },
      })

      const checked = await sim(['check', 'all', '--folder', folder])
      expect(checked.out).toMatch(/open-day is sound: 3 people, \d+ nodes, 4 facts, 3 of them deciding\n/)
      expect(checked.out).toMatch(
        / {4}dana +\d nodes, shortest \d+ exchanges, longest \d+ exchanges; tells whole, half\n/,
      )
      expect(checked.out).toMatch(/needs a language model: there are no rehearsal lines for dana, sam, otto \(/)
      expect([checked.err, checked.code]).toEqual(['', 0])

      const played = await sim(['play', 'open-day', '--folder', folder], ['Hello'])
      expect(played.err).toContain('open-day has no rehearsal lines and needs a language model. Set OPENAI_API_KEY')
      expect([played.out, played.code]).toEqual(['', 1])
    },
  )

  it('[authoring-11] refuses an id that is taken, that is there, or that is malformed, and writes over nothing', async () => {
    const folder = folderOf({ 'other/scenario.yaml': 'id: rainy-day\n', 'notes/keep.txt': 'mine' })
    const refused = async (id: string, tier = 'TECHNICAL', title?: string) => {
      const made = await newScenario({ id, tier, title, folder })
      return made.ok ? 'made' : made.message
    }
    const { out, err, code } = await sim(['new', 'rainy-day', '--folder', folder])
    expect(err).toContain('There is a simulation "rainy-day" already, in')
    expect([out, code]).toEqual(['', 1])
    expect((await sim(['new', 'open', 'day', '--folder', folder])).err).toContain('takes one simulation')
    expect(await refused('notes')).toContain('is there already')
    for (const id of ['Open_Day', 'open--day', '../escape', 'open day', 'x'.repeat(49)]) {
      expect(await refused(id)).toContain('is no id. It is lower case words joined by hyphens')
    }
    expect(await refused('fine', 'EXPERTS')).toMatch(/is no tier\..* Is EXPERT meant\?/)
    expect(await refused('fine', 'EXPERT', 'two\nlines')).toContain('The title is one line')
    expect(readFileSync(path.join(folder, 'other/scenario.yaml'), 'utf8')).toBe('id: rainy-day\n')
  })
})

describe('npm run sim -- check', { timeout: 180_000 }, () => {
  it('[authoring-1] [authoring-2] says every finding at once with its place and what to do, and fails', async () => {
    const file = example()
    const broken = readFileSync(file, 'utf8')
      .replace('verdict: defensible', 'verdict: right')
      .replace("- 'Limit for the tent: 38 km/h'", "- 'Limit for the tent: 36 km/h'")
      .replace('I rang them twice.', 'Great question. I rang them twice.')
      .replace('npc: joel\n      why', 'npc: jole\n      why')
      .replace('- Take a chair', '- node_satisfied, that')
    writeFileSync(file, broken)
    const { out, err, code } = await sim(['check', file])
    const at = (needle: string) => `${file}:${broken.slice(0, broken.indexOf(needle)).split('\n').length}:`
    expect(out).toContain(
      `${at('endings:\n')}3 /simulation/endings  has 2 right answers where there has to be one\n    Give exactly one`,
    )
    expect(out).toMatch(/\/npcs\/0\/knowledge\/1 {2}states 38, which is not in the document\n {4}Add a line/)
    expect(out).toMatch(/says "Great question", which nobody says at work\n {4}Answer the matter/)
    expect(out).toContain('nobody here is called "jole"\n    Name somebody by their id')
    expect(out).toMatch(/names a field of the report.*\n {4}Say it in other words/)
    expect(out).not.toContain('is sound')
    expect(err).toContain('One file has findings, and would not be built.')
    expect(code).toBe(1)
  })

  it('[authoring-2] says what cannot be read at all, goes through every file, and finds two of one id', async () => {
    const folder = folderOf({ 'torn/scenario.yaml': 'id: lost # it is\ntitle: [\n' })
    const copy = readFileSync(openDayIn(folder), 'utf8')
    mkdirSync(path.join(folder, 'twin'))
    writeFileSync(path.join(folder, 'twin/scenario.yaml'), copy)
    const { out, code } = await sim(['check', '--folder', folder])
    expect(out).toMatch(/torn\/scenario\.yaml:3:1 /)
    expect(out).toContain('open-day is sound')
    expect(out).toMatch(/twin\/scenario\.yaml:1:1 .*is called "open-day" too/)
    expect(code).toBe(1)
    expect((await sim(['check', 'nowhere', '--folder', folder])).out).toContain('there is no such file')
    expect((await sim(['check', 'page-assistant'])).out).toContain('page-assistant is sound')
    expect((await sim(['check', 'lost', '--folder', folder])).out).toMatch(/torn\/scenario\.yaml:3:1 /)
  })

  it('[authoring-2] says what is wrong with the backbones beside a simulation', async () => {
    const file = example()
    const backbone = path.join(path.dirname(path.dirname(file)), 'backbones/technical.yaml')
    mkdirSync(path.dirname(backbone))
    writeFileSync(
      backbone,
      readFileSync('sims/backbones/technical.yaml', 'utf8').replace('entry: GROUND', 'entry: GRUND'),
    )
    const { lines, isSound } = await checkScenario(file)
    expect([lines[0], isSound]).toEqual([expect.stringMatching(/backbones\/technical\.yaml:\d+:\d+ .*GRUND/), false])
  })

  it.runIf(IS_LONG)('[authoring-1] finds those that are shipped sound', async () => {
    const { out, code } = await sim(['check', 'launch-decision'])
    expect(out).toMatch(
      /maya +8 nodes, shortest 6 exchanges, longest \d+ exchanges, where the limit ends it; tells medical-rate, /,
    )
    expect(code).toBe(0)
  })

  it.each(oneIn(2, BROKEN).map((each) => [each.name, each] as const))(
    '[authoring-3] knows what to do about %s',
    async (_name, { change, finding }) => {
      const file = example()
      const before = readFileSync(file, 'utf8')
      const after = change(before)
      expect(after).not.toBe(before)
      writeFileSync(file, after)
      const { lines, isSound } = await checkScenario(file)
      const place = lines.findIndex((line) => line.includes(`  ${finding}`))
      expect(lines[place] ?? lines.join('\n')).toMatch(/scenario\.yaml:\d+:\d+ /)
      const message = lines[place]?.replace(/^.*?  /, '') ?? ''
      expect(whatToDo(message)).not.toBe('')
      expect(lines[place + 1]).toBe(`    ${whatToDo(message)}`)
      expect(isSound).toBe(false)
    },
  )

  it('[authoring-3] has advice for nothing that is never found', () => {
    const found = BROKEN.map(({ finding }) => finding)
    expect(ADVICE.filter(([pattern]) => !found.some((message) => pattern.test(message))).map(String)).toEqual([])
  })
})

describe('npm run sim -- play', { timeout: 180_000 }, () => {
  it('[authoring-6] cites what was heard and nothing else, asks again for what it cannot use, and shows the notebook', async () => {
    const folder = path.dirname(path.dirname(example()))
    const talk = ['nobody', 'joel', 'Hi', '/notebook', 'So it is slots then?', 'How many does the hall hold?', '/leave']
    const unsure = ['decide', '9', '1', '', 'It looks fine.', '7', '', 'no']
    const sure = ['notebook', 'decide', '1', 'Still fine.', '', 'yes']
    const { out, code } = await sim(['play', 'open-day', '--folder', folder], [...talk, ...unsure, ...sure])
    expect(out).toContain('There is no "nobody" here.')
    expect(out).toMatch(/\nHeard\n {2}nothing yet/)
    expect(out).toMatch(/\nHeard\n {2}".*205.*turn 2\)\n {2}".*240.*" \(Joel Adeyemi, turn 3\)/)
    expect(out).toContain('Which? 9\nA number from 1 to 3.\nWhich? 1\nWhy? \nWhy? It looks fine.')
    expect(out).toContain('Numbers, or nothing: 7\nNumbers from 1 to 2, with blanks between them.')
    expect(out).toContain('You chose: On the lawn, in the tent, as planned. That was wrong.\nYour reason: Still fine.')
    expect(out.match(/never heard|heard, not used/g)).toEqual([
      'never heard',
      'never heard',
      'heard, not used',
      'heard, not used',
    ])
    expect(out).toContain('Joel Adeyemi: left in the middle')
    expect(code).toBe(0)
  })

  it('[authoring-5] [authoring-6] plays the example from beginning to end, and goes on with a conversation that was left', async () => {
    const folder = path.dirname(path.dirname(example()))
    const lines = [...playedOpenDay()]
    // The player leaves the first conversation with Joel, comes back to it, and tries a third time when it has ended.
    lines.splice(lines.indexOf('How many people are coming?') + 1, 0, '/leave', 'joel')
    lines.splice(lines.indexOf('decide'), 0, 'joel', 'notebook')
    const { out, err, code } = await sim(['play', 'open-day', '--folder', folder], lines)
    expect([err, code]).toEqual(['', 0])
    expect(out).toMatch(/^The open day\n/)
    expect(out.match(/Sorry, I'd have lost my place/g)).toHaveLength(1)
    expect(out).toContain('You have talked with Joel Adeyemi to the end.')
    expect(out).toMatch(/Documents\n[^]* {2}Door list, open day \(sign-up list, from Joel Adeyemi\)\n {6}Signed up/)
    expect(out.match(/Met: /g)).toHaveLength(3)
    expect(out).toContain('You chose: In the hall, in three slots. That was right.')
    expect(out.match(/heard and used/g)).toHaveLength(4)
    expect(out).toMatch(/Nadia Roth: completed\n +walk +SURFACE \(/)
    expect(out).toMatch(/Joel Adeyemi: completed/)
    expect(out).toContain('On the lawn, a week later. That can be defended.')
  })

  it('[authoring-7] ends where the answers end, says why where there is nothing to play, and leaves quietly at Ctrl-C', async () => {
    const file = example()
    const folder = path.dirname(path.dirname(file))
    expect((await sim(['play', '--folder', folder], ['nadia', 'Hello'])).code).toBe(0)
    const { err } = await sim(['play', 'one-to-one'])
    expect(err).toContain('has no simulation to be decided')
    expect((await sim(['play'])).err).toMatch(/^Which\? There are launch-decision/)

    const child = spawn(process.execPath, ['scripts/sim.ts', 'play', file], { env: { ...process.env, NO_COLOR: '1' } })
    const err2 = text(child.stderr)
    await new Promise<void>((resolve) => {
      let heard = ''
      child.stdout.on('data', (piece) => {
        heard += String(piece)
        if (heard.endsWith('\n> ')) resolve()
      })
    })
    child.kill('SIGINT')
    expect(await new Promise((resolve) => child.on('close', resolve))).toBe(0)
    expect(await err2).toBe('')

    writeFileSync(file, readFileSync(file, 'utf8').replace('deciding: true', 'deciding: maybe'))
    const broken = await sim(['play', file])
    expect(broken.err).toMatch(/has to be true or false[^]*It can be played once nothing is found/)
    expect(broken.code).toBe(1)
  })
})

/** Copies the example of docs/reference/authoring.md to a separate folder and returns its file. */
function example(): string {
  return openDayIn(folderOf())
}

function folderOf(files: Readonly<Record<string, string>> = {}): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'walkon-sim-'))
  folders.push(folder)
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    writeFileSync(path.join(folder, name), content)
  }
  return folder
}
