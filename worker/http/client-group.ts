import { isLoopback } from '../trust/private-host.ts'

/**
 * Whom a request counts for: a client's address, or the network of 64 bits that a client of IPv6 has to itself and can
 * change its address in. Null for this machine, which needs no holding off, and for what is no address.
 */
export function clientGroup(address: string | undefined): string | null {
  if (address === undefined) return null
  const hostname = hostnameOf(address)
  if (hostname === null || isLoopback(hostname)) return null
  if (!hostname.startsWith('[')) return hostname
  const groups = groupsOf(hostname.slice(1, -1))
  const isMapped = groups.slice(0, 5).every((group) => group === '0') && groups[5] === 'ffff'
  return isMapped ? groups.slice(6).join(':') : `${groups.slice(0, 4).join(':')}::/64`
}

/** One spelling of an address, as `URL` has it, in brackets for IPv6. */
function hostnameOf(address: string): string | null {
  if (!/^[0-9a-f.:]{2,45}$/i.test(address)) return null
  return URL.parse(`http://${address.includes(':') ? `[${address}]` : address}/`)?.hostname ?? null
}

/** The eight groups of an address that may leave some of them out. */
function groupsOf(address: string): string[] {
  const [head = '', tail] = address.split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const left = tail === undefined ? 0 : 8 - before.length - after.length
  return [...before, ...Array.from({ length: left }, () => '0'), ...after]
}
