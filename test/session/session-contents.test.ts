import { beforeEach, describe, expect, it } from 'vitest'
import { builtScenarios } from '../../build/catalogue.ts'
import { graphLibrary, scenarios } from '../../build/scenarios.ts'
import type { ContentSources } from '../../worker/chain/scenarios/contents.ts'
import { keptGraphs, keptScenarios } from '../../worker/chain/scenarios/kept.ts'
import { bodyOf } from '../../worker/chain/scenarios/stored-scenario.ts'
import type { Scope } from '../../worker/chain/scope.ts'
import { bindGraphs } from '../../worker/session/begin.ts'
import { SessionContents } from '../../worker/session/session-contents.ts'
import { ContentMissing, pinsOf, readFacts, readInfo, writeInfo } from '../../worker/session/session-info.ts'
import { sha256 } from '../../worker/sha256.ts'
import { infoOf } from '../support/stored-play.ts'

const scenario = scenarios.find(({ id }) => id === 'one-to-one')!
const body = bodyOf({ scenario, library: graphLibrary })
const stored = JSON.parse(body) as { scenario: typeof scenario; library: typeof graphLibrary }
const hash = await sha256(body)
const chosen = { npc: 'tove', engine: 'graph', seed: 7 } as const
const info = { ...infoOf(bindGraphs(stored, chosen).graph, stored.scenario), ...chosen }

/** The rows of a database, and how often it was read and written. */
class Rows {
  readonly rows = new Map<string, string>()
  reads = 0
  writes = 0
  isDown = false

  readonly sources: ContentSources = {
    files: null,
    chain: () => Promise.resolve(this.#scope),
  }

  readonly #scope = {
    tenant: 't',
    db: {
      prepare: (sql: string) => ({
        bind: (...values: readonly string[]) => ({ sql, values, all: () => this.#all(sql, values) }),
      }),
      batch: (all: readonly { values: readonly string[] }[]) => {
        for (const { values } of all) this.rows.set(values[1] ?? '', values[2] ?? '')
        this.writes += all.length
        return Promise.resolve(all.map(() => ({ results: [], meta: { changes: 1 } })))
      },
    },
  } as unknown as Scope

  async #all(sql: string, [, asked = '']: readonly string[]) {
    await Promise.resolve()
    if (this.isDown) throw new Error('the database is down')
    this.reads += 1
    if (sql.includes('json_each'))
      return {
        results: (JSON.parse(asked) as string[]).filter((each) => this.rows.has(each)).map((each) => ({ hash: each })),
      }
    const found = this.rows.get(asked)
    return { results: found === undefined ? [] : [{ body: found }] }
  }
}

/** Makes the isolate forget what it keeps, as a new isolate would. */
function forget(): void {
  for (let n = 0; n < 100; n += 1) {
    keptScenarios.put(`other ${n}`, stored)
    keptGraphs.put(`other ${n}`, info.graph)
  }
}

let database: Rows

/** Keeps the contents of the conversation, and returns its stored text. */
async function kept(graph = info.graph): Promise<string> {
  database.rows.set(hash, body)
  const pins = await new SessionContents(database.sources).keep(hash, stored.scenario, { graph })
  return writeInfo({ ...info, graph }, pins)
}

beforeEach(() => {
  database = new Rows()
})

describe('the contents of a conversation', () => {
  it('[version-19] are hashes in its own text; what it stores of itself is read without them', async () => {
    const text = await kept()
    expect(text.length).toBeLessThan(1_000)
    expect(readFacts(text)).toEqual({
      ...readFacts(JSON.stringify(info)),
      scenario: { id: scenario.id, version: scenario.version },
      graph: undefined,
    })
    forget()
    expect(() => readInfo(text)).toThrow(ContentMissing)
    const contents = new SessionContents(database.sources)
    expect(await contents.load(pinsOf(text)!, readFacts(text))).toEqual({ ok: true })
    expect(readInfo(text, contents)).toEqual(info)
    // The object holds them, whatever the isolate reads meanwhile.
    forget()
    expect(readInfo(text, contents)).toEqual(info)
  })

  it('[version-20] are written once, and asked for once', async () => {
    await kept()
    expect([database.reads, database.writes, database.rows.size]).toEqual([1, 1, 2])
    await kept()
    expect([database.reads, database.writes]).toEqual([1, 1])
  })

  it('[version-22] a graph is made again from the scenario', async () => {
    const text = await kept()
    const { graph } = pinsOf(text)!
    database.rows.delete(graph)
    forget()
    const contents = new SessionContents(database.sources)
    expect(await contents.load(pinsOf(text)!, readFacts(text))).toEqual({ ok: true })
    expect(JSON.stringify(contents.graph(graph))).toBe(JSON.stringify(info.graph))
  })

  it('[version-22] a graph that other code has made is read, to the byte; a text with another hash counts as gone', async () => {
    const older = { ...info.graph, hash: 'of-older-code', order: info.graph.order.toReversed() }
    const text = await kept(older)
    const pins = pinsOf(text)!
    forget()
    const contents = new SessionContents(database.sources)
    expect(await contents.load(pins, readFacts(text))).toEqual({ ok: true })
    expect(JSON.stringify(contents.graph(pins.graph))).toBe(JSON.stringify(older))

    forget()
    database.rows.set(pins.graph, JSON.stringify(info.graph))
    expect(await new SessionContents(database.sources).load(pins, readFacts(text))).toEqual({
      ok: false,
      gone: pins.graph,
    })
    database.rows.set(hash, `${body} `)
    forget()
    expect(await new SessionContents(database.sources).load(pins, readFacts(text))).toEqual({ ok: false, gone: hash })
  })

  it('[version-21] are loaded later if the database is down', async () => {
    const text = await kept()
    forget()
    const contents = new SessionContents(database.sources)
    database.isDown = true
    await expect(contents.load(pinsOf(text)!, readFacts(text))).rejects.toThrow('the database is down')
    database.isDown = false
    expect(await contents.load(pinsOf(text)!, readFacts(text))).toEqual({ ok: true })
  })

  it('[version-19] without a database are stored with the conversation', async () => {
    const contents = new SessionContents({ files: null, chain: () => Promise.resolve(null) })
    expect(await contents.keep(hash, stored.scenario, { graph: info.graph })).toBeNull()
    expect(readInfo(writeInfo(info, null))).toEqual(info)
  })

  it('[publish-2] the build has each scenario under the hash of its text', async () => {
    expect(builtScenarios.map(({ id }) => id)).toEqual(scenarios.map(({ id }) => id))
    for (const built of builtScenarios) {
      const whole = scenarios.find(({ id }) => id === built.id)!
      expect(await sha256(bodyOf({ scenario: whole, library: graphLibrary }))).toBe(built.hash)
    }
  })
})
