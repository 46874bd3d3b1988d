import type { TalkView } from '../../../worker/wire/run.ts'
import { late } from '../texts/texts.ts'
import { Mark } from './mark.tsx'
import { endingOf, nodeWords, reasonWords, readableStrip } from './strip.ts'
import type { StripStep } from './strip.ts'

/**
 * Shows the nodes that a conversation visited, each with the reason why the conversation left that node. The usual
 * reason is that the purpose was achieved, which is said once for all of them.
 */
export function WalkStrip({ talk, name }: { talk: Pick<TalkView, 'walk'>; name: string }) {
  const words = late.debrief
  const { steps, after } = readableStrip(talk.walk)
  if (steps.length === 0) return null
  return (
    <details class="quiet walk">
      <summary>{words.stripTitle}</summary>
      <div class="stops" aria-hidden="true">
        {steps.map((step, index) => (
          <span
            key={index}
            data-ending={endingOf(step.reason)}
            data-kind={step.kind}
            style={{ flexGrow: String(step.to - step.from + 1) }}
          />
        ))}
      </div>
      {steps.some(({ reason }) => reason === 'satisfied') && <p class="small">{words.landed}</p>}
      <ol class="steps">
        {steps.map((step, index) => (
          <Step key={index} step={step} name={name} />
        ))}
      </ol>
      {after.length > 0 && <p class="small">{words.passed(after.map(nodeWords).join(', '))}</p>}
    </details>
  )
}

function Step({ step, name }: { step: StripStep; name: string }) {
  const words = late.debrief
  const ending = endingOf(step.reason)
  return (
    <li data-ending={ending}>
      <Mark shape={ending} />
      <div>
        {step.passed.length > 0 && <p class="small">{words.passed(step.passed.map(nodeWords).join(', '))}</p>}
        <p class="stop">
          <span>{nodeWords(step.node)}</span> <span class="small">{words.turns(step.from, step.to)}</span>
        </p>
        {step.reason !== 'satisfied' && <p class="small">{reasonWords(step.reason, name)}</p>}
      </div>
    </li>
  )
}
