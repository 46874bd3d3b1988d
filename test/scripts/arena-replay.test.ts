import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import path from 'node:path'
import * as fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { compareWalks, type RecordedWalk } from '../../scripts/arena/compare-walks.ts'
import { recordedIn } from '../../scripts/arena/recorded.ts'
import { replay } from '../../scripts/arena/replay.ts'
import { storedSchema } from '../../scripts/arena/stored-conversation.ts'
import { openFile } from '../../sims/authoring/open-file.ts'
import type { Graph } from '../../worker/core/graph/graph.ts'
import { graphFor } from '../../worker/core/graph/graph-for.ts'
import type { WalkEvent } from '../../worker/core/walk/event.ts'
import { laterRows } from '../../worker/later-table.ts'
import { MIGRATIONS } from '../../worker/session/migrations.ts'
import { anyDeeds } from '../support/any-deeds.ts'
import { coachingGraph } from '../support/coaching.ts'
import { openDayIn } from '../support/open-day-script.ts'
import { onward, withNode } from '../support/edit-graph.ts'
import { EVERY_KIND, everyWalk } from '../support/every-walk.ts'
import { graphOf } from '../support/sample-scenario.ts'
import { type Deed, roundGraph, StoredPlay } from '../support/stored-play.ts'
import { IS_LONG, runs } from '../support/runs.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'walkon-replay-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const fixture = (name: string) => readFileSync(new URL(`../fixtures/stored/${name}.json`, import.meta.url), 'utf8')

/**
 * A stored conversation with Maya, which an earlier version of the code recorded. The conversation has six turns and is
 * still open. Its walk is at the gate.
 */
const MAYA = JSON.stringify(JSON.parse(fixture('conversation')))
const maya = walkIn(MAYA)

interface Rows {
  readonly session: readonly { readonly info: string; readonly walk: string }[]
  readonly [table: string]: readonly object[]
}

/** Reads the walk of a stored conversation. @throws if it can't be walked again */
function walkIn(text: string): RecordedWalk {
  const recorded = recordedIn(storedSchema.parse(JSON.parse(text)))
  if (recorded?.walk.ok !== true) throw new Error(recorded?.walk.ok === false ? recorded.walk.why : 'never began')
  return recorded.walk
}

/**
 * The learner's messages, each with the id of the behavior that it matches, or `none`. In this order of messages, the
 * walker keeps a behavior, replaces it by another one, and releases the other one after several messages that match
 * none.
 */
const MOODS = [
  'in_distress',
  'in_distress',
  'none',
  'short_of_time',
  'none',
  'short_of_time',
  'none',
  'none',
  'none',
].map((behavior): Deed => ({
  type: 'say',
  speech: 'Hm.',
  satisfied: false,
  engagement: 0,
  answers: [JSON.stringify({ behavior }), '{"action": 0}'],
}))

function file(name: string, text: string): string {
  const to = path.join(folder, name)
  writeFileSync(to, text)
  return to
}

