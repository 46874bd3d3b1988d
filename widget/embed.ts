import { makeLauncher } from './launcher.ts'
import { createWalkon } from './walkon.ts'
import type { QueuedCall, Walkon } from './walkon.ts'

declare global {
  // Until this script runs, `Walkon` is the page's own queue of calls.
  // oxlint-disable-next-line no-var -- `var` is how TypeScript declares a property of the global object
  var Walkon: Walkon | QueuedCall[] | undefined
}

start(document.currentScript)

/**
 * Runs once for every script tag on the page. The first run makes the global `Walkon` object and runs the queued calls.
 * Later runs add their launcher to that object.
 */
function start(script: Document['currentScript']): void {
  if (!(script instanceof HTMLScriptElement)) {
    console.error('Walkon: embed.js is a classic script; load it with <script src> and without type="module".')
    return
  }
  const before = globalThis.Walkon
  if (before && 'add' in before) return before.add(script)
  const walkon = createWalkon(makeLauncher)
  globalThis.Walkon = walkon
  walkon.add(script)
  if (Array.isArray(before)) walkon.push(...before)
}
