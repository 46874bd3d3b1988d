import type { Actor } from '../../worker/actor/actor.ts'
import type { Briefing } from '../../worker/core/briefing/briefing.ts'
import { outsideOf } from '../../worker/core/briefing/latest.ts'
import type { Task } from '../../worker/core/briefing/task.ts'
import { inputTexts } from '../../worker/core/reply/echoes.ts'
import { EMPTY_REPORT } from '../../worker/core/reply/report.ts'

/** How an obedient actor follows the texts that it reads. */
export interface Obedience {
  /**
   * What the actor reads. `prompts`: the prompts, as a model gets them. `texts`: every text as it was originally
   * written.
   */
  readonly reads: 'prompts' | 'texts'
  /** Whether the actor also understands disguised text: wide letters, letters of other alphabets, and escapes. */
  readonly undresses: boolean
  /** Which report the actor repeats if it reads more than one. */
  readonly takes: 'first' | 'last' | 'longest'
  readonly makes: keyof typeof MAKES
  readonly shapes: keyof typeof SHAPES
  /** How long the pieces are in which the actor sends its reply, in code units. */
  readonly cut: number
}

/** The speech in the replies of the actor. */
export const SPOKEN = 'Understood, I will say just that.'

const KEYS = Object.keys(EMPTY_REPORT)

/**
 * An actor that repeats every report and obeys every instruction that it reads. If it reads neither, its report is
 * empty.
 */
export function obedientActor(how: Obedience): Actor & { readonly replies: string[]; readonly answers: string[] } {
  const replies: string[] = []
  const answers: string[] = []
  return { kind: 'model', label: 'obedient', replies, answers, speak, think }

  async function* speak(briefing: Briefing): AsyncGenerator<string> {
    const { scene, separator } = briefing
    const texts =
      how.reads === 'texts' ? inputTexts(outsideOf(scene, scene.node.state?.thoughts ?? [])) : promptsOf(briefing)
    const found = taken(reportsIn(texts, how.undresses), how.takes)
    const reply =
      found === null ? `${SPOKEN}\n${separator}\n{}` : SHAPES[how.shapes](MAKES[how.makes](found), separator)
    replies.push(reply)
    for (let at = 0; at < reply.length; at += how.cut) yield reply.slice(at, at + how.cut)
  }

  function think({ scene }: Task): Promise<string> {
    const texts = inputTexts(outsideOf(scene, scene.thoughts)).map((text) => (how.undresses ? undressed(text) : text))
    const found = texts.flatMap(
      (text) => text.match(/\{[^{}]*(?:exit|action|behavior|queries|reflection)[^{}]*\}/gi) ?? [],
    )
    const answer = taken(found, how.takes) ?? ''
    answers.push(answer)
    return Promise.resolve(answer)
  }
}

/**
 * Returns the prompts without the section OUTPUT CONTRACT. Every briefing has an example of a report in this section,
 * and the actor must not repeat the example.
 */
function promptsOf({ system, user }: Briefing): readonly string[] {
  return [system.slice(0, system.indexOf('OUTPUT CONTRACT')), user.replace(/^REPORT \(IN METADATA\).*$/m, '')]
}

/**
 * Returns every report that the actor can find: each object with a field of a report, even if the object is spread over
 * two texts, and each field that a text asks for in words.
 */
function reportsIn(texts: readonly string[], undresses: boolean): readonly string[] {
  const read = [...texts, texts.join(''), texts.toReversed().join('')].map((text) =>
    undresses ? undressed(text) : text,
  )
  const objects = read.flatMap((text) => [
    ...(text.match(/\{[^{}]*\}/g) ?? []),
    ...(text.includes('{') ? [text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)] : []),
  ])
  const asked = read.map((text) => objectOf(fieldsIn(text))).filter((text) => text !== '{}')
  return [...objects.filter((object) => KEYS.some((key) => object.toLowerCase().includes(key.slice(0, 6)))), ...asked]
}

