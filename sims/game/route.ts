/**
 * The screen that the learner is on. It is written after the `#` of the address, which browsers never send to a server.
 */
export type Route =
  /** A link may name the `simulation` that the learner is sent to. */
  | { readonly screen: 'library'; readonly simulation?: string }
  /** A class's link, with the class's code. */
  | { readonly screen: 'join'; readonly code: string }
  /** A run's link, with the run's key. The link opens the run on any device. */
  | { readonly screen: 'link'; readonly key: string }
  | { readonly screen: 'briefing' | 'desk' | 'debrief'; readonly run: string }
  /**
   * The notebook. If the route has a `document` (a colleague's id) or a `fact`, the notebook opens that document or
   * shows that fact.
   */
  | { readonly screen: 'notebook'; readonly run: string; readonly document?: string; readonly fact?: string }
  /** `look`: whether the screen shows the whole decision once more (the "last look") before it is sent. */
  | { readonly screen: 'decide'; readonly run: string; readonly look?: true }
  | { readonly screen: 'talk'; readonly run: string; readonly npc: string }
  | { readonly screen: 'result'; readonly result: string }
  | { readonly screen: 'teach' }
  /** A teacher's secret link to a class, with the secret key. */
  | { readonly screen: 'class'; readonly key: string }

type RunScreen = Extract<Route, { readonly run: string }>['screen']

const RUN_SCREENS: readonly string[] = ['briefing', 'desk', 'notebook', 'decide', 'debrief'] satisfies RunScreen[]

/** Reads the route from the part of an address after `#`. An address that names no screen leads to the library. */
export function readRoute(hash: string): Route {
  const [first = '', second = '', third = 'desk', fourth = '', fifth = ''] = hash.replace(/^#?\/?/, '').split('/')
  switch (first) {
    case 'play':
      return second === '' ? LIBRARY : { screen: 'library', simulation: second }
    case 'join':
      return second === '' ? LIBRARY : { screen: 'join', code: second }
    case 'link':
      return second === '' ? LIBRARY : { screen: 'link', key: second }
    case 'result':
      return second === '' ? LIBRARY : { screen: 'result', result: second }
    case 'class':
      return second === '' ? LIBRARY : { screen: 'class', key: second }
    case 'teach':
      return { screen: 'teach' }
    case 'run':
      return runRoute(second, third, fourth, fifth)
    default:
      return LIBRARY
  }
}

/** Returns the address of a screen, for the `href` of links. */
export function hrefOf(route: Route): string {
  switch (route.screen) {
    case 'library':
      return route.simulation === undefined ? '#/' : `#/play/${route.simulation}`
    case 'teach':
      return '#/teach'
    case 'join':
      return `#/join/${route.code}`
    case 'link':
    case 'class':
      return `#/${route.screen}/${route.key}`
    case 'result':
      return `#/result/${route.result}`
    case 'talk':
      return `#/run/${route.run}/talk/${route.npc}`
    case 'notebook':
      return `#/run/${route.run}/notebook${placeIn(route)}`
    case 'decide':
      return `#/run/${route.run}/decide${route.look ? '/look' : ''}`
    default:
      return `#/run/${route.run}/${route.screen}`
  }
}

const LIBRARY: Route = { screen: 'library' }

function placeIn({ document, fact }: { readonly document?: string; readonly fact?: string }): string {
  if (document !== undefined) return `/document/${document}`
  return fact === undefined ? '' : `/fact/${fact}`
}

function runRoute(run: string, screen: string, npc: string, further: string): Route {
  if (!/^ctx_[\w-]{1,64}$/.test(run)) return LIBRARY
  if (screen === 'talk') return npc === '' ? { screen: 'desk', run } : { screen: 'talk', run, npc }
  if (screen === 'notebook' && further !== '') {
    if (npc === 'document') return { screen, run, document: further }
    if (npc === 'fact') return { screen, run, fact: further }
  }
  if (screen === 'decide' && npc === 'look') return { screen, run, look: true }
  return { screen: isRunScreen(screen) ? screen : 'desk', run }
}

function isRunScreen(screen: string): screen is Exclude<RunScreen, 'talk'> {
  return RUN_SCREENS.includes(screen)
}

/**
 * Makes a handler that follows a click on a link within the page. A click with a modifier key still opens a new tab or
 * window.
 */
export function followLink(go: () => void): (event: MouseEvent) => void {
  return (event) => {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    go()
  }
}
