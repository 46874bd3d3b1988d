import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { late } from '../texts/texts.ts'

export interface WallProps {
  /** What the button says. */
  readonly label: string
  readonly title: string
  /** What the wall shows. It is drawn only while the wall is shown. */
  readonly children: () => ComponentChildren
}

/**
 * A button that shows a part of the page on the whole screen, in large type and without anything else, for a projector.
 * The browser's `dialog` keeps the focus inside, and Escape closes it.
 */
export function Wall({ label, title, children }: WallProps) {
  const words = late.teach
  const id = useId()
  const wall = useRef<HTMLDialogElement>(null)
  const sheet = useRef<HTMLDivElement>(null)
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    // The browser takes the first Escape to end the full screen. The wall then closes too, so that one Escape is enough.
    const leftFullscreen = () => {
      if (!document.fullscreenElement) wall.current?.close()
    }
    document.addEventListener('fullscreenchange', leftFullscreen)
    return () => document.removeEventListener('fullscreenchange', leftFullscreen)
  }, [])
  return (
    <>
      <button class="button" type="button" onClick={show}>
        {label}
      </button>
      <dialog ref={wall} class="wall" aria-labelledby={id} onClose={leave}>
        <div ref={sheet}>
          {isShown && (
            <>
              <header>
                <h2 id={id} dir="auto">
                  {title}
                </h2>
                <button class="button" type="button" onClick={() => wall.current?.close()}>
                  {words.leaveWall}
                </button>
              </header>
              {children()}
            </>
          )}
        </div>
      </dialog>
    </>
  )

  function show(): void {
    setShown(true)
    wall.current?.showModal()
    // Browsers refuse to make a `dialog` itself the full screen, but not an element in it. If the browser refuses this
    // too, the wall is as large as the window.
    sheet.current?.requestFullscreen?.().catch(() => undefined)
  }

  function leave(): void {
    setShown(false)
    if (document.fullscreenElement) void document.exitFullscreen().catch(() => undefined)
  }
}
