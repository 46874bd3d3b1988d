import { join, relative } from 'node:path'
import type { Plugin } from 'esbuild'

/**
 * Modules of the widget that the game has its own of. Each has the same exports with the same types, which
 * `sims/game/exchanged.ts` has the compiler check: its words in the reader's language, its people, the mood's word, and how a
 * conversation is asked for.
 */
export const EXCHANGED: Readonly<Record<string, string>> = {
  'widget/texts.ts': 'sims/game/texts/widget-texts.ts',
  'widget/portraits/people.ts': 'sims/game/portraits/people.ts',
  'widget/components/mood.tsx': 'sims/game/components/mood.tsx',
  'widget/session-api.ts': 'sims/game/talk/session-api.ts',
}

/** Puts them in their place, for whoever imports them from within the widget. The game itself gets what it names. */
export function exchange(root: string): Plugin {
  return {
    name: 'exchange',
    setup(build) {
      build.onResolve({ filter: /\/(texts|people|mood|session-api)\.tsx?$/ }, ({ path, importer, resolveDir }) => {
        if (!relative(root, importer).startsWith('widget/')) return undefined
        const other = EXCHANGED[relative(root, join(resolveDir, path))]
        return other === undefined ? undefined : { path: join(root, other) }
      })
    },
  }
}
