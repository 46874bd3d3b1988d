/** An icon of the page. Every icon is a line 1.5 px wide in a box of 20 by 20, like the widget's icons. */
export function Glyph({ name }: { name: keyof typeof LINES }) {
  return (
    <svg class="icon" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true" data-turns={TURNS.has(name)}>
      <path class="line" d={LINES[name]} />
    </svg>
  )
}

const LINES = {
  back: 'M12 4 6 10 12 16',
  on: 'M8 4 14 10 8 16',
  close: 'M5 5 15 15M15 5 5 15',
  tick: 'M3.5 11C5 12.5 6.5 14 7.8 15.8 10 11 13 7 17 3.8',
  open: 'M10 4a6 6 0 1 1 0 12a6 6 0 1 1 0-12',
  missed: 'M5 10H15',
  notebook: 'M6 3H16V17H6ZM6 6.500H3.500M6 10H3.500M6 13.500H3.500M9 7H13M9 10H13',
  clock: 'M10 3.500a6.500 6.500 0 1 1 0 13a6.500 6.500 0 1 1 0-13M10 6.500V10L12.500 12',
  people:
    'M7.500 4a2.700 2.700 0 1 1 0 5.400a2.700 2.700 0 1 1 0-5.400M2.500 16C2.500 12.500 4.500 11 7.500 11 10.500 11 12.500 12.500 12.500 16M13 4.500a2.300 2.300 0 0 1 0 4.500M14.500 11.300C16.500 11.900 17.500 13.500 17.500 16',
}

/** Icons that point in a direction. The page mirrors these icons where text runs from right to left. */
const TURNS: ReadonlySet<string> = new Set(['back', 'on'])
