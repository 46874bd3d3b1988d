import * as texts from '../texts.ts'

/**
 * A time as the reader's clock shows it, without the day where that of `nearby` is the same; the whole of it, to the
 * millisecond, for whoever points at it.
 */
export function MomentTime({ time, nearby }: { time: number; nearby?: number }) {
  const whole = new Date(time).toISOString()
  return (
    <time dateTime={whole} title={whole}>
      {nearby === undefined ? texts.dateTime(time) : texts.clock(time, nearby)}
    </time>
  )
}
