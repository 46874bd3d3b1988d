import { cellOf, goalOf, type Result, type Row, written } from './rows.ts'

const [WIDTH, MARGIN, BAR, GAP] = [860, 24, 14, 4]
const [NAME_WIDTH, VALUE_WIDTH] = [130, 110]
/** The width of the longest bar. */
const LONGEST = WIDTH / 2 - MARGIN - NAME_WIDTH - VALUE_WIDTH
const HUES: Readonly<Record<string, string>> = {
  walkon: 'var(--walkon)',
  socketio: 'var(--a)',
  partyserver: 'var(--b)',
  agents: 'var(--c)',
  proxy: 'var(--d)',
}

/**
 * Draws the figures as bars: a small chart for each row, two beside each other, each with a scale of its own. A line
 * marks the goal. The colours follow the reader's light or dark scheme.
 */
export function chartOf(rows: readonly Row[], results: readonly Result[], caption: string): string {
  const drawn = rows.filter((row) => results.some((result) => row.of(result) !== null))
  const height = Math.max(...drawn.map((row) => chartHeight(row, results)))
  const lines = Math.ceil(drawn.length / 2)
  const head = 64
  const charts = drawn.map((row, at) => {
    const [x, y] = [(at % 2) * (WIDTH / 2) + MARGIN, head + Math.floor(at / 2) * height]
    return `<g transform="translate(${x} ${y})">${oneChart(row, results)}</g>`
  })
  const total = head + lines * height + 8
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${total}" width="${WIDTH}" height="${total}" role="img" aria-labelledby="peers-title peers-caption">
<title id="peers-title">Walkon beside its peers</title>
<desc id="peers-caption">${escaped(caption)}</desc>
<style>
svg { --ground: #fff; --ink: #1f2328; --soft: #59636e; --walkon: #0a6c74; --a: #8c959f; --b: #a8b0b8; --c: #747d87; --d: #c3c9cf; --goal: #bc4c00 }
@media (prefers-color-scheme: dark) {
  svg { --ground: #0d1117; --ink: #f0f6fc; --soft: #9198a1; --walkon: #4cc2cc; --a: #6e7681; --b: #545d68; --c: #868e98; --d: #3d444d; --goal: #f0883e }
}
text { font: 12px system-ui, -apple-system, "Segoe UI", sans-serif; fill: var(--ink) }
.head { font-size: 17px; font-weight: 600 }
.row { font-weight: 600 }
.soft { fill: var(--soft) }
.own { font-weight: 600 }
.value { paint-order: stroke; stroke: var(--ground); stroke-width: 4px; stroke-linejoin: round }
.goal { stroke: var(--goal); stroke-width: 2 }
</style>
<rect width="100%" height="100%" fill="var(--ground)"/>
<text class="head" x="${MARGIN}" y="28">Walkon beside its peers</text>
<text class="soft" x="${MARGIN}" y="47">${escaped(caption)}</text>
${charts.join('\n')}
</svg>
`
}

interface Bar {
  readonly result: Result
  readonly value: number
  readonly cell: string
}

function shown(row: Row, results: readonly Result[]): readonly Bar[] {
  return results.flatMap((result) => {
    const [value, cell] = [row.of(result), cellOf(row, result)]
    return cell === '–' ? [] : [{ result, value: value ?? 0, cell }]
  })
}

function chartHeight(row: Row, results: readonly Result[]): number {
  return top(shown(row, results).length) + 20
}

/** Where the bar with this number begins. */
const top = (at: number) => 24 + at * (BAR + GAP)

function oneChart(row: Row, results: readonly Result[]): string {
  const bars = shown(row, results)
  const goal = goalOf(row, results)
  const scale = LONGEST / Math.max(...bars.map(({ value }) => value), goal ?? 0, Number.MIN_VALUE)
  const drawn = bars.map(({ result: { id }, value }, at) => {
    const width = Math.max(1, value * scale)
    return `<rect x="${NAME_WIDTH}" y="${top(at)}" width="${width.toFixed(1)}" height="${BAR}" rx="2" fill="${HUES[id] ?? 'var(--a)'}"/>`
  })
  // The texts come last, so that no line crosses out a figure.
  const texts = bars.map(({ result: { id, name }, value, cell }, at) => {
    const own = id === 'walkon' ? ' own' : ''
    const x = NAME_WIDTH + 6 + Math.max(1, value * scale)
    const y = top(at) + 11
    return `<text class="name${own}" x="0" y="${y}">${escaped(name)}</text><text class="value${own}" x="${x.toFixed(1)}" y="${y}">${cell}</text>`
  })
  const unit = row.unit === '' ? '' : `, ${row.unit}`
  const aim =
    goal === null
      ? ''
      : ` <tspan class="soft" font-weight="400">goal ${row.isMore ? '≥' : '≤'} ${written(goal)}</tspan>`
  const x = goal === null ? 0 : NAME_WIDTH + goal * scale
  const end = top(bars.length)
  const line = goal === null ? '' : `<line class="goal" x1="${x.toFixed(1)}" y1="20" x2="${x.toFixed(1)}" y2="${end}"/>`
  return `<text class="row" x="0" y="14">${escaped(row.title)}${unit}${aim}</text>${drawn.join('')}${line}${texts.join('')}`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
