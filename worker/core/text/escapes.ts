/**
 * Characters that begin a terminal sequence without an escape: `CSI` stands for `ESC [`, and each of `STRING_OPENERS`
 * for `ESC` and one of `ESCAPED_STRING_OPENERS`. A control string ("string" for short) is a sequence that contains a
 * text, such as a window title.
 */
const CSI = '\u009b'
const STRING_OPENERS = new Set('\u0090\u0098\u009d\u009e\u009f')
const STRING_TERMINATOR = '\u009c'
/**
 * The characters that open a control string after an escape: for device control, the operating system, privacy and the
 * like.
 */
const ESCAPED_STRING_OPENERS = new Set('PX]^_')

const CANCELS = new Set('\u0018\u001a')
const LINE_BREAKS = new Set('\n\r\u000b\u000c\u0085\u2028\u2029')

/**
 * Two limits, in code points: one for a sequence's parameters, one for a control string. The stripper treats the code
 * points beyond a limit as text.
 */
const PARAMETERS = 64
const STRING = 512

/**
 * Removes terminal sequences (ECMA-48): colours and cursor moves, titles, hyperlinks. The stripper holds nothing back:
 * it drops each code point of a sequence as it arrives, so a sequence may be split over several chunks. An unterminated
 * control string ends with its line, whereas a terminal would swallow all text after it.
 *
 * @param next receives every code point that is not part of a sequence
 */
export function createEscapeStripper(next: (point: string) => void): (point: string) => void {
  let state: 'text' | 'escape' | 'parameters' | 'string' = 'text'
  let length = 0

  return (point) => {
    if (state === 'text' && point >= ' ' && point <= '~') return next(point)
    if (point === '\u001b') return enter('escape')
    if (point === CSI) return enter('parameters')
    if (STRING_OPENERS.has(point)) return enter('string')
    if (state === 'text') return next(point)
    length += 1
    const belongs =
      state === 'escape' ? inEscape(point) : state === 'parameters' ? inParameters(point) : inString(point)
    if (belongs) return
    state = 'text'
    next(point)
  }

  function enter(entered: typeof state): void {
    state = entered
    length = 0
  }

  function inEscape(point: string): boolean {
    if (point === '[') enter('parameters')
    else if (ESCAPED_STRING_OPENERS.has(point)) enter('string')
    else if (point >= '0' && point <= '~') enter('text')
    else return point >= ' ' && point <= '/' && length <= 4
    return true
  }

  function inParameters(point: string): boolean {
    if (point >= '@' && point <= '~') enter('text')
    else return point >= ' ' && point <= '?' && length <= PARAMETERS
    return true
  }

  function inString(point: string): boolean {
    if (point === '\u0007' || point === STRING_TERMINATOR || CANCELS.has(point)) enter('text')
    else return length <= STRING && !LINE_BREAKS.has(point)
    return true
  }
}
