/** An icon. Every icon of the widget is a line 1.5 px wide in a box of 20 by 20. */
export function Icon({ name }: { name: keyof typeof LINES }) {
  return (
    <svg class="icon" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
      <path class="line" d={LINES[name]} />
    </svg>
  )
}

const LINES = {
  menu: 'M4 6H16M4 10H16M4 14H16',
  close: 'M5 5 15 15M15 5 5 15',
  send: 'M10 16V4M5 9 10 4 15 9',
  stop: 'M5 5H15V15H5Z',
  down: 'M10 4V16M5 11 10 16 15 11',
  tick: 'M3.5 11C5 12.5 6.5 14 7.8 15.8 10 11 13 7 17 3.8',
}
