import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Game } from '../game.ts'
import { NotGot, Skeleton } from './missing.tsx'

type ScreenType = ComponentType<{ game: Game }>

interface Later<T> {
  readonly value: T | null
  readonly failed: boolean
}

/** A screen that is loaded when somebody goes there: a still picture until then, and a button if it does not come. */
export function Later({ load, game }: { load: () => Promise<ScreenType>; game: Game }) {
  const { value: Screen, failed } = useLater(load)
  // A browser remembers that a module could not be had: only a fresh page asks again.
  if (failed) return <NotGot waits={false} onAgain={() => location.reload()} />
  return Screen ? <Screen game={game} /> : <Skeleton />
}

/** What is loaded when it is needed; at once, and without a picture between, where it has been loaded before. */
export function useLater<T>(load: () => Promise<T>): Later<T> {
  const [state, setState] = useState<Later<T>>({
    value: loaded.has(load) ? (loaded.get(load) as T) : null,
    failed: false,
  })
  useEffect(() => {
    let isHere = true
    load().then(
      (value) => {
        loaded.set(load, value)
        if (isHere) setState({ value, failed: false })
      },
      () => isHere && setState({ value: null, failed: true }),
    )
    return () => {
      isHere = false
    }
  }, [load])
  return state
}

const loaded = new Map<unknown, unknown>()
