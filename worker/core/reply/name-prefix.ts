import { createLiteralSet } from './literals.ts'
import type { Stage } from './stage.ts'
import { pushAll } from './stage.ts'

/** Takes the speaker's own name off the beginning of a line: `Maya:`, `Maya Patel:`, `**Maya:**`, `[Maya]:`. */
export function createNameStripper(next: Stage, name: string): Stage {
  const { progress } = createLiteralSet(prefixes(name))
  let atLineStart = true
  let held = ''

  return {
    push(point) {
      if (atLineStart) pushLineStart(point)
      else pushText(point)
    },
    end() {
      pushAll(next, held)
      next.end()
    },
  }

  function pushLineStart(point: string): void {
    if (held === '' && point === ' ') return next.push(point)
    held += point
    const state = progress(held)
    if (state === 'partial') return
    const taken = held
    held = ''
    if (state === 'whole') return
    atLineStart = false
    for (const each of taken) pushText(each)
  }

  function pushText(point: string): void {
    atLineStart = point === '\n'
    next.push(point)
  }
}

function prefixes(name: string): readonly string[] {
  const full = name.trim()
  const first = full.split(/\s+/)[0] ?? ''
  const names = new Set([full, first].filter((each) => each !== '' && !each.endsWith('.')))
  return [...names].flatMap((each) => [
    `${each}:`,
    `[${each}]:`,
    ...['*', '**', '_', '__'].flatMap((mark) => [`${mark}${each}:${mark}`, `${mark}${each}${mark}:`]),
  ])
}
