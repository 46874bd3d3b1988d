import type { Ending } from './strip.ts'

/**
 * A sign drawn with one line. The sign shows whether a fact was cited, left out or never heard, or how the conversation
 * left a node. A word beside the sign says the same.
 */
export function Mark({ shape }: { shape: keyof typeof LINES }) {
  return (
    <svg class="mark" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" data-shape={shape}>
      <path class="line" d={LINES[shape]} />
    </svg>
  )
}

const LINES = {
  cited: 'M2.5 8.500 6.300 12.300 13.500 3.800',
  ignored: 'M8 3.200A4.800 4.800 0 1 1 7.990 3.200Z',
  missed: 'M4 4 12 12M12 4 4 12',
  landed: 'M2.500 8.500 6.300 12.300 13.500 3.800',
  chosen: 'M8 2.600 13.400 8 8 13.400 2.600 8Z',
  passed: 'M3 8H13M9.500 4.500 13 8 9.500 11.500',
  cut: 'M4 4 12 12M12 4 4 12',
  open: 'M8 3.200A4.800 4.800 0 1 1 7.990 3.200Z',
} satisfies Record<Ending | 'cited' | 'ignored' | 'missed', string>
