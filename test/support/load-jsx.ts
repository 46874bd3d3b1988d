import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'
import { transformSync } from 'esbuild'

const LOADED = Symbol.for('walkon.load-jsx')

// Node removes types, and does not know JSX. Test files share a process, so this file may run many times in it.
if (!Reflect.has(globalThis, LOADED)) {
  Reflect.set(globalThis, LOADED, true)
  registerHooks({
    load(url, context, nextLoad) {
      if (!url.endsWith('.tsx')) return nextLoad(url, context)
      const file = fileURLToPath(url)
      const { code } = transformSync(readFileSync(file, 'utf8'), {
        loader: 'tsx',
        jsx: 'automatic',
        jsxImportSource: 'preact',
        sourcefile: file,
        sourcemap: 'inline',
      })
      return { format: 'module', source: code, shortCircuit: true }
    },
  })
}
