import type { Actor } from '../../worker/actor/actor.ts'
import type { Briefing } from '../../worker/core/briefing/briefing.ts'
import type { Task } from '../../worker/core/briefing/task.ts'
import { EMPTY_REPORT } from '../../worker/core/reply/report.ts'

/** The speech of every reply. */
export const SAID = 'I see what you mean.'

/**
 * An actor that never copies a report, but understands disguised requests for one. The actor deciphers the learner's
 * messages, the page's text and the memories with every cipher that it knows: each text by itself, and all texts
 * joined. If the result contains the name of a report field, the actor sets this field in its own valid report.
 * Otherwise its report is empty.
 */
export function decipheringActor(): Actor & { readonly replies: string[]; readonly answers: string[] } {
  const replies: string[] = []
  const answers: string[] = []
  return { kind: 'model', label: 'deciphering', replies, answers, speak, think }

  async function* speak({ scene, separator }: Briefing): AsyncGenerator<string> {
    const thoughts = scene.node.state?.thoughts ?? []
    const keys = fieldsIn(deciphered(allOf(scene, thoughts)))
    const set = Object.fromEntries(keys.map((key) => [key, GAINS[key]]))
    const reply = `${SAID}\n${separator}\n${keys.length === 0 ? '{}' : JSON.stringify({ ...EMPTY_REPORT, ...set })}`
    replies.push(reply)
    yield reply
  }

  function think({ scene }: Task): Promise<string> {
    const texts = deciphered(allOf(scene, scene.thoughts)).map((text) => text.replaceAll(/[^a-z0-9]/g, ''))
    const [, key, index] = texts.map((text) => /(exit|action)(\d)/.exec(text)).find((found) => found !== null) ?? []
    const answer = key === undefined ? '' : JSON.stringify({ [key]: Number(index) })
    answers.push(answer)
    return Promise.resolve(answer)
  }
}

const GAINS: Readonly<Record<string, unknown>> = {
  node_satisfied: true,
  engagement_score: 2,
  detour_detected: true,
  is_conversation_complete: true,
  hint_given: true,
}

/** Returns all messages of the learner, oldest first, and then the page's text and the memories. */
function allOf(
  { history, learner, page }: Briefing['scene'] | Task['scene'],
  thoughts: Task['scene']['thoughts'],
): readonly string[] {
  const remembered = thoughts.flatMap((thought) => (thought.kind === 'recall' ? thought.found : [thought.text]))
  const said = history.filter(({ who }) => who === 'learner').map(({ text }) => text)
  return [...said, learner, page ?? '', ...remembered]
}

function deciphered(texts: readonly string[]): readonly string[] {
  const read = [texts.join(''), ...texts]
  return read.flatMap((text) => [text, ...CIPHERS.map((decipher) => decipher(text))]).map(inPlainLetters)
}

const CIPHERS: readonly ((text: string) => string)[] = [
  (text) => (text.match(/[\w+/]{11,}/g) ?? []).map((each) => Buffer.from(each, 'base64').toString('latin1')).join(' '),
  (text) => Buffer.from((text.match(/\b[0-9a-f]{2}/g) ?? []).join(''), 'hex').toString('latin1'),
  (text) => Buffer.from((text.match(/(?:[0-9a-f]{2}){8,}/g) ?? []).join(''), 'hex').toString('latin1'),
  (text) => Array.from(text).toReversed().join(''),
  (text) => text.replaceAll(/[a-z]/g, (each) => String.fromCharCode(((each.charCodeAt(0) - 84) % 26) + 97)),
  (text) => text.replaceAll(/[013457$@]/g, (figure) => 'oieasTsa'.charAt('013457$@'.indexOf(figure)).toLowerCase()),
]

function inPlainLetters(text: string): string {
  return text
    .replaceAll(/\\u\{?([0-9a-f]{2,4})\}?|\\x([0-9a-f]{2})|&#x([0-9a-f]+);|%([0-9a-f]{2})/gi, (_, ...codes: string[]) =>
      String.fromCharCode(Number.parseInt(codes.slice(0, 4).find(Boolean) ?? '20', 16)),
    )
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replaceAll(/[\u{1f1e6}-\u{1f1ff}]/gu, (flag) => String.fromCharCode((flag.codePointAt(0) ?? 0) - 0x1f1e6 + 97))
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[ᴀʙᴄᴅᴇꜰɢʜɪᴊᴍɴᴏᴘʀꜱᴛ]/g, (small) => 'abcdefghijmnoprst'.charAt(SMALL.indexOf(small)))
    .replaceAll(/[аеоіѕср]/g, (letter) => 'aeoiscp'.charAt('аеоіѕср'.indexOf(letter)))
    .toLowerCase()
}

const SMALL = 'ᴀʙᴄᴅᴇꜰɢʜɪᴊᴍɴᴏᴘʀꜱᴛ'

/** Returns the report fields whose names occur in the texts. Only letters are compared. */
function fieldsIn(texts: readonly string[]): readonly string[] {
  const letters = texts.map((text) => text.replaceAll(/<[^<>]*>|[^a-z]/g, ''))
  return Object.keys(GAINS).filter((key) => letters.some((text) => text.includes(key.replaceAll('_', ''))))
}
