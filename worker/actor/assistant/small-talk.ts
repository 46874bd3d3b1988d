/** What somebody says who asks for nothing, and the line that fits it. */
const TALK: readonly (readonly [says: RegExp, line: string])[] = [
  [
    /^(?:many |no )?(?:thanks|thank you|thx|cheers|ta)(?: (?:a lot|a million|so much|very much|again|quill|all|for .{1,40}))?$/,
    "You're welcome.",
  ],
  [/^(?:hi|hello|hey|good (?:morning|afternoon|evening)|greetings)(?: (?:there|again|all|quill))?$/, ''],
  [
    /^(?:bye|goodbye|good night|see you|see you (?:later|soon)|bye bye|that's all|that is all)$/,
    'Goodbye. What was said stays here.',
  ],
  [
    /^(?:ok|okay|k|all right|alright|fine|good|great|nice|cool|perfect|lovely|i see|got it|understood|well done|wow|ah|oh|hm+)$/,
    'Good. What next?',
  ],
  [
    /^(?:how are you|how are you doing|how do you do|how is it going|what's up)(?: today)?$/,
    'All is well here, thank you. What would you like to do?',
  ],
  [/^(?:sorry|i am sorry|i'm sorry|never mind|nevermind|no problem)$/, 'No harm done.'],
  [/^(?:test|testing|are you there|anybody there|anyone there)$/, 'I am here.'],
]

/**
 * Returns a line for a message that asks for nothing: a greeting, thanks, a goodbye. Null for every other message.
 *
 * @param greeting what answers a greeting, or nothing at all
 */
export function smallTalk(message: string, greeting: string): string | null {
  const plain = message
    .toLowerCase()
    .replace(/’/g, "'")
    .replace(/[^\p{L}\p{N}' ]+/gu, ' ')
    .replace(/ +/g, ' ')
    .trim()
  if (plain === '') return greeting
  // "Ok, thanks": each part is small talk, and the last one counts.
  const parts = [plain, ...(/^(?:ok|okay|great|good|nice|perfect|hi|hello|hey) (.+)$/.exec(plain)?.slice(1) ?? [])]
  for (const part of parts) {
    const line = TALK.find(([says]) => says.test(part))?.[1]
    if (line !== undefined) return line || greeting
  }
  return null
}
