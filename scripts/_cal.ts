import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { wordTable } from './word-table-file.ts'
import { scenarios } from '../build/scenarios.ts'
import { nearest } from '../worker/actor/rehearsal/nearest.ts'
import { synonymsOf } from '../worker/core/text/stems.ts'
const T = await wordTable()
const tune = JSON.parse(readFileSync('test/fixtures/heard/tuning.json', 'utf8'))
const rows: any[] = []
let us = 0
for (const c of new Set<string>(tune.map((r: any) => r.colleague))) {
  const [f, id] = c.split('.')
  const scenario = scenarios.find((s: any) => s.id === f)!
  const npc = scenario.npcs.find((x: any) => x.id === id)!
  const raw = parse(readFileSync(`sims/${f}/scenario.yaml`, 'utf8')).npcs.find((x: any) => x.id === id)
  const out = JSON.parse(readFileSync(`test/fixtures/heard/writers/${c}.json`, 'utf8'))
  const ans = raw.rehearsal.answers
  const old = ans.length - out.new.length
  const say = new Map<string, string>()
  ans.forEach((a: any, i: number) => say.set(i < old ? `A${i}` : `new:${out.new[i - old].id}`, a.say[0]))
  ;[...raw.knowledge, ...(raw.depth ?? [])].forEach((l: string, i: number) => say.set(`K${i}`, l))
  ;(raw.document?.lines ?? []).forEach((l: string, i: number) => say.set(`D${i}`, l))
  const syn = synonymsOf(scenario)
  for (const r of tune.filter((r: any) => r.colleague === c && r.label)) {
    nearest(r.asks, scenario, npc, T)
    const t = process.cpuUsage()
    const n = nearest(r.asks, scenario, npc, T)
    const u = process.cpuUsage(t)
    us += u.user + u.system
    const refs = r.label
      .split(',')
      .map((x: string) => say.get(x.trim()))
      .filter(Boolean)
    const redirect = /redirect:(\w+)/.exec(r.label)?.[1]
    const isOf = (e: any) => refs.some((s: any) => e.say.includes(s) || e.point === s)
    rows.push({
      asks: r.asks,
      label: r.label,
      own: refs.length > 0,
      redirect,
      fit: n.own[0]?.fit ?? 0,
      second: n.own[1]?.fit ?? 0,
      ok: n.own[0] && isOf(n.own[0].entry),
      top3: n.own.some((x) => isOf(x.entry)),
      top2: n.own.slice(0, 2).some((x) => isOf(x.entry)),
      other: n.other?.fit ?? 0,
      on: n.other?.npc.id,
      q: 0,
    })
  }
}
const own = rows.filter((r) => r.own)
const all: any[] = []
for (const s of scenarios) for (const n of s.npcs) if (s.simulation) all.push([s, n])
const foreign: number[] = []
let k = 0
for (const r of tune) {
  if (!r.label || /statement/.test(r.label)) continue
  const f = r.colleague.split('.')[0]
  const opts = all.filter(([s, n]) => s.id !== f && n.walk !== 'guide')
  const [s, n] = opts[k++ % opts.length]
  foreign.push(nearest(r.asks, s, n, T).own[0]?.fit ?? 0)
}
foreign.sort((a, b) => b - a)
const q = (p: number) => foreign[Math.floor(foreign.length * p)]!
const okfits = own
  .filter((r) => r.ok)
  .map((r) => r.fit)
  .sort((a, b) => a - b)
const below = (t: number) => okfits.filter((x) => x < t).length / own.length
console.log(
  'MISSING',
  process.env.MISSING,
  'top1',
  (own.filter((r) => r.ok).length / own.length).toFixed(3),
  'top3',
  (own.filter((r) => r.top3).length / own.length).toFixed(3),
  'foreign 5% at',
  q(0.05).toFixed(2),
  'right below',
  below(q(0.05)).toFixed(3),
  'foreign 10% at',
  q(0.1).toFixed(2),
  below(q(0.1)).toFixed(3),
  '20%',
  q(0.2).toFixed(2),
  below(q(0.2)).toFixed(3),
)
if (process.env.BINS)
  for (const t of [0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8])
    console.log(
      t,
      'foreign above',
      (foreign.filter((x) => x >= t).length / foreign.length).toFixed(3),
      'own top1 above',
      (own.filter((r) => r.fit >= t).length / own.length).toFixed(3),
      'right of these',
      (own.filter((r) => r.fit >= t && r.ok).length / Math.max(1, own.filter((r) => r.fit >= t).length)).toFixed(3),
    )
process.exit()
