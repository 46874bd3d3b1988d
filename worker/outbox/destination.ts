const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])
const PORTS = new Set(['', '443', '8443'])
/** The last parts of host names that are not public, as in `printer.local`. */
const PRIVATE_DOMAINS = new Set([
  'localhost',
  'localdomain',
  'local',
  'internal',
  'intranet',
  'private',
  'lan',
  'home',
  'corp',
  'svc',
  'arpa',
  'test',
  'invalid',
  'onion',
])
/** Public domains in which a name may resolve to an address of a private network. */
const ADDRESS_DOMAINS = ['nip.io', 'sslip.io', 'xip.io', 'localtest.me', 'lvh.me', 'vcap.me', 'lacolhost.com']
/** The first parts of names of metadata hosts, which give a machine's credentials to any program on it. */
const METADATA_HOSTS = new Set(['metadata', 'instance-data'])

/**
 * Returns the problem with an address for webhooks ([outbox-13]); null if the address is allowed. `URL.parse` turns
 * every spelling of an IPv4 address (decimal, octal, hexadecimal, full-width) into dotted decimals, so one check covers
 * all spellings. Host names are not resolved, so a public name may still lead to a private address. Cloudflare refuses
 * to connect to a private address; a self-hosted worker does not.
 *
 * @param isInsecure allows plain http to this machine too, for development
 */
export function destinationProblem(address: string, isInsecure: boolean): string | null {
  const url = URL.parse(address)
  if (url === null) return 'must be an https address'
  if (url.username !== '' || url.password !== '') return 'must not carry a user or a password'
  if (url.hash !== '') return 'must not have a fragment'
  if (url.protocol === 'http:' && LOOPBACK.has(url.hostname)) {
    return isInsecure ? null : 'must be an https address; WALKON_WEBHOOK_INSECURE=true allows http to this machine'
  }
  if (url.protocol !== 'https:') return 'must be an https address'
  if (!PORTS.has(url.port)) return 'must use port 443 or 8443'
  return hostProblem(url.hostname)
}

function hostProblem(hostname: string): string | null {
  const host = hostname.replace(/\.+$/, '')
  if (host.startsWith('[') || /^[\d.]+$/.test(host)) return 'must name a host, not an IP address'
  const labels = host.split('.')
  const isPrivate =
    labels.length < 2 ||
    labels.includes('') ||
    METADATA_HOSTS.has(labels[0] ?? '') ||
    PRIVATE_DOMAINS.has(labels.at(-1) ?? '') ||
    ADDRESS_DOMAINS.some((domain) => host === domain || host.endsWith(`.${domain}`))
  return isPrivate ? 'must not name this machine or a host of a private network' : null
}
