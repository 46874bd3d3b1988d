/** The longest nickname, in characters as a reader counts them. */
const LONGEST = 24

/** What is wrong with a nickname, by the name of the text that says so. The service cleans and counts once more. */
export function nicknameProblem(nickname: string): 'nicknameNone' | 'nicknameLong' | null {
  const count = Array.from(nickname.normalize('NFC').trim()).length
  if (count === 0) return 'nicknameNone'
  return count > LONGEST ? 'nicknameLong' : null
}
