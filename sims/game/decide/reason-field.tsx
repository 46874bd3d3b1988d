import { useLayoutEffect, useRef } from 'preact/hooks'
import { useTold } from '../notebook/use-told.ts'
import { t } from '../texts/texts.ts'
import { LONGEST_REASON, overBy, reasonOf } from './draft.ts'

/** How near the end of the room the count is read out. */
const NEAR = 200

/** Why. It grows with what is written, counts, and cuts nothing off. */
export function ReasonField({
  reason,
  lacks,
  onInput,
}: {
  reason: string
  lacks: boolean
  onInput: (reason: string) => void
}) {
  const field = useRef<HTMLTextAreaElement>(null)
  useLayoutEffect(() => {
    const area = field.current
    if (!area || CSS.supports('field-sizing', 'content')) return
    area.style.blockSize = 'auto'
    area.style.blockSize = `${area.scrollHeight + 2}px`
  }, [reason])
  const length = reasonOf(reason).length
  const over = overBy(reason)
  const counted = over > 0 ? t.decide.over(over) : t.decide.counted(length, LONGEST_REASON)
  const told = useTold(length > LONGEST_REASON - NEAR ? counted : '')
  return (
    <div class="field reason-field">
      <label for="decide-reason">{t.decide.reason}</label>
      <p class="small" id="decide-help">
        {t.decide.reasonHelp}
      </p>
      <textarea
        id="decide-reason"
        ref={field}
        rows={4}
        dir="auto"
        value={reason}
        aria-describedby={lacks ? 'decide-help decide-no-reason' : 'decide-help decide-kept'}
        aria-invalid={lacks || over > 0 || undefined}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      {lacks && (
        <p class="lack" id="decide-no-reason" role="alert">
          {t.decide.noReason}
        </p>
      )}
      <p class="small under" id="decide-kept">
        <span class={over > 0 ? 'lack' : 'figures'}>{counted}</span>
        <span>{t.decide.kept}</span>
      </p>
      <p class="hidden" role="status">
        {told || null}
      </p>
    </div>
  )
}
