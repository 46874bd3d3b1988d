import { useEffect, useRef, useState } from 'preact/hooks'
import { NotGot, Skeleton } from '../components/missing.tsx'
import type { Game } from '../game.ts'

/** The socket and the widget's components, which nothing else on the page needs. */
const loadTalk = () => import('./mount-talk.tsx')

/**
 * The place of a conversation on a screen. Its components live in a shadow root, as they do on any website: their styles are made for
 * that, and so nothing of this page can bend them. The line is closed when the learner goes elsewhere.
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
