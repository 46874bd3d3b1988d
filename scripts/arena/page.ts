import { escaped } from '../escaped.ts'
import { passes } from './measure.ts'
import { type ArenaReport, type ArenaTable, partingsOf, summaryOf, tablesOf } from './report.ts'
import type { ArenaRow } from './run-arena.ts'

/** Renders a report as one HTML page without scripts and without other files. Every text is escaped. */
export function arenaPage(report: ArenaReport): string {
  const parts = new Map(partingsOf(report).flatMap(({ first, second, at }) => [first, second].map((row) => [row, at])))
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Arena</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Arena</h1>
${summaryOf(report)
  .map((line) => `<p>${escaped(line)}</p>`)
  .join('\n')}
${tablesOf(report).map(tableHtml).join('\n')}
<h2>Conversations</h2>
${report.rows.map((row) => talkHtml(row, report.sides.length > 1, parts.get(row) ?? null)).join('\n')}
</main>
</body>
</html>
`
}

const STYLE = `
:root { color-scheme: light dark; --ink: light-dark(#22242a, #e8e6e1); --paper: light-dark(#fcfaf6, #17181c);
  --rule: light-dark(#d9d4ca, #3a3c44); --pencil: light-dark(#5c5f68, #a9abb3); --bad: light-dark(#a3261d, #f0a39c); }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
main { max-width: 76rem; margin: 0 auto; padding: 1rem; }
h1, h2 { line-height: 1.2; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.875rem; font-variant-numeric: tabular-nums; white-space: nowrap; }
th, td { padding: 0.25rem 0.75rem 0.25rem 0; text-align: left; border-bottom: 1px solid var(--rule); }
details { border-bottom: 1px solid var(--rule); padding: 0.5rem 0; }
summary { cursor: pointer; overflow-wrap: anywhere; }
.bad { color: var(--bad); }
dl { margin: 0.5rem 0 0; } dt { color: var(--pencil); font-size: 0.875rem; } dd { margin: 0 0 0.5rem; overflow-wrap: anywhere; }
`

function tableHtml({ title, columns, lines }: ArenaTable): string {
  const head = columns.map((name) => `<th scope="col">${escaped(name)}</th>`).join('')
  const body = lines.map((line) => `<tr>${line.map((cell) => `<td>${escaped(cell)}</td>`).join('')}</tr>`).join('\n')
  return `<h2>${escaped(title)}</h2>
<div class="scroll" tabindex="0" role="region" aria-label="${escaped(title)}"><table>
<thead><tr>${head}</tr></thead>
<tbody>
${body}
</tbody>
</table></div>`
}

function talkHtml(row: ArenaRow, hasSides: boolean, parts: number | null): string {
  const { scenario, npc, persona, side, run, talk, measures, fault } = row
  const name = [scenario, npc, persona, `run ${run}`, ...(hasSides ? [side] : [])].join(' · ')
  const verdict = fault === null ? (passes(measures) ? 'passed' : 'did not pass') : `does not count: ${fault}`
  const opening = talk.opening === null ? '' : lineHtml(npc, talk.opening)
  const lines = talk.exchanges.map(({ learner, isCard, reply, node, to, reason, quality }, place) => {
    const way = [node, to ?? 'the end', reason ?? 'no reply', quality ?? (isCard ? 'card' : '')].join(' · ')
    const mark = parts === place + 1 ? '<dt class="bad">The two sides part here.</dt>' : ''
    return `${mark}${lineHtml(`${place + 1}. learner`, learner)}${lineHtml(`${npc} · ${way}`, reply ?? '')}`
  })
  return `<details><summary>${escaped(name)}: ${escaped(talk.end)} after ${measures.messages}, <span${verdict === 'passed' ? '' : ' class="bad"'}>${escaped(verdict)}</span></summary>
<dl>${opening}${lines.join('\n')}</dl></details>`
}

function lineHtml(who: string, text: string): string {
  return `<dt>${escaped(who)}</dt><dd>${escaped(text)}</dd>`
}