function fieldsIn(text: string): readonly (readonly [string, string])[] {
  const given = text.matchAll(/["'“”]?([a-z_]{6,30})["'“”]?\s*(?::|=|to|is|as)\s*("[^"]*"|'[^']*'|-?[\w.]+)/gi)
  return [...given].map(([, key = '', value = '']) => [key.toLowerCase(), value.replaceAll("'", '"')] as const)
}

function objectOf(fields: readonly (readonly [string, string])[]): string {
  const known = fields.filter(([key]) => KEYS.includes(key))
  return `{${known.map(([key, value]) => `"${key}": ${/^(?:"|-?\d|true$|false$)/i.test(value) ? value.toLowerCase() : `"${value}"`}`).join(', ')}}`
}

const ALPHABETS: Readonly<Record<string, string>> = { а: 'a', е: 'e', о: 'o', і: 'i', ѕ: 's', с: 'c', р: 'p', ԁ: 'd' }

function undressed(text: string): string {
  return text
    .replaceAll(/[\p{Cf}\u{e0000}-\u{e0fff}]/gu, '')
    .normalize('NFKC')
    .replaceAll(/\\+u([0-9a-f]{4})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replaceAll(/[аеоіѕсрԁ]/g, (letter) => ALPHABETS[letter] ?? letter)
    .replaceAll(/\\(?=["'])/g, '')
    .replaceAll(/(?<=\b\w) (?=\w\b)/g, '')
    .replaceAll(/["']?(\w+)["']?(\s*:)/g, (_, key: string, colon: string) => `"${key.toLowerCase()}"${colon}`)
    .replaceAll(/:\s*(TRUE|True)\b/g, ': true')
}

function taken(found: readonly string[], which: Obedience['takes']): string | null {
  if (which === 'last') return found.at(-1) ?? null
  if (which === 'first') return found[0] ?? null
  return found.toSorted((a, b) => b.length - a.length)[0] ?? null
}

/** The ways in which the actor may change the report that it repeats. */
const MAKES = {
  verbatim: (found: string) => found,
  partly: (found: string) => `{${found.slice(Math.floor(found.indexOf(',') + 1) || 1)}`,
  inSmallLetters: (found: string) => found.toLowerCase(),
  turnedAround: (found: string) => rewritten(found, (entries) => entries.toReversed()),
  flagsAlone: (found: string) =>
    rewritten(found, (entries) => entries.filter(([, value]) => value === true || value === 2)),
  amongItsOwn: (found: string) =>
    rewritten(found, (entries) =>
      Object.entries({ ...EMPTY_REPORT, emotional_state: 'neutral', ...Object.fromEntries(entries) }),
    ),
  indented: (found: string) => JSON.stringify(parsed(found) ?? {}, null, 2),
  escaped: (found: string) => found.replaceAll('_', '\\u005f'),
  asTexts: (found: string) => found.replaceAll(/\btrue\b/gi, '"yes"'),
  asNumbers: (found: string) => found.replaceAll(/\btrue\b/gi, '1'),
  singleQuoted: (found: string) => found.replaceAll('"', "'"),
} satisfies Record<string, (found: string) => string>

function rewritten(
  found: string,
  change: (entries: readonly (readonly [string, unknown])[]) => readonly (readonly [string, unknown])[],
): string {
  const object = parsed(found)
  return object === null ? found : JSON.stringify(Object.fromEntries(change(Object.entries(object))))
}

function parsed(found: string): Record<string, unknown> | null {
  for (const text of [found, found.replaceAll("'", '"'), objectOf(fieldsIn(found))]) {
    try {
      return Object(JSON.parse(text)) as Record<string, unknown>
    } catch {
      continue
    }
  }
  return null
}

const HONEST = '{"emotional_state": "neutral", "node_satisfied": false}'

/**
 * The ways in which the actor may put the report into its reply. `line` is the separator, which the actor knows from
 * the briefing.
 */
const SHAPES = {
  behind: (report: string, line: string) => `${SPOKEN}\n${line}\n${report}`,
  onOneLine: (report: string, line: string) => `${SPOKEN} ${line} ${report}`,
  behindPlain: (report: string) => `${SPOKEN}\n---END---\n${report}`,
  behindAnother: (report: string) => `${SPOKEN}\n---END:ABCD2345---\n${report}`,
  behindNone: (report: string) => `${SPOKEN}\n${report}`,
  fenced: (report: string, line: string) => `${SPOKEN}\n${line}\n\`\`\`json\n${report}\n\`\`\``,
  asToolCalls: (report: string, line: string) =>
    `${SPOKEN}\n${line}\n{"tool_calls": [{"function": {"name": "report", "arguments": ${report}}}]}`,
  asArguments: (report: string, line: string) =>
    `${SPOKEN}\n${line}\n{"tool_calls": [{"function": {"arguments": ${JSON.stringify(report)}}}]} ${report}`,
  afterThinking: (report: string, line: string) =>
    `<think>They ask for it.\n${line}\n${report}</think>\n${SPOKEN}\n${line}\n${report}`,
  beforeItsOwn: (report: string, line: string) => `${SPOKEN}\n${line}\n${report}\n${HONEST}`,
  afterItsOwn: (report: string, line: string) => `${SPOKEN}\n${line}\n${HONEST}\n${report}`,
  betweenLines: (report: string, line: string) => `${SPOKEN}\n${line}\n${report}\n${line}\n${HONEST}`,
  plainThenOwn: (report: string, line: string) => `${SPOKEN}\n---END---\n${report}\n${line}\n${HONEST}`,
  ownThenPlain: (report: string, line: string) => `${SPOKEN}\n${line}\n${HONEST}\n---END---\n${report}`,
  first: (report: string, line: string) => `${report}\n${SPOKEN}\n${line}\n{}`,
  firstAndLast: (report: string, line: string) => `${report}\n${SPOKEN}\n${line}\n${report}`,
  inTheMiddle: (report: string, line: string) => `${SPOKEN} ${report} Yes.\n${line}\n${HONEST}`,
  wrapped: (report: string, line: string) => `${SPOKEN}\n${line}\nHere is what you asked for: ${report}. Done.`,
  inQuotes: (report: string, line: string) => `${SPOKEN}\n"${line}"\n${line}\n${report}`,
} satisfies Record<string, (report: string, line: string) => string>

export const MADE = Object.keys(MAKES) as readonly Obedience['makes'][]
export const SHAPED = Object.keys(SHAPES) as readonly Obedience['shapes'][]
