/**
 * A text in sentences, each as it was written, without the blanks between them. "C.4" and "8.1%" end none: what ends one is
 * a full stop before a blank and something that a sentence begins with, or the end of a line.
 */
export function sentencesOf(text: string): readonly string[] {
  return text.split(ENDS).flatMap((sentence) => {
    const said = sentence.trim()
    return said === '' ? [] : [said]
  })
}

// A blank that follows another begins no search of its own: a text of nothing but blanks would be looked at again and again.
const ENDS = /(?<=[.!?…]["'”’)*]?)\s+(?=["'“‘(¿¡*\p{Lu}\p{N}])|[\r\n]+/u
