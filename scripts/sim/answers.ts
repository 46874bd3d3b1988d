import { createInterface } from 'node:readline/promises'

/** What somebody types, or what a script of answers holds, a line at a time. */
export interface Answers {
  /** The next line, trimmed; null at the end of them. A script's lines are shown, as if they had been typed. */
  ask(prompt: string): Promise<string | null>
  close(): void
}

/** Reads the terminal, or what is piped in. Ctrl-C ends everything, with nothing said about it. */
export function readAnswers(input: NodeJS.ReadStream, write: (text: string) => void): Answers {
  const isTerminal = input.isTTY === true
  const lines = createInterface({ input, output: isTerminal ? process.stdout : undefined })
  const next = lines[Symbol.asyncIterator]()
  const leave = () => {
    write('\n')
    process.exit(0)
  }
  lines.on('SIGINT', leave)
  process.on('SIGINT', leave)
  return {
    ask: async (prompt) => {
      if (isTerminal) {
        lines.setPrompt(prompt)
        lines.prompt()
      } else write(prompt)
      const { value, done } = await next.next()
      if (done === true) return null
      const line = value.trim()
      if (!isTerminal) write(`${line}\n`)
      return line
    },
    close: () => lines.close(),
  }
}
