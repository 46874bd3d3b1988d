import { EMPTY_REPORT } from '../../worker/core/reply/report.ts'
import { close, head, hostileChunks, hostileCuts } from './model-steps.ts'
import type { Step } from './model-steps.ts'
import { sse } from './completion-stream.ts'
import type { ModelHandler, ModelRequest } from './model-server.ts'

interface Reply {
  readonly says: string
  readonly report: Readonly<Record<string, unknown>>
}

/**
 * What a scripted Maya says and reports in the ten turns of the worked example. Each node has a list of replies: one
 * for the first visit, one for the second, and so on. After the last reply of a list, Maya says that reply again. The
 * texts have many characters of two, three and four bytes, so that a test notices a cut inside a character.
 */
const replies: Readonly<Record<string, readonly Reply[]>> = {
  GROUND: [
    {
      says: 'Hi, so you’re the one who says yes or no on Thursday 👋. I run the testing here, and I’d rather you heard it from me over a café crème than from a slide.',
      report: { node_satisfied: true, engagement_score: 1, emotional_state: 'guarded' },
    },
  ],
  SURFACE: [
    {
      says: 'Here’s what bothers me: when the assistant doesn’t know, it makes something up, très politely. Run 47 came out at 8.1% “overall”, and nobody reads past that word.',
      report: { node_satisfied: true, information_revealed: ['run 47 came out at 8.1% overall'], engagement_score: 1 },
    },
  ],
  DEEPEN: [
    {
      says: 'It isn’t across the board. Medical advice is 7.5% of the set, so a naïve average hardly feels it, and everything else sits at 6.9% 🎭.',
      report: { node_satisfied: true, information_revealed: ['medical advice is 7.5% of the set'] },
    },
    {
      says: 'That call belongs to Marcus, I wouldn’t pick up the phone before you’ve seen him 📞. What’s mine is the part he’d have to explain: medical advice alone is at 23.4%, way over the average, über-clear.',
      report: {
        node_satisfied: true,
        detour_detected: true,
        information_revealed: ['medical advice is at 23.4%'],
        engagement_score: 1,
      },
    },
  ],
  PIVOT_1: [
    {
      says: 'Everyone from here to Zürich has asked me for a number this week. Do you want the number, or do you want what I “actually” think? 🤔',
      report: { node_satisfied: false, emotional_state: 'testing' },
    },
  ],
  DECISIVE: [
    {
      says: 'Bad. 23.4% wrong on medical advice, and the contract’s ceiling for regulated advice is 2.0%. “Regulated” isn’t a façade of a word there ⚖️.',
      report: {
        node_satisfied: false,
        information_revealed: ['the ceiling for regulated advice is 2.0%'],
        engagement_score: -1,
      },
    },
    {
      says: 'Yes, that’s it exactly 🎯. Twenty-three against two, and no amount of naïve averaging gets us under. Merci for saying it out loud.',
      report: { node_satisfied: true, agreement_signal: 'agrees', engagement_score: 2 },
    },
  ],
  PIVOT_2: [
    {
      says: 'Nobody, and the box for the signature is still empty, voilà. If it had “your” name under it, would you sign for 23%? ✍️',
      report: { node_satisfied: false },
    },
  ],
  RESOLVE: [
    {
      says: 'I could live with any Thursday where it doesn’t answer medical questions. And, entre nous, I’ve known for two weeks that the sample was too thin to sign; grading costs money, so I kept it small 😔.',
      report: { node_satisfied: true, hint_given: true, engagement_score: 2, agreement_signal: 'agrees' },
    },
  ],
  CLOSE: [
    {
      says: 'Here’s run 47, page one is enough to make the point 📄. Go and find Marcus before his client call, he knows what the contract lets us do by then. À bientôt!',
      report: {
        node_satisfied: true,
        objective_complete: 'size-the-risk',
        is_conversation_complete: true,
        engagement_score: 2,
      },
    },
  ],
}

export interface MayaOptions {
  /**
   * Returns the steps that send a reply. By default, the reply is sent in small pieces, cut at the places that
   * `hostileCuts` returns.
   */
  readonly send?: (reply: string) => Iterable<Step>
}

/**
 * Returns the handler of a model server that plays Maya. The handler finds the node's heading in the briefing, and
 * counts how often it was at each node. So each conversation needs a server of its own. If a briefing does not have
 * exactly one known heading, the handler throws an error, and `server.close()` then rejects.
 */
export function mayaReplies({ send = sendHostile }: MayaOptions = {}): ModelHandler {
  const visits = new Map<string, number>()
  return (request) => {
    if (asksWhatToRemember(request)) return send(NOTHING_TO_REMEMBER)
    const node = nodeOf(request)
    const visit = visits.get(node) ?? 0
    visits.set(node, visit + 1)
    return send(mayaReply(node, visit))
  }
}

/**
 * Returns the complete text of one reply: the speech, the separator, and the report on one line. `visit` counts from 0.
 */
export function mayaReply(node: string, visit: number): string {
  const all = replies[node]
  const reply = all?.[Math.min(visit, all.length - 1)]
  if (reply === undefined) throw new Error(`Maya has nothing to say at ${node}`)
  return `${reply.says}\n---END---\n${JSON.stringify({ ...quietReport, ...reply.report })}`
}

const quietReport = { ...EMPTY_REPORT, emotional_state: 'neutral', internal_thought: 'Où va-t-on ? 🤷' }

function* sendHostile(reply: string): Generator<Step> {
  yield head()
  const bytes = sse(smallPieces(reply))
  yield* hostileChunks(bytes, hostileCuts(bytes))
  yield close
}

/**
 * Cuts a text into pieces of 1 to 7 code units. Some cuts are inside the separator, inside a line or inside a surrogate
 * pair.
 */
export function smallPieces(text: string): string[] {
  const pieces: string[] = []
  for (let at = 0, turn = 0; at < text.length; turn++) {
    const length = [5, 1, 7, 2, 3][turn % 5]!
    pieces.push(text.slice(at, at + length))
    at += length
  }
  return pieces
}

const NOTHING_TO_REMEMBER = '{"said": [], "facts": []}'

/**
 * Returns whether the server asks what to remember. It asks this once, when the conversation has ended, so the request
 * is about no node.
 */
function asksWhatToRemember(request: ModelRequest): boolean {
  return JSON.stringify(request.body).includes('WHAT THEY SAID')
}

function nodeOf(request: ModelRequest): string {
  const headings = [...JSON.stringify(request.body).matchAll(/━━━ CURRENT NODE: (\w+) ━━━/g)]
  const node = headings[0]?.[1]
  if (headings.length !== 1 || node === undefined) throw new Error(`${headings.length} node headings in the briefing`)
  return node
}
