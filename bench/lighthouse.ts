import { parseArgs } from 'node:util'
import lighthouse from 'lighthouse'
import { chromium } from 'playwright-core'
import { findChromium } from '../scripts/chromium.ts'
import { freePort } from '../test/support/free-port.ts'
import { startWorkerServer } from '../test/support/worker-server.ts'

// Runs Lighthouse with its mobile settings (a slow phone on a slow connection) on the built page, which the worker
// itself serves. Measures several times and reports the measurement with the median performance score, which depends on
// how busy the machine is.

/** The lowest accepted score in each category; the highest possible score is 100. */
const LEAST = { performance: 95, accessibility: 100, 'best-practices': 100, seo: 0 } as const

const TIMINGS = [
  'first-contentful-paint',
  'largest-contentful-paint',
  'speed-index',
  'total-blocking-time',
  'cumulative-layout-shift',
  'total-byte-weight',
] as const

type Category = keyof typeof LEAST

interface Look {
  readonly scores: Readonly<Record<Category, number>>
  readonly timings: readonly (readonly [string, string])[]
  /** The Lighthouse audits that cost points, each with its category. */
  readonly lost: readonly string[]
}

const { values } = parseArgs({
  options: {
    /** How many times the script measures the page. */
    times: { type: 'string', default: '3' },
    /** The page's path from the server's root. */
    page: { type: 'string', default: '' },
  },
})

const looks = await lookAt(values.page, Number(values.times))
const median = looks.toSorted((one, other) => one.scores.performance - other.scores.performance)[
  Math.floor(looks.length / 2)
]
if (!median) throw new Error('--times is a number from 1 on')
console.log(report(median, looks))
if (!isEnough(median)) process.exitCode = 1

async function lookAt(page: string, times: number): Promise<readonly Look[]> {
  const server = await startWorkerServer({ configPath: 'wrangler.toml', vars: { WALKON_REHEARSAL_PACE_MS: '0' } })
  try {
    const url = new URL(page, server.url).href
    const found: Look[] = []
    for (let time = 0; time < times; time += 1) found.push(await lookOnce(url))
    return found
  } finally {
    await server.stop()
  }
}

/**
 * Measures the page once with a new browser that has an empty cache.
 *
 * @throws Error if Lighthouse could not measure the page
 */
async function lookOnce(url: string): Promise<Look> {
  const { path: executablePath, args, env } = await findChromium()
  const port = await freePort()
  const browser = await chromium.launch({
    executablePath,
    args: [...args, `--remote-debugging-port=${port}`],
    env: { ...process.env, ...env } as Record<string, string>,
  })
  try {
    const result = await lighthouse(url, { port, logLevel: 'error', onlyCategories: Object.keys(LEAST) })
    if (!result) throw new Error('Lighthouse came back with nothing')
    const { audits, categories, runtimeError } = result.lhr
    if (runtimeError) throw new Error(runtimeError.message)
    return {
      scores: scoresOf(categories),
      timings: TIMINGS.map((id) => [audits[id]?.title ?? id, audits[id]?.displayValue ?? '']),
      lost: Object.values(categories).flatMap(({ id, auditRefs }) =>
        auditRefs.flatMap((ref) => {
          const { score = null, title = ref.id } = audits[ref.id] ?? {}
          return ref.weight > 0 && score !== null && score < 1 ? [`${id}: ${title} (${Math.round(score * 100)})`] : []
        }),
      ),
    }
  } finally {
    await browser.close()
  }
}

function scoresOf(categories: Readonly<Record<string, { readonly score: number | null }>>): Record<Category, number> {
  const score = (category: Category) => Math.round((categories[category]?.score ?? 0) * 100)
  return {
    performance: score('performance'),
    accessibility: score('accessibility'),
    'best-practices': score('best-practices'),
    seo: score('seo'),
  }
}

function isEnough({ scores }: Look): boolean {
  return categoriesOf(scores).every(([category, score]) => score >= LEAST[category])
}

function report({ scores, timings, lost }: Look, all: readonly Look[]): string {
  const performances = all.map((look) => look.scores.performance).join(', ')
  return [
    ...categoriesOf(scores).map(([category, score]) => {
      const told = LEAST[category] === 0 ? '' : score < LEAST[category] ? `, ${LEAST[category]} are wanted` : ''
      return `${category.padEnd(28)}${String(score).padStart(4)}${told}`
    }),
    '',
    ...timings.map(([title, value]) => `${title.padEnd(28)}${value}`),
    '',
    `performance, each time: ${performances}`,
    ...lost,
  ].join('\n')
}

function categoriesOf(scores: Look['scores']): readonly (readonly [Category, number])[] {
  return [
    ['performance', scores.performance],
    ['accessibility', scores.accessibility],
    ['best-practices', scores['best-practices']],
    ['seo', scores.seo],
  ]
}
