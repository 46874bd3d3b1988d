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
console.log(
  'own',
  own.length,
  'top1',
  own.filter((r) => r.ok).length / own.length,
  'top2',
  own.filter((r) => r.top2).length / own.length,
  'top3',
  own.filter((r) => r.top3).length / own.length,
  'cpu ms',
  us / 1000 / rows.length,
)
for (const [a, b] of [
  [0, 0.4],
  [0.4, 0.5],
  [0.5, 0.55],
  [0.55, 0.6],
  [0.6, 0.65],
  [0.65, 0.7],
  [0.7, 0.75],
  [0.75, 0.8],
  [0.8, 1.2],
]) {
  const x = own.filter((r) => r.fit >= a! && r.fit < b!)
  console.log(
    a,
    b,
    x.length,
    'ok',
    x.filter((r) => r.ok).length,
    'top2',
    x.filter((r) => r.top2).length,
    'top3',
    x.filter((r) => r.top3).length,
  )
}
for (const m of [-0.1, -0.05, 0, 0.05, 0.1])
  console.log(
    'redirect if other>own+',
    m,
    'own lost',
    own.filter((r) => r.other > r.fit + m && r.other >= 0.6).length,
    'redirects won',
    rows.filter((r) => r.redirect && r.other > r.fit + m && r.other >= 0.6 && r.on === r.redirect).length,
    'of',
    rows.filter((r) => r.redirect).length,
  )
for (const g of [0, 0.02, 0.05, 0.1, 0.15]) {
  const x = own.filter((r) => r.fit - r.second >= g)
  console.log('gap', g, x.length, 'ok', x.filter((r) => r.ok).length / x.length)
}
console.log(
  rows
    .filter((r) => !r.own)
    .map((r) => [r.asks, r.label, r.fit.toFixed(2), r.other.toFixed(2), r.on].join(' | '))
    .join('\n'),
)
