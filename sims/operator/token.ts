const NAME = 'walkon-operator-token'

/**
 * The token, for as long as this tab is open and no longer. It is never in the address, where it would be shared with a
 * view. Where the browser keeps nothing it is held by the page alone, until it is loaded anew.
 */
export function tokenKeeper(): {
  read(): string | null
  keep(token: string): void
  forget(): void
} {
  let held: string | null = null
  return {
    read: () => held ?? storage()?.getItem(NAME) ?? null,
    keep(token) {
      held = token
      storage()?.setItem(NAME, token)
    },
    forget() {
      held = null
      storage()?.removeItem(NAME)
    },
  }
}

/** A browser that keeps nothing throws at the mere name. */
function storage(): Storage | null {
  try {
    return sessionStorage
  } catch {
    return null
  }
}
