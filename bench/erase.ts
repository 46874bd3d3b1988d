import { parseArgs } from 'node:util'
import { runErasures, type EraseSummary } from '../test/support/erase-run.ts'
import { KillableServer } from '../test/support/killable-server.ts'
import { MarkedModel } from '../test/support/marked-model.ts'
import { ERASURE_CONFIG, PEOPLE_VARS } from '../test/support/people-server.ts'

// Erases people while a model streams replies to them. During the erasures, Durable Objects crash at every step, and
// the server's process is killed again and again. At the end, the script searches every SQLite file for data of the
// erased people.

const { values } = parseArgs({
  options: {
    people: { type: 'string', default: '1000' },
    others: { type: 'string', default: '50' },
    crowd: { type: 'string', default: '40' },
    'kill-every': { type: 'string', default: '4' },
    quiet: { type: 'boolean', default: false },
  },
})
const model = await MarkedModel.start(0)
const vars = { ...model.vars, ...PEOPLE_VARS, TEST_DIES: 'true', WALKON_TOKEN_SECONDS: '43200' }
const server = await KillableServer.start(ERASURE_CONFIG, vars)
process.once('SIGINT', () => void server.stop().then(() => process.exit(130)))
const from = performance.now()
try {
  const summary = await runErasures(server, model, {
    people: Number(values.people),
    others: Number(values.others),
    crowd: Number(values.crowd),
    killEvery: Number(values['kill-every']),
    ...(values.quiet ? {} : { told: (line: string) => console.error(line) }),
  })
  console.log(table(summary, (performance.now() - from) / 1000))
  for (const { file, table, text } of [...summary.inRows, ...summary.inObjects, ...summary.afterVacuum].slice(0, 20))
    console.log(`left: ${text.slice(0, 20)} in ${table ?? 'a page'} of ${file}`)
  process.exitCode = isClean(summary) ? 0 : 1
} finally {
  await server.stop()
  await model.stop()
}

function isClean({
  unforeseen,
  othersChanged,
  changedAgain,
  inRows,
  inObjects,
  afterVacuum,
  found,
}: EraseSummary): boolean {
  const left = unforeseen + othersChanged + changedAgain + inRows.length + inObjects.length + afterVacuum.length
  return left === 0 && found.before > 0 && found.ofOthers > 0
}

function table(summary: EraseSummary, seconds: number): string {
  const { people, conversations, underWay, kills, deaths, effect, found } = summary
  const rows: [string, string | number][] = [
    ['people erased', people],
    ['conversations', `${conversations}, ${underWay} of them in the middle of a reply`],
    ['deaths', `${deaths} of objects or more, ${kills} SIGKILLs of the process`],
    [
      'erased in all',
      Object.entries(effect)
        .map(([name, count]) => `${name} ${count}`)
        .join(', '),
    ],
    ['reports that differ from the dry run', summary.unforeseen],
    ['others of whom anything changed', summary.othersChanged],
    ['changed by erasing everybody again', summary.changedAgain],
    ['tables with marks before, with others after', `${found.before}, ${found.ofOthers}`],
    ['marks left in rows and indexes', summary.inRows.length],
    ['marks left in files of objects', summary.inObjects.length],
    ["marks left in unused bytes of D1's file", summary.inUnused],
    ['marks left in any byte after `npm run vacuum`', summary.afterVacuum.length],
    ['took', `${seconds.toFixed(0)} s`],
  ]
  return rows.map(([name, value]) => `${name.padEnd(46)} ${value}`).join('\n')
}
