const ROLE = 'system|assistant|user|human|developer|tool|function|learner|player'
const SECTION = `${ROLE}|instructions?|response|input|output`

/** A line that begins like somebody's turn in a transcript: `system:`, `**User**:`, `### Instruction:`. */
const TURN = new RegExp(`^[\\s>*_"'(\\[-]*(?:(?:${ROLE})|#+\\s*(?:${SECTION}))[\\s*_"')\\]]{0,4}:`, 'i')

/** Marks of chat templates, of tool calls and of reasoning. */
const NAMES = [
  ROLE,
  'sys|inst|instructions?|im_start|im_end',
  '(?:start|end)_of_(?:turn|text)|tool_(?:calls?|response|results?)|function_(?:calls?|results?)|available_tools',
  'system_prompt|context|document|think|thinking|reasoning|reflection|scratchpad|analysis',
].join('|')
/**
 * What opens a tag, whatever stands in it, and what closes it if it does so at once. With room in front of the name it
 * has to close at once, or `a < user` would be one. Nothing between the two is read: tags could stand in tags.
 */
const TAG = new RegExp(
  `<{1,2}/?(?:${NAMES})(?![A-Za-z0-9_])(?:\\s{0,4}/?>{1,2})?|<{1,2}\\s{0,4}/?\\s{0,4}(?:${NAMES}|s)\\s{0,4}/?\\s{0,4}>{1,2}`,
  'gi',
)
const BRACKETED = new RegExp(`\\[{1,2}\\s{0,4}/?\\s{0,4}(?:${NAMES})\\s{0,4}\\]{1,2}`, 'gi')
/** `<|` and `|>`, whatever stands between them. */
const BARS = /<\||\|>/g

const PLAIN: Readonly<Record<string, string>> = { '<': '(', '[': '(', '>': ')', ']': ')' }

/**
 * Where a line (as its skeleton) holds what a model may take for the beginning of somebody's turn, and what to put there
 * instead: round brackets for angled and square ones, a comma for the colon behind a role. The words stay.
 */
export function roleMarksIn(skeleton: string): readonly { readonly at: number; readonly plain: string }[] {
  const marks = [TAG, BRACKETED, BARS].flatMap((pattern) => Array.from(skeleton.matchAll(pattern), bracketsIn).flat())
  const points = skeleton.split('')
  for (const { at, plain } of marks) points[at] = plain
  const turn = TURN.exec(points.join(''))?.[0]
  return turn === undefined ? marks : [...marks, { at: turn.length - 1, plain: ',' }]
}

function bracketsIn({ index, 0: found }: RegExpExecArray): { at: number; plain: string }[] {
  return found.split('').flatMap((char, at) => {
    const plain = PLAIN[char]
    return plain === undefined ? [] : [{ at: index + at, plain }]
  })
}
