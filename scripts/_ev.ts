// usage: node scripts/_ev.ts tuning|unseen OUT
import { readFileSync, writeFileSync, readdirSync, existsSync } from 'node:fs'
import { parse } from 'yaml'
import { createTalk } from './sim/talk.ts'
import { graphLibrary, scenarios } from '../build/scenarios.ts'
import { rehearse } from '../worker/actor/rehearsal/rehearse.ts'
import { nearest } from '../worker/actor/rehearsal/nearest.ts'
import { wordTable } from './word-table-file.ts'
const [set, outFile] = process.argv.slice(2) as [string, string]
const table = await wordTable()
const items = JSON.parse(readFileSync(`test/fixtures/heard/${set}.json`, 'utf8'))
const key = (c: string, t: string) => `${c}|${t.trim().toLowerCase()}`
const byKey = new Map<string, any>(items.map((r: any) => [key(r.colleague, r.asks), r]))
const raw: any = {}
for (const f of ['launch-decision', 'night-shift', 'third-figure'])
  raw[f] = parse(readFileSync(`sims/${f}/scenario.yaml`, 'utf8'))
function refsOf(c: string) {
  const [f, id] = c.split('.') as [string, string]
  const npc = raw[f].npcs.find((x: any) => x.id === id)
  const out = JSON.parse(readFileSync(`test/fixtures/heard/writers/${c}.json`, 'utf8'))
  const ans = npc.rehearsal.answers
  const old = ans.length - out.new.length
  const m = new Map<string, string[]>()
  ans.forEach((a: any, i: number) => m.set(i < old ? `A${i}` : `new:${out.new[i - old].id}`, [...a.say]))
  ;[...npc.knowledge, ...(npc.depth ?? [])].forEach((l: string, i: number) => m.set(`K${i}`, [l]))
  ;(npc.document?.lines ?? []).forEach((l: string, i: number) => m.set(`D${i}`, [l]))
  return { m, npc }
}
const norm = (t: string) => t.toLowerCase().replace(/[^a-z0-9.%$]+/g, ' ')
const out: any[] = []
let ms = 0,
  n = 0
const slow: number[] = []
for (const person of readdirSync('/work/collect-keep')) {
  for (const c of existsSync(`/work/collect-keep/${person}`) && !person.includes('.') && person !== 'say'
    ? readdirSync(`/work/collect-keep/${person}`)
    : []) {
    const f = `/work/collect-keep/${person}/${c}/log.json`
    if (!existsSync(f)) continue
    const log = JSON.parse(readFileSync(f, 'utf8'))
    const [sid, nid] = c.split('.') as [string, string]
    const scenario = scenarios.find((s: any) => s.id === sid)!,
      npc = scenario.npcs.find((x: any) => x.id === nid)!
    let now: any = null,
      fresh = '',
      thought = '',
      offers: any
    const actor: any = {
      kind: 'rehearsal',
      label: 'r',
      think: async (t: any) => (await import('../worker/actor/rehearsal/tasks.ts')).rehearseTask(t),
      async *speak(b: any) {
        const t = process.cpuUsage()
        const r: any = rehearse(b.scene, table)
        const u = process.cpuUsage(t)
        const d = (u.user + u.system) / 1000
        slow.push(d)
        ms += d
        n++
        fresh = r.speech
        thought = r.report.internal_thought
        offers = r.offers
        yield now.heard.replace(/^\w+ {2}/, '') || fresh
        yield `\n${b.separator}\n`
        yield JSON.stringify(r.report)
      },
    }
    const talk = createTalk({
      scenario,
      npc,
      library: graphLibrary,
      engine: 'graph',
      person: 'new',
      actor,
      after: (m: number, k: any) => {
        const t = setTimeout(k, m)
        return () => clearTimeout(t)
      },
      write: () => {},
    } as any)
    let before = talk.opening ?? ''
    for (const e of log) {
      now = e
      fresh = ''
      const t: any = await talk.say(e.text)
      const r = byKey.get(key(c, e.text))
      if (r) {
        const row: any = {
          who: person,
          colleague: c,
          i: e.i,
          node: t.before.node,
          loggedNode: e.node,
          before: before.replace(/^\w+ {2}/, ''),
          asks: e.text,
          reply: fresh,
          thought,
          choice: t.choice?.id,
          old: e.heard,
          offers,
          label: r.label,
        }
        if (r.label) {
          const { m } = refsOf(c)
          const says = r.label.split(',').flatMap((x: string) => m.get(x.trim()) ?? [])
          const nn = nearest(e.text, scenario, npc, table)
          const hit = (x: any) => x && says.some((s: string) => x.entry.say.includes(s) || x.entry.point === s)
          row.top = hit(nn.own[0])
          row.fit = nn.own[0]?.fit.toFixed(2)
          row.other = nn.other && `${nn.other.npc.id} ${nn.other.fit.toFixed(2)}`
          row.ok = says.length === 0 ? null : says.some((s: string) => norm(fresh).includes(norm(s).trim()))
        }
        out.push(row)
      }
      before = e.heard || before
    }
  }
}
writeFileSync(outFile, JSON.stringify(out, null, 1))
const lab = out.filter((r) => r.ok !== null && r.ok !== undefined)
slow.sort((a, b) => a - b)
if (set === 'tuning') {
  console.log(
    `items ${out.length} of ${items.length}; labelled ${lab.length}; ok ${lab.filter((r) => r.ok).length} = ${((lab.filter((r) => r.ok).length / lab.length) * 100).toFixed(1)}%; node same ${out.filter((r) => r.node === r.loggedNode).length}`,
  )
  const by: any = {}
  for (const r of lab) {
    const b = (by[r.colleague] ??= [0, 0])
    b[0]++
    if (r.ok) b[1]++
  }
  console.log(JSON.stringify(by))
}
console.log(
  `cpu mean ${(ms / n).toFixed(2)} ms, median ${slow[n >> 1]!.toFixed(2)}, p95 ${slow[Math.floor(n * 0.95)]!.toFixed(2)}`,
)
