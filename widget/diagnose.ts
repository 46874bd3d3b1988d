/** What a check found: what is wrong and what to do, or that nothing is wrong. */
interface Finding {
  readonly isWrong: boolean
  readonly text: string
}

/**
 * Prints to the console what keeps the widget from working on this page, and the Content Security Policy that it needs.
 *
 * @param src the address of `embed.js`
 */
export async function diagnose(src: string): Promise<void> {
  const { origin } = new URL(src)
  const isNew = 'showPopover' in HTMLElement.prototype && CSS.supports('color', 'light-dark(red, blue)')
  const launchers = [...document.querySelectorAll<HTMLElement>('walkon-chat')]
  const findings = [
    {
      isWrong: launchers.length === 0,
      text: launchers.length
        ? `launchers on this page: ${launchers.length}`
        : 'no launcher on this page: add a tag with data-scenario and data-npc, or call Walkon.add',
    },
    ...launchers.map(placeOf),
    ...(await Promise.all(
      ['widget.js', 'markdown.js', 'menu.js', 'polling.js'].map(async (file) => fileAt(new URL(file, src))),
    )),
    ...(await Promise.all(conversations().map(async (wanted) => serviceAt(origin, wanted)))),
    await socketAt(origin),
    {
      isWrong: 'toJSON' in Array.prototype,
      text:
        'toJSON' in Array.prototype
          ? 'Array.prototype.toJSON breaks messages: remove it'
          : 'arrays are as they should be',
    },
    storage(),
    {
      isWrong: !isNew,
      text: isNew ? 'the browser is new enough' : 'the browser is too old: it must be of 2024 or later',
    },
  ]
  for (const { isWrong, text } of findings)
    console[isWrong ? 'error' : 'info'](`Walkon: ${isWrong ? '✗' : '✓'} ${text}`)
  console.info('Walkon: a warning about a WebSocket above comes from this check.')
  console.info(
    `Walkon: the Content Security Policy needs\n  script-src ${origin}; connect-src ${origin} ${origin.replace(/^http/, 'ws')};`,
  )
}

function placeOf(host: HTMLElement): Finding {
  const button = host.shadowRoot?.querySelector('button, .panel')
  if (!button) return { isWrong: false, text: 'a launcher without a button: open it with Walkon.open' }
  const { top, bottom, left, right } = button.getBoundingClientRect()
  const isInline = host.getAttribute('data-mode') === 'inline'
  const isOut = !isInline && (bottom < 0 || right < 0 || top > innerHeight || left > innerWidth)
  return {
    isWrong: isOut,
    text: isOut
      ? 'a launcher is outside the window: move it with --walkon-offset or data-position'
      : 'a launcher in view',
  }
}

async function fileAt(url: URL): Promise<Finding> {
  try {
    const response = await fetch(url, { method: 'HEAD', credentials: 'omit' })
    const type = response.headers.get('content-type') ?? 'no type'
    const isScript = /javascript/.test(type)
    if (response.ok && isScript) return { isWrong: false, text: `${url.href} is there` }
    const why = response.ok ? `has the type ${type}: serve it as text/javascript` : `answers ${response.status}`
    return { isWrong: true, text: `${url.href} ${why}` }
  } catch {
    return {
      isWrong: true,
      text: `${url.href} can’t be reached: allow it in connect-src, and send it with CORS headers`,
    }
  }
}

/** The scenario and the colleague that an element of the page names. */
interface Wanted {
  readonly scenario?: string
  readonly npc?: string
}

/** Returns what the tags and elements of the page want to begin; one entry without names if they name nothing. */
function conversations(): readonly Wanted[] {
  const named = [...document.querySelectorAll('script, walkon-chat')].flatMap((element): Wanted[] => {
    const read = (name: string) => element.getAttribute(`data-${name}`) ?? element.getAttribute(name)
    const [scenario, npc] = [read('scenario'), read('npc')]
    return scenario || npc ? [{ ...(scenario && { scenario }), ...(npc && { npc }) }] : []
  })
  const distinct = new Map(named.map((wanted) => [JSON.stringify(wanted), wanted]))
  return distinct.size > 0 ? [...distinct.values()] : [{}]
}

async function serviceAt(origin: string, wanted: Wanted): Promise<Finding> {
  try {
    const response = await fetch(`${origin}/api/sessions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...wanted, check: true }),
      credentials: 'omit',
    })
    const names = [wanted.scenario, wanted.npc].filter(Boolean).join(', ')
    const what = names ? `the conversation ${names}` : 'conversations'
    if (response.ok) return { isWrong: false, text: `${origin} lets this page begin ${what}` }
    if (response.status !== 403) {
      const { error } = (await response.json()) as { error?: { message?: string } }
      return { isWrong: true, text: `${origin} can’t begin ${what}: ${error?.message ?? response.status}` }
    }
  } catch {
    // A browser shows a page no refusal without CORS headers.
  }
  return {
    isWrong: true,
    text: `${origin} does not let this page begin conversations: add ${location.origin} to WALKON_ORIGINS there`,
  }
}

async function socketAt(origin: string): Promise<Finding> {
  const isBlocked = await new Promise<boolean>((tell) => {
    const refuse = ({ effectiveDirective }: SecurityPolicyViolationEvent) =>
      effectiveDirective === 'connect-src' && tell(true)
    document.addEventListener('securitypolicyviolation', refuse, { once: true })
    setTimeout(() => tell(false), 500)
    try {
      new WebSocket(`${origin.replace(/^http/, 'ws')}/socket.io/`).close()
    } catch {
      tell(true)
    }
  })
  return isBlocked
    ? { isWrong: true, text: 'the policy blocks the WebSocket, so replies come slower: add its address to connect-src' }
    : { isWrong: false, text: 'the policy allows the WebSocket' }
}

function storage(): Finding {
  try {
    localStorage.getItem('walkon')
    return { isWrong: false, text: 'the browser lets this page store the conversation' }
  } catch {
    return { isWrong: true, text: 'the browser stores nothing for this page, so a reload begins a new conversation' }
  }
}
