import { describe, expect, it } from 'vitest'
import { readRetryAfter } from '../../worker/retry-after.ts'

const NOW = Date.UTC(2026, 0, 1)
const DAY = 86_400_000

describe('when to come back', () => {
  const cases: readonly [Record<string, string>, number | null][] = [
    [{}, null],
    [{ 'retry-after': '0' }, 0],
    [{ 'retry-after': '7' }, 7_000],
    [{ 'retry-after': '1.5' }, 1_500],
    [{ 'retry-after': '999999999999' }, DAY],
    [{ 'retry-after': 'Thu, 01 Jan 2026 00:01:00 GMT' }, 60_000],
    [{ 'retry-after': 'Thursday, 01-Jan-26 00:01:00 GMT' }, 60_000],
    [{ 'retry-after': 'Wed, 31 Dec 2025 23:59:00 GMT' }, 0],
    [{ 'retry-after': 'Thu, 01 Jan 2099 00:00:00 GMT' }, DAY],
    [{ 'retry-after': 'Thu, 99 Foo 2026 00:00:00 GMT' }, null],
    [{ 'retry-after': '-5' }, null],
    [{ 'retry-after': 'soon' }, null],
    [{ 'retry-after': '1e3' }, null],
    [{ 'retry-after': '9', 'retry-after-ms': '250' }, 250],
    [{ 'retry-after': '9', 'retry-after-ms': 'x' }, 9_000],
  ]
  for (const [headers, expected] of cases) {
    it(`[model-23] ${JSON.stringify(headers)} → ${expected}`, () => {
      expect(readRetryAfter(new Headers(headers), NOW)).toBe(expected)
    })
  }
})
