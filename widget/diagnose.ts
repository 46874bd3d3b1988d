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
  const launchers = [...document.querySelectorAll<HTMLElement>('walkon-chat')]
  const findings = [
    {
      isWrong: launchers.length === 0,
      text: launchers.length
        ? `${launchers.length} launchers on this page`
        : 'no launcher on this page: add a tag with data-scenario and data-npc, or call Walkon.add',
    },
    ...launchers.map(placeOf),
    ...(await Promise.all(
      ['widget.js', 'markdown.js', 'menu.js', 'polling.js'].map(async (file) => fileAt(new URL(file, src))),
    )),
    await serviceAt(origin),
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
      isWrong: !('showPopover' in HTMLElement.prototype && CSS.supports('color', 'light-dark(red, blue)')),
      text: 'the browser must be of 2024 or later',
    },
  ]
  for (const { isWrong, text } of findings)
    console[isWrong ? 'error' : 'info'](`Walkon: ${isWrong ? '✗' : '✓'} ${text}`)
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

async function serviceAt(origin: string): Promise<Finding> {
  try {
    const response = await fetch(`${origin}/api/sessions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      // A request with a scenario that does not exist begins nothing.
      body: JSON.stringify({ scenario: '-' }),
      credentials: 'omit',
    })
    if (response.status !== 403) return { isWrong: false, text: `${origin} lets this page begin conversations` }
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
