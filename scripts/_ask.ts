import { createTalk } from './sim/talk.ts'
import { graphLibrary, scenarios } from '../build/scenarios.ts'
import { rehearse } from '../worker/actor/rehearsal/rehearse.ts'
import { nearest } from '../worker/actor/rehearsal/nearest.ts'
import { wordTable } from './word-table-file.ts'
const table = await wordTable()
const [c, ...texts] = process.argv.slice(2) as string[]
const [sid, nid] = c!.split('.')
const scenario = scenarios.find((s: any) => s.id === sid)!,
  npc = scenario.npcs.find((x: any) => x.id === nid)!
let reply: any
const actor: any = {
  kind: 'rehearsal',
  label: 'r',
  think: async (t: any) => (await import('../worker/actor/rehearsal/tasks.ts')).rehearseTask(t),
  async *speak(b: any) {
    reply = rehearse(b.scene, table)
    yield reply.speech
    yield `\n${b.separator}\n`
    yield JSON.stringify(reply.report)
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
console.log('   ', talk.opening)
for (const text of texts) {
  const t: any = await talk.say(text)
  const n = nearest(text, scenario, npc, table, true)
  console.log(
    `> ${text}\n    [${t.before.node}] ${t.choice ? 'card ' + t.choice.id : reply.speech} ${reply.offers.length ? JSON.stringify(reply.offers) : ''}\n      (${n.own
      .slice(0, 2)
      .map((x: any) => x.fit.toFixed(2) + ' ' + (x.entry.asks[0] ?? x.entry.say[0]).slice(0, 40))
      .join(
        ' | ',
      )} || ${n.other?.npc.id} ${n.other?.fit.toFixed(2)} ${n.other?.entry.asks[0]?.slice(0, 40)}) ${reply.report.internal_thought}`,
  )
}
process.exit()
