import { defineElement } from './element.ts'
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
 * Runs once for every script tag on the page. The first run makes the global `Walkon` object, defines `<walkon-chat>`
 * and runs the queued calls. Later runs add their launcher to that object.
 */
function start(script: Document['currentScript']): void {
  if (!(script instanceof HTMLScriptElement && script.src))
    return console.error('Walkon: embed.js needs a plain <script src>.')
  const before: unknown = globalThis.Walkon
  let walkon = before as Walkon
  const add = () => script.dataset.launcher !== 'manual' && walkon.add(script)
  if ((before as Partial<Walkon> | undefined)?.diagnose) return void add()
  walkon = createWalkon(makeLauncher, script.src)
  const isQueue = Array.isArray(before)
  // The page may have something else of this name: an object, a set, an element with this id.
  if (!before || isQueue) globalThis.Walkon = walkon
  else console.error('Walkon: the page has another Walkon.')
  defineElement(walkon)
  add()
  if (isQueue) walkon.push(...(before as QueuedCall[]))
}
