/**
 * A sign drawn with one line, which shows whether a fact was cited, left out or never heard. A word beside the sign says
 * the same.
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
} as const
