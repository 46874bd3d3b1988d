import { useEffect, useRef, useState } from 'preact/hooks'
import { NotGot, Skeleton } from '../components/missing.tsx'
import type { Game } from '../game.ts'

/** Loads the socket and the widget's components, which no other screen needs. */
const loadTalk = () => import('./mount-talk.tsx')

/**
 * Shows a conversation on a screen. The conversation's components are in a shadow root, because their styles are
 * written for a shadow root. The connection closes when the learner leaves the screen.
 */
export function TalkPlace({ game, run, npc }: { game: Game; run: string; npc: string }) {
  const host = useRef<HTMLDivElement>(null)
  const [state, setState] = useState<'loading' | 'there' | 'failed'>('loading')
  useEffect(() => {
    let leave: (() => void) | null = null
    let isHere = true
    loadTalk().then(
      ({ mountTalk }) => {
        if (!isHere || !host.current) return
        leave = mountTalk(host.current, { game, run, npc })
        setState('there')
      },
      () => isHere && setState('failed'),
    )
    return () => {
      isHere = false
      leave?.()
    }
  }, [game, run, npc])
  return (
    <>
      {state === 'loading' && <Skeleton />}
      {state === 'failed' && <NotGot waits={false} onAgain={() => location.reload()} />}
      <div class="talk-host" ref={host} data-there={state === 'there'} />
    </>
  )
}
