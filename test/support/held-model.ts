import { EMPTY_REPORT } from '../../worker/core/reply/report.ts'
import { sse } from './completion-stream.ts'
import { startModelServer } from './model-server.ts'
import { close, head, send, type Step, wait } from './model-steps.ts'

type Most = 'nothing' | 'beginning' | 'all'

/**
 * A model that a test can hold back. The model sends each reply up to the part that the test allows, and goes on when
 * the test allows more.
 */
export interface HeldModel {
  /**
   * The settings of a worker that uses this model. With their long time limits, the worker does not give up while the
   * test holds the model back.
   */
  readonly vars: Record<string, string>
  /**
   * Sets how much of each reply the model may send. This also holds for replies that have begun. Text that the model
   * has already sent stays sent.
   */
  letSay(most: Most): void
  close(): Promise<void>
}

const PARTS = {
  // The server holds back the last letters of this text, because they could begin a separator.
  beginning: ['Run', ' 47', ' failed', ' and', " they've"],
  all: [
    ' asked me not to say what,',
    " and I'd rather you heard about it from me",
    ' than later.',
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
