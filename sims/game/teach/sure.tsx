import { useId, useRef } from 'preact/hooks'
import { late } from '../texts/texts.ts'

interface SureProps {
  readonly label: string
  /** The button's full name for assistive technology, if `label` is too short to stand alone. */
  readonly name?: string
  readonly title: string
  readonly says: string
  readonly yes: string
  readonly waits: boolean
  readonly onYes: () => void
}

/** A button for a change that can't be undone. A dialog says what the change does, and asks whether to make it. */
export function Sure({ label, name, title, says, yes, waits, onYes }: SureProps) {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const close = () => dialog.current?.close()
  return (
    <>
      <button
        class="bare"
        type="button"
        aria-label={name}
        aria-disabled={waits}
        onClick={() => waits || dialog.current?.showModal()}
      >
        {label}
      </button>
      <dialog ref={dialog} class="sure-dialog" aria-labelledby={`${id}t`} aria-describedby={`${id}s`}>
        <div>
          <h2 id={`${id}t`} dir="auto">
            {title}
          </h2>
          <p id={`${id}s`}>{says}</p>
          <div class="tools">
            <button
              class="button"
              type="button"
              onClick={() => {
                close()
                onYes()
              }}
            >
              {yes}
            </button>
            <button class="bare" type="button" onClick={close}>
              {late.teach.notSure}
            </button>
          </div>
        </div>
      </dialog>
    </>
  )
}
