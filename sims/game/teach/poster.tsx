import { useMemo } from 'preact/hooks'
import { CopyField, linkTo } from '../debrief/copy-field.tsx'
import type { Game } from '../game.ts'
import { late } from '../texts/texts.ts'
import { qrCode } from './qr.ts'
import { Wall } from './wall.tsx'

/** How learners join a class: a QR code of the link, and the class's code with the address at which they type it. */
export function Poster({ code }: { code: string }) {
  const words = late.teach
  const link = linkTo({ screen: 'join', code })
  return (
    <div class="poster">
      <QrPicture text={link} />
      <div class="ways-in">
        <p>{words.scan}</p>
        <p>
          {words.typeAt} <bdi class="address">{`${location.host}${location.pathname}`.replace(/\/$/, '')}</bdi>
        </p>
        <p class="code">
          <span class="hidden">{words.code} </span>
          <bdi>{inGroups(code)}</bdi>
        </p>
      </div>
    </div>
  )
}

/** The learners' link to a class, with a button that copies it. */
export function JoinField({ code, game }: { code: string; game: Game }) {
  const words = late.teach
  return <CopyField label={words.joinLink} value={linkTo({ screen: 'join', code })} copy={words.copyJoin} game={game} />
}

/**
 * A button that shows the poster of a class on the wall.
 *
 * @param joined how many learners have joined; null if the page does not know
 */
export function PosterWall({ title, code, joined }: { title: string; code: string; joined: number | null }) {
  return (
    <Wall label={late.teach.wall.code} title={title}>
      {() => (
        <>
          <Poster code={code} />
          {joined !== null && <p class="joined figures">{late.teach.joined(joined)}</p>}
        </>
      )}
    </Wall>
  )
}

/** The margin that a scanner needs round a QR code, in modules. */
const MARGIN = 4

/** A QR code, dark on white in every colour scheme, because many scanners read no other. Nothing for a long text. */
function QrPicture({ text }: { text: string }) {
  const code = useMemo(() => qrCode(text), [text])
  if (code === null) return null
  const side = code.length + 2 * MARGIN
  const dark = code.map((line, row) =>
    line.map((isDark, column) => (isDark ? `M${column} ${row}h1v1h-1z` : '')).join(''),
  )
  return (
    <svg
      class="qr"
      viewBox={`${-MARGIN} ${-MARGIN} ${side} ${side}`}
      role="img"
      aria-label={late.teach.qr}
      shape-rendering="crispEdges"
    >
      <path fill="#fff" d={`M${-MARGIN} ${-MARGIN}h${side}v${side}h${-side}z`} />
      <path fill="#000" d={dark.join('')} />
    </svg>
  )
}

/** Returns a code in groups that are easy to read and type: "7K3 MQ9". */
function inGroups(code: string): string {
  return code.match(code.length % 4 === 0 ? /.{4}/g : /.{1,3}/g)?.join(' ') ?? code
}
