/** What is said for a learner who picks one of the openers: in the language that the colleagues speak. */
export const OPENING_LINES: readonly string[] = ["Hello. What's going on?", 'What should I know?']
