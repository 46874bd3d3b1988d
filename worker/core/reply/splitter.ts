import { createCleaner } from '../text/clean.ts'
import { THINK_TAGS, createFenceStripper, createObjectHolder, createThinkFilter, type ThinkTags } from './filters.ts'
import { createIssueLog, type ReplyIssue, type ReplyIssueKind } from './stage.ts'
import { createDivider, isSeparatorLine, SEPARATOR, separatorLabel } from './separator.ts'
import { createSpeechStages } from './speech.ts'

/** The maximum length of the text that is kept after the separator, in UTF-16 code units. */
const MAX_METADATA = 65_536

export interface ReplySplitterOptions {
  readonly thinkTags?: readonly ThinkTags[]
  /**
   * True if the model leaves out the opening tag of its reasoning. The reply then begins with reasoning, up to the
   * first closing tag of `thinkTags`.
   */
  readonly startsInThink?: boolean
  /** The separator: `---END---`, or `---END:nonce---`, whose nonce is up to 32 letters or digits. */
  readonly separator?: string
  /**
   * True if a separator without the required nonce divides the reply too. In the report after such a separator, every
   * flag is false.
   */
  readonly takesPlain?: boolean
  /** The colleague's name, which is removed from the beginning of a line. */
  readonly npcName?: string | null
  readonly stageDirections?: 'drop' | 'keep'
  /** The longest speech, in UTF-16 code units. */
  readonly maxSpeech?: number
}

export interface ReplySplitter {
  /** Takes the next chunk of the reply. Returns the speech that is certain now, possibly ''. */
  feed(chunk: string): string
  end(): ReplyEnd
}

export interface ReplyEnd {
  readonly tail: string
  /** The whole speech: everything that `feed` returned, and `tail`. */
  readonly speech: string
  /** The text of the report, not yet read, or null if there is none. */
  readonly metadata: string | null
  /** True if `metadata` followed the required separator. If not, every flag of the report is false. */
  readonly isDivided: boolean
  readonly issues: readonly ReplyIssue[]
}

/**
 * Splits a streamed reply into speech and metadata. The result does not depend on how the reply was cut into chunks,
 * and no later chunk takes back what `feed` has returned. `docs/reference/reply.md` has the rules.
 *
 * @throws TypeError if `separator` is not a separator; the splitter's methods throw an Error after `end`
 */
export function createReplySplitter({
  thinkTags = THINK_TAGS,
  startsInThink = false,
  separator = SEPARATOR,
  takesPlain = false,
  npcName = null,
  stageDirections = 'drop',
  maxSpeech = 8000,
}: ReplySplitterOptions = {}): ReplySplitter {
  const issues = createIssueLog()
  const { note } = issues
  let piece = ''
  let speech = ''
  let metadata = ''
  let isFull = false
  let isPlain = false
  let hasEnded = false

  const out = (spoken: string) => void (piece += spoken)
  const speechStages = createSpeechStages({ out, npcName, stageDirections, maxSpeech, thinkTags, note })
  const holder = createObjectHolder(speechStages, note)
  const text = createFenceStripper(holder)
  const divider = createDivider({
    label: separatorLabel(separator),
    takesPlain,
    text,
    metadata: keep,
    note: noteDivision,
  })
  const cleaner = createCleaner(createThinkFilter(divider, { tags: thinkTags, startsInThink, note }))

  return {
    feed(chunk) {
      if (hasEnded) throw new Error('This reply has ended')
      for (let at = 0; at < chunk.length; at += 1) cleaner.push(chunk.charAt(at))
      return release()
    },
    end() {
      if (hasEnded) throw new Error('This reply has ended')
      hasEnded = true
      cleaner.end()
      const tail = release()
      if (speech === '') note('speech-empty')
      return { tail, speech, ...report(), issues: issues.list() }
    },
  }

  function release(): string {
    const released = piece
    piece = ''
    speech += released
    return released
  }

  function noteDivision(kind: ReplyIssueKind): void {
    if (kind === 'separator-plain') isPlain = true
    note(kind)
  }

  function keep(point: string): void {
    if (isFull) return
    isFull = metadata.length + point.length > MAX_METADATA
    if (isFull) note('metadata-too-long')
    else metadata += point
  }

  function report(): { metadata: string | null; isDivided: boolean } {
    const divided = withoutSeparators(metadata)
    const stray = holder.report()
    if (divided.includes('{')) return { metadata: divided, isDivided: !isPlain }
    if (stray !== null) return { metadata: stray, isDivided: false }
    note('metadata-missing')
    return divided === '' ? { metadata: null, isDivided: false } : { metadata: divided, isDivided: !isPlain }
  }

  function withoutSeparators(text: string): string {
    const lines = text.split('\n')
    const kept = lines.filter((line) => !isSeparatorLine(line))
    for (let at = kept.length; at < lines.length; at += 1) note('separator-repeated')
    return kept.join('\n').trim()
  }
}