/** Writes the rows of a conversation's tables into a database file, in the form in which a server stores them. */
function database(name: string, text: string): string {
  const to = path.join(folder, name)
  const db = new DatabaseSync(to)
  for (const migration of MIGRATIONS) db.exec(migration)
  for (const [table, rows] of Object.entries(JSON.parse(text) as Rows)) {
    if (table === 'schema') continue
    for (const row of rows) {
      const columns = Object.keys(row)
      const values = columns.map(() => '?').join(', ')
      db.prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${values})`).run(...Object.values(row))
    }
  }
  db.close()
  return to
}

function rowsOf(play: StoredPlay): string {
  const { sql } = play.disk.storage({ isAlive: true })
  const tables = ['session', 'events', 'turns', 'records', 'earlier']
  return JSON.stringify(Object.fromEntries(tables.map((table) => [table, laterRows(sql, `SELECT * FROM ${table}`)])))
}

describe('a recorded conversation on its own graph', () => {
  it.each(EVERY_KIND)('[arena-22] is the same, and every turn is evaluated, whatever happens in $name', (walked) => {
    everyWalk(walked, (graph, taken) => {
      let turns = 0
      const events = taken.map(({ event, step }) => {
        if (event.type === 'report' && !step.trace.some(({ type }) => type === 'ignored')) turns += 1
        return { turn: turns, event }
      })
      const { outcome, ...counted } = compareWalks({ graph, person: 'new', events }, structuredClone(graph))
      expect(outcome).toEqual({ kind: 'same' })
      expect(counted).toEqual({ turns, evaluated: turns, reworded: 0 })
    })
  })

  it.runIf(IS_LONG)(
    '[arena-22] [arena-24] is the same as it was stored, with every answer, choice, retry and stop',
    async () => {
      const seen = { turns: 0, choices: 0, answers: 0, behaviors: 0, resumed: 0, ended: 0 }
      const graphs = [graphOf(), roundGraph, coachingGraph()] as const
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(...graphs), anyDeeds, async (graph, deeds) => {
          const play = StoredPlay.begun(graph)
          for (const [number, deed] of deeds.entries()) await play.do(deed, number)
          const walk = walkIn(rowsOf(play))
          const turns = play.store.reports().length
          expect(compareWalks(walk, graph)).toEqual({
            outcome: { kind: 'same' },
            turns,
            evaluated: turns,
            reworded: 0,
          })
          const count = (...types: readonly WalkEvent['type'][]) =>
            walk.events.filter(({ event }) => types.includes(event.type)).length
          seen.turns += turns
          seen.choices += count('pivot-choice')
          seen.answers += count('behavior', 'selection', 'memories', 'reflection')
          seen.behaviors += walk.events.filter(
            ({ event }) => event.type === 'behavior' && event.behavior !== null,
          ).length
          seen.resumed += count('resume')
          seen.ended += play.store.walk().end ? 1 : 0
        }),
        { numRuns: runs('dear'), examples: [[coachingGraph(), MOODS]] },
      )
      expect(Object.entries(seen).filter(([, times]) => times === 0)).toEqual([])
    },
  )

  it('[arena-22] is the same if earlier code walked it', () => {
    expect(compareWalks(maya, maya.graph)).toEqual({ outcome: { kind: 'same' }, turns: 6, evaluated: 6, reworded: 0 })
    const stored = JSON.parse(fixture('walks')) as readonly {
      readonly engine: string
      readonly graph: Graph
      readonly plays: readonly {
        readonly person: 'new' | 'returning'
        readonly steps: readonly { readonly event: WalkEvent }[]
      }[]
    }[]
    const plays = stored.flatMap(({ engine, graph, plays: all }) =>
      engine === 'graph' ? all.map((play) => ({ graph, ...play })) : [],
    )
    expect(plays.length).toBeGreaterThan(8)
    for (const { graph, person, steps } of plays) {
      const { outcome, turns, evaluated } = compareWalks(
        { graph, person, events: steps.map(({ event }) => ({ turn: 0, event })) },
        graph,
      )
      expect([outcome.kind, evaluated]).toEqual(['same', turns])
    }
  })
})

describe('a recorded conversation on another graph', () => {
  it('[arena-21] is the same under other words, which are counted', () => {
    const other = withNode(maya.graph, 'DEEPEN', { intent: 'Explain it otherwise.' })
    expect(compareWalks(maya, other)).toEqual({ outcome: { kind: 'same' }, turns: 6, evaluated: 6, reworded: 2 })
  })

  it('[arena-20] ends the same by another way if nobody would have noticed', () => {
    const other = withNode(maya.graph, 'DEEPEN', { minTurns: 3 })
    expect(compareWalks(maya, other)).toMatchObject({
      outcome: {
        kind: 'another-way',
        turn: 4,
        recorded: 'DEEPEN to PIVOT_1 (satisfied), DEEPEN to PIVOT_1 (satisfied)',
        other: 'DEEPEN to PIVOT_1 (max-turns), DEEPEN to PIVOT_1 (max-turns)',
      },
      evaluated: 6,
    })
  })

  const { graph } = maya
  const fork = graph.nodes['PIVOT_1']
  if (fork?.kind !== 'pivot') throw new Error('PIVOT_1 is no fork')
  const twoCards = { ...fork.pivot, choices: fork.pivot.choices.slice(0, 2) }
  it.each([
    ['another node', withNode(graph, 'DEEPEN', { maxTurns: 1 }), 4, 'node', 'DEEPEN', 'PIVOT_1', 3],
    ['other cards', withNode(graph, 'PIVOT_1', { pivot: twoCards }), 5, 'fork', undefined, undefined, 4],
    [
      'a limit of exchanges',
      { ...graph, policy: { ...graph.policy, exchangeLimit: 2 } },
      3,
      'node',
      'DEEPEN',
      'CLOSE',
      2,
    ],
    [
      'an earlier end',
      withNode(graph, 'DEEPEN', {
        exits: onward(null),
        maxTurns: 1,
      }),
      3,
      'end',
      'goes on',
      'forced',
      3,
    ],
    [
      'a colleague who speaks first',
      { ...graph, opening: { node: 'GROUND', text: 'Hi.' } },
      1,
      'who begins',
      'the learner',
      'the colleague',
      0,
    ],
    [
      'another attitude',
      {
        ...graph,
        policy: { ...graph.policy, relationship: { ...graph.policy.relationship, start: 8 } },
      },
      1,
      'attitude',
      'neutral',
      'cooperative',
      0,
    ],
  ] as const)('[arena-20] [arena-21] parts at %s', (_name, other, turn, what, recorded, otherwise, evaluated) => {
    const compared = compareWalks(maya, other)
    expect(compared).toMatchObject({ outcome: { kind: 'parts', turn, what }, turns: 6, evaluated })
    if (recorded !== undefined) expect(compared.outcome).toMatchObject({ recorded, other: otherwise })
  })

  it.each(EVERY_KIND)('[arena-20] [arena-23] parts, if at all, at a turn of the record: $name', (walked) => {
    everyWalk(walked, (graph, taken) => {
      const events = taken.map(({ event, before }) => ({ turn: before.seq + 1, event }))
      for (const other of [graphOf(), roundGraph, maya.graph]) {
        const { outcome, turns, evaluated } = compareWalks({ graph, person: 'new', events }, other)
        expect(evaluated).toBeLessThanOrEqual(turns)
        if (outcome.kind === 'parts') expect(outcome.turn).toBeLessThanOrEqual(turns + 1)
        else expect(evaluated).toBe(turns)
      }
    })
  })

  it('[arena-21] knows a node by the name that a migration gives it', () => {
    const text = JSON.stringify({ ...graph, version: 2, hash: 'renamed' }).replaceAll('"DEEPEN"', '"TELL"')
    const renamed = JSON.parse(text) as Graph
    expect(compareWalks(maya, renamed).outcome).toMatchObject({ kind: 'parts', turn: 3, recorded: 'DEEPEN' })
    const migrations = [{ from: 1, nodes: { DEEPEN: 'TELL' }, unknown: 'fail' }] as const
    expect(compareWalks(maya, { ...renamed, migrations })).toMatchObject({ outcome: { kind: 'same' }, evaluated: 6 })
  })
})

describe('npm run arena -- --replay', () => {
  const changed = (change: (rows: Rows) => object) => JSON.stringify(change(JSON.parse(MAYA) as Rows))
  const withInfo = (change: object) =>
    changed((rows) => ({
      ...rows,
      session: rows.session.map((row) => ({ ...row, info: JSON.stringify({ ...JSON.parse(row.info), ...change }) })),
    }))

  it('[arena-20] [arena-23] says of each conversation what became of it, and how much was evaluated', async () => {
    const lines = [
      MAYA,
      withInfo({ engine: 'legacy' }),
      changed((rows) => ({ ...rows, earlier: [{ seq: 2, info: '{}' }] })),
      withInfo({ graph: { ...maya.graph, entry: 'SURFACE' } }),
      withInfo({ npc: 'nobody' }),
      changed((rows) => ({ ...rows, session: [] })),
    ]
    const log = file('all.jsonl', `${lines.join('\n')}\n`)
    expect((await replay([log])).replaceAll(log, 'LOG').split('\n')).toEqual([
      'LOG:1  launch-decision/maya    parts at turn 1, who begins: the learner; otherwise the colleague',
      'LOG:2  launch-decision/maya    not evaluable: the count-based engine walked it, whose reports say nothing about nodes',
      'LOG:3  launch-decision/maya    not evaluable: it moved to another version of its graph on the way',
      'LOG:4  launch-decision/maya    not evaluable: this version of the code walks its own graph otherwise than it was recorded',
      'LOG:5  launch-decision/nobody  not evaluable: launch-decision has no conversation with launch-decision/nobody',
      'LOG:6  holds no conversation',
      '',
      '5 conversations: 0 same, 0 same end by another way, 1 parts, 4 not evaluable',
      '0 of 30 recorded turns evaluated (0 %), 0 of them in other words',
    ])
  })

  it.runIf(IS_LONG)('[arena-24] [arena-23] finds the graph of a conversation that stores only its hash', async () => {
    const hash = 'f'.repeat(64)
    const pinned = changed((rows) => ({
      ...rows,
      session: rows.session.map((row) => {
        const { scenario, graph: _graph, ...info } = JSON.parse(row.info) as Record<string, unknown>
        return { ...row, info: JSON.stringify({ pins: { scenario: hash, graph: hash }, ...info, scenario }) }
      }),
    }))
    const log = file('pinned.jsonl', `${pinned}\n`)
    const outcome = async (...files: readonly string[]) => (await replay(files)).split('\n')[0]?.replace(/^.*?  /, '')
    expect(await outcome(log)).toContain('its graph is in none of the files')
    const whole = await outcome(file('whole.jsonl', `${MAYA}\n`))
    const body = JSON.stringify(maya.graph)
    const own = { ...(JSON.parse(pinned) as object), scenario_bodies: [{ hash, body }] }
    expect(await outcome(file('own.jsonl', `${JSON.stringify(own)}\n`))).toBe(whole)
    const d1 = path.join(folder, 'd1.sqlite')
    const db = new DatabaseSync(d1)
    db.exec('CREATE TABLE scenario_bodies (tenant TEXT, hash TEXT, body TEXT)')
    db.prepare('INSERT INTO scenario_bodies (tenant, hash, body) VALUES (?, ?, ?)').run('walkon', hash, body)
    db.close()
    expect(await outcome(log, d1)).toBe(whole)
  })

  it.runIf(IS_LONG)(
    '[arena-24] [arena-25] reads the databases of a server, against the checkout, a version, or a file',
    async () => {
      const openDay = openDayIn(folder)
      // The stored conversation is with maya.
      writeFileSync(openDay, readFileSync(openDay, 'utf8').replaceAll('nadia', 'maya'))
      const source = await openFile(openDay)
      if (source.kind !== 'scenario') throw new Error('the scenario is unreadable')
      const { scenario, library } = source
      const npc = scenario.npcs.find(({ id }) => id === 'maya')
      const made = npc && graphFor(scenario, npc, library)
      if (!made?.ok) throw new Error('the scenario has no graph for maya')
      const play = StoredPlay.begun(made.graph, scenario)
      for (let number = 0; number < 12; number += 1)
        await play.do({ type: 'say', speech: 'So.', satisfied: number % 3 > 0, engagement: 0, answers: [] }, number)
      const log = database('maya.sqlite', rowsOf(play))
      const before = readFileSync(log)
      const turns = play.store.reports().length
      const told = async (against?: string) =>
        (await replay([log], { against, folder })).replace(log, '').trim().split('\n')
      const all = [
        'open-day/maya  same',
        '',
        '1 conversation: 1 same, 0 same end by another way, 0 parts, 0 not evaluable',
        `${turns} of ${turns} recorded turns evaluated (100 %), 0 of them in other words`,
      ]
      expect(await told()).toEqual(all)
      expect(await told('technical@2')).toEqual(all)
      expect(await told(openDay)).toEqual(all)
      expect((await told('week-three@2'))[0]).toContain('not evaluable: maya does not walk week-three')
      expect((await told('9'))[0]).toContain('not evaluable: the checkout has only version 2 of technical')
      expect((await told('sims/backbones/guide.yaml'))[0]).toContain('not evaluable: maya does not walk')
      expect((await told('sims/one-to-one/scenario.yaml'))[0]).toContain('not evaluable: one-to-one has no')

      const technical = readFileSync('sims/backbones/technical.yaml', 'utf8')
      const stricter = file('technical.yaml', technical.replace('max_turns: 2', 'max_turns: 1'))
      expect((await told(stricter))[0]).toBe('open-day/maya  parts at turn 2, node: SURFACE; otherwise DEEPEN')
      expect(readFileSync(log).equals(before)).toBe(true)

      const metadata = path.join(folder, 'metadata.sqlite')
      new DatabaseSync(metadata).exec('CREATE TABLE other (id INTEGER)')
      expect(await replay([metadata])).toContain('metadata.sqlite  holds no conversation')
    },
  )

  it.each([
    ['no JSON', `${MAYA}\n{"session": `, ':2  is no stored conversation: the line is not JSON'],
    ['no object', '[]', ':1  is no stored conversation: '],
    [
      'a report without a field',
      changed((rows) => ({ ...rows, turns: rows['turns']?.map((row) => ({ ...row, report: '{}' })) })),
      ':1  is no stored conversation: turns/0/report/emotional_state: ',
    ],
    [
      'a graph without rules',
      withInfo({ graph: { ...maya.graph, policy: {} } }),
      ":1  is no stored conversation: its graph can't",
    ],
    ['a later graph', withInfo({ graph: { ...maya.graph, ir: 3 } }), 'session/0/info/graph/ir: is of a shape that'],
  ])('[arena-24] refuses %s with its file and line, and says what to do', async (_name, text, says) => {
    const log = file('bad.jsonl', text)
    const refused = await replay([log]).then(String, String)
    expect(refused).toContain(`${log}:`)
    expect(refused).toContain(says)
    expect(refused).toContain('Give the database of a conversation')
  })

  it('[arena-24] [arena-25] refuses a file that is not there, no database, no log, and no version', async () => {
    await expect(replay([path.join(folder, 'none.jsonl')])).rejects.toThrow(/none\.jsonl {2}is no stored conversation/)
    await expect(replay([path.join(folder, 'none.sqlite')])).rejects.toThrow(
      /none\.sqlite {2}is no stored conversation/,
    )
    await expect(replay([file('text.sqlite', 'no database at all, only text')])).rejects.toThrow('text.sqlite')
    await expect(replay([])).rejects.toThrow('--replay takes the logs')
    const log = file('good.jsonl', MAYA)
    await expect(replay([log], { against: 'legacy' })).rejects.toThrow('has no nodes to compare')
    await expect(replay([log], { against: 'none.yaml' })).rejects.toThrow('there is no file none.yaml')
    await expect(replay([log], { against: 'sims/graphs/steady@1.yaml' })).rejects.toThrow('is a context graph')
  })
})
