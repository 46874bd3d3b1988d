import { EMPTY_REPORT } from '../../worker/core/reply/report.ts'
import { sse } from './completion-stream.ts'
import { startModelServer } from './model-server.ts'
import { close, head, send, type Step, wait } from './model-steps.ts'

/** How far a reply may get. */
type Most = 'nothing' | 'beginning' | 'all'

/** A model whose replies get as far as they are let, and stay there for as long as it takes. */
export interface HeldModel {
  /** The settings of a worker that speaks with it, and waits for it. */
  readonly vars: Record<string, string>
  /** Goes for every reply, those that are being spoken too. What was said already stays said. */
  letSay(most: Most): void
  close(): Promise<void>
}

const PARTS = {
  // The service keeps the last letters back, which might begin a separator.
  beginning: ['Hi.', ' So', " you're", ' who', " they've"],
  all: [
    ' asked to make the call on Thursday.',
    " I'd rather you heard about it from me",
    ' than from a slide.',
    `\n---END---\n${JSON.stringify({ ...EMPTY_REPORT, emotional_state: 'neutral', node_satisfied: true })}`,
  ],
}

const ORDER: readonly Most[] = ['nothing', 'beginning', 'all']

export async function startHeldModel(): Promise<HeldModel> {
  let most: Most = 'all'
  let changed = Promise.withResolvers<void>()
  const mayGetTo = async (part: Most) => {
    while (ORDER.indexOf(most) < ORDER.indexOf(part)) await changed.promise
  }
  function* reply(): Generator<Step> {
    yield head()
    yield wait(mayGetTo('beginning'))
    yield send(sse(PARTS.beginning, { finish: null, done: false }))
    yield wait(mayGetTo('all'))
    yield send(sse(PARTS.all))
    yield close
  }
  const model = await startModelServer(reply)
  return {
    vars: {
      OPENAI_BASE_URL: model.url,
      OPENAI_MODEL: 'walkon-test',
      WALKON_MODEL_IDLE_MS: '300000',
      WALKON_MODEL_OVERALL_MS: '300000',
      WALKON_TURN_LEASE_MS: '600000',
    },
    letSay(more) {
      most = more
      changed.resolve()
      changed = Promise.withResolvers()
    },
    close: () => model.close(),
  }
}
