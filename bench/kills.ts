import { parseArgs } from 'node:util'
import { DOORS_CONFIG } from '../test/support/doors.ts'
import { type KillSummary, runKills } from '../test/support/kill-run.ts'
import { KillableServer } from '../test/support/killable-server.ts'
import { MarkedModel } from '../test/support/marked-model.ts'

// Kills the worker's process with SIGKILL, again and again, while a model streams replies to a crowd of learners. The
// process belongs to `wrangler dev`, which keeps its storage on disk. At the end, the script compares what each learner
// was shown with the stored conversations.

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    kills: { type: 'string', default: '200' },
    learners: { type: 'string', default: '20' },
    /**
     * Every kill whose number is a multiple of `whole` kills wrangler and all its processes; 0 means that no kill does.
     */
    whole: { type: 'string', default: '20' },
    /** The time between two words of a reply, in milliseconds. */
    pace: { type: 'string', default: '40' },
    quiet: { type: 'boolean', default: false },
  },
})
const [seed, kills, learners, wholeEvery, pace] = [
  values.seed,
  values.kills,
  values.learners,
  values.whole,
  values.pace,
].map(Number) as [number, number, number, number, number]

const model = await MarkedModel.start(pace)
// The learners use their first token until the end. On a busy machine that is longer than the usual quarter of an hour
// for which a token is valid, so tokens last twelve hours here.
const server = await KillableServer.start(DOORS_CONFIG, { ...model.vars, WALKON_TOKEN_SECONDS: '43200' })
// Ctrl-C doesn't reach the server, which has its own process group, so this handler stops it.
process.once('SIGINT', () => void server.stop().then(() => process.exit(130)))
const from = performance.now()
try {
  const told = values.quiet ? {} : { told: (line: string) => console.error(line) }
  const summary = await runKills(server, model, { seed, kills, learners, wholeEvery, ...told })
  console.log(table(summary, (performance.now() - from) / 1000))
  for (const { kind, what } of summary.breaches) console.log(`${kind}: ${what}`)
  process.exitCode = summary.breaches.length > 0 ? 1 : 0
} finally {
  await server.stop()
  await model.stop()
}

function table(summary: KillSummary, seconds: number): string {
  const { messages, turns, characters, back, breaches } = summary
  const broken = (...kinds: string[]) => breaches.filter(({ kind }) => kinds.includes(kind)).length
  const rows: [string, string | number][] = [
    ['seed', seed],
    ['SIGKILLs', `${summary.kills}, ${summary.whole} of them of wrangler and all`],
    ['learners at once', learners],
    [
      'streams running at a kill',
      `${(summary.streamsHit / summary.kills).toFixed(1)} on average, ${summary.fewestHit} at least`,
    ],
    ['conversations', summary.conversations],
    ['messages', `${messages.written} written, ${messages.acknowledged} acknowledged with choices and retries`],
    [
      'turns',
      `${turns.complete} complete, ${turns.cut} cut, ${turns.failed} failed, ${turns.voided} attempts begun anew`,
    ],
    ['requests to the model', summary.modelCalls],
    ['commands', summary.commands],
    ['characters shown', `${characters.stored} stored, ${characters.voided} declared void`],
    ['back after a kill', `${back.median.toFixed(0)} ms, ${back.longest.toFixed(0)} at most`],
    ['took', `${seconds.toFixed(0)} s`],
    ['lost', broken('lost')],
    ['doubled', broken('doubled')],
    ['stuck', broken('stuck')],
    ['shown, neither stored nor void', broken('shown', 'order')],
    ['walked elsewhere than undisturbed', broken('walked')],
    ["another's, or asked for too often", broken('foreign', 'unpaid')],
  ]
  return rows.map(([name, value]) => `${name.padEnd(34)} ${value}`).join('\n')
}
