import { readFile } from 'node:fs/promises'
import type { Plugin } from 'esbuild'

/**
 * In the widget everything is English. In the game the page may speak another language, and what was written for a
 * simulation stays English: the widget's components mark such words by `dir="auto"`, and here they get their language with it,
 * so that a screen reader reads them as what they are. The composer is left out, since a learner may write in any.
 */
export function authoredWords(): Plugin {
  return {
    name: 'authored-words',
    setup(build) {
      build.onLoad(
        { filter: /\/widget\/components\/(paper|pivot-cards|said-line|speech-line)\.tsx$/ },
        async ({ path }) => {
          const source = await readFile(path, 'utf8')
          if (!source.includes('dir="auto"')) throw new Error(`${path} marks no words by dir="auto" any more`)
          return { contents: source.replaceAll('dir="auto"', 'dir="auto" lang="en"'), loader: 'tsx' }
        },
      )
    },
  }
}
