/**
 * Whether a host name is this machine or one of a private network, where nobody from outside comes. `hostname` is as
 * `URL.hostname` writes it, which has already made one spelling of every address.
 */
export function isPrivateHost(hostname: string): boolean {
  if (hostname === 'localhost' || hostname.endsWith('.localhost') || hostname.endsWith('.local')) return true
  if (hostname.startsWith('[')) return isPrivateV6(hostname.slice(1, -1))
  const parts = /^(\d{1,3})\.(\d{1,3})\.\d{1,3}\.\d{1,3}$/.exec(hostname)
  if (parts === null) return false
  const [first, second] = [Number(parts[1]), Number(parts[2])]
  if (first === 127 || first === 10) return true
  return (first === 172 && second >= 16 && second <= 31) || (first === 192 && second === 168)
}

/** Whether an address is this machine itself, as `URL.hostname` writes it. */
export function isLoopback(hostname: string): boolean {
  return hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname)
}

/** What a proxy writes that hands on a request of somebody else. */
const FORWARDED = ['Forwarded', 'X-Forwarded-For', 'X-Forwarded-Host', 'X-Real-IP'] as const

/** Whether a request came by a proxy, which may have given it a host name of its own choice. */
export function isForwarded(headers: { has(name: string): boolean }): boolean {
  return FORWARDED.some((name) => headers.has(name))
}

function isPrivateV6(address: string): boolean {
  return address === '::1' || /^fd[0-9a-f]{2}:/.test(address)
}
