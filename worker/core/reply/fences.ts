import type { Stage } from './stage.ts'
import { pushAll } from './stage.ts'

const INFO = /^[A-Za-z0-9+_.-]$/
const MAX_INFO = 20

/**
 * Takes out the marks of code fences: three or more backticks, and behind them the language's name where it stands
 * alone on the line. What the fence holds stays.
 */
export function createFenceStripper(next: Stage): Stage {
  let ticks = 0
  let atLineStart = true
  let info: string | null = null

  return {
    push(point) {
      if (info !== null) pushInfo(info, point)
      else if (point === '`') ticks += 1
      else pushText(point)
    },
    end() {
      if (ticks < 3) pushAll(next, '`'.repeat(ticks))
      next.end()
    },
  }

  function pushText(point: string): void {
    if (ticks >= 3) return openFence(point)
    pushAll(next, '`'.repeat(ticks))
    atLineStart = point === '\n' || (atLineStart && ticks === 0 && point === ' ')
    ticks = 0
    next.push(point)
  }

  function openFence(point: string): void {
    ticks = 0
    if (!atLineStart) return pushText(point)
    pushInfo('', point)
  }

  function pushInfo(held: string, point: string): void {
    if (INFO.test(point) && held.length < MAX_INFO) {
      info = held + point
      return
    }
    info = null
    atLineStart = atLineStart && held === ''
    if (point !== '\n') pushAll(next, held)
    if (point === '`') ticks = 1
    else pushText(point)
  }
}
