import { wordTable } from './word-table-file.ts'
import { scenarios } from '../build/scenarios.ts'
import { nearest } from '../worker/actor/rehearsal/nearest.ts'
import { Comparison } from '../worker/actor/rehearsal/closeness.ts'
import { entriesOf } from '../worker/actor/rehearsal/entries.ts'
import { synonymsOf } from '../worker/core/text/stems.ts'
const cpu = (f: () => void, n = 1) => {
  const t = process.cpuUsage()
  for (let i = 0; i < n; i++) f()
  const u = process.cpuUsage(t)
  return (u.user + u.system) / 1000 / n
}
const m0 = process.memoryUsage()
const T = await wordTable()
globalThis.gc?.()
const m1 = process.memoryUsage()
console.log('table MB heap', (m1.heapUsed - m0.heapUsed) / 1e6, 'buffers', (m1.arrayBuffers - m0.arrayBuffers) / 1e6)
const s = scenarios.find((x: any) => x.id === 'launch-decision')!,
  npc = s.npcs.find((x: any) => x.id === 'maya')!
const syn = synonymsOf(s)
console.log(
  'entries',
  cpu(() => entriesOf(npc)),
)
const es = entriesOf(npc).map((e) => ({ asks: e.asks, says: e.say }))
console.log(
  'build',
  cpu(() => new Comparison(es, T)),
  cpu(() => new Comparison(es, T), 10),
)
const c = new Comparison(es, T)
console.log(
  'one',
  cpu(() => c.closeness('how many prompts did you test and who marked them, was it you?')),
  cpu(() => c.closeness('how many prompts did you test and who marked them, was it you?'), 200),
)
console.log(
  'nearest',
  cpu(() => nearest('is there a lift in the building', s, npc, T), 1),
  cpu(() => nearest('is there a lift in the building', s, npc, T), 100),
)
