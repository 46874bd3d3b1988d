import { describe, expect, it } from 'vitest'
import { destinationProblem } from '../../worker/outbox/destination.ts'

const GOOD = [
  'https://example.com',
  'https://example.com/hooks?key=1',
  'https://hooks.example.com:8443/a/b',
  'https://example.com:443/',
  'https://1.example.com/',
  'https://bücher.example.com/',
]

const EVIL: readonly [address: string, says: RegExp][] = [
  // No address, or not an https address
  ['', /https/],
  ['example.com/hooks', /https/],
  ['//example.com/', /https/],
  ['http://example.com/', /https/],
  ['HTTP://EXAMPLE.COM/', /https/],
  ['ftp://example.com/', /https/],
  ['file:///etc/passwd', /https/],
  ['data:text/plain,x', /https/],
  ['javascript:alert(1)', /https/],
  ['gopher://127.0.0.1:6379/_', /https/],
  ['ws://example.com/', /https/],
  ['https://', /https/],
  ['https://exa mple.com/', /https/],
  ['https://256.256.256.256/', /https/],
  ['https://1.2.3.4.5/', /https/],
  ['https://0x7f.1.2.3.4/', /https/],
  // User names and fragments in the address
  ['https://user@example.com/', /user/],
  ['https://user:word@example.com/', /user/],
  ['https://:word@example.com/', /user/],
  ['https://example.com@127.0.0.1/', /user/],
  ['https://127.0.0.1:443@example.com/', /user/],
  ['https://example.com#@evil.example.com/', /fragment/],
  ['https://example.com/#part', /fragment/],
  // Ports
  ['https://example.com:80/', /port/],
  ['https://example.com:22/', /port/],
  ['https://example.com:6379/', /port/],
  ['https://example.com:65535/', /port/],
  // IPv4 addresses in every spelling
  ['https://127.0.0.1/', /IP address/],
  ['https://127.0.0.1./', /IP address/],
  ['https://127.1/', /IP address/],
  ['https://127.0.1/', /IP address/],
  ['https://2130706433/', /IP address/],
  ['https://0x7f000001/', /IP address/],
  ['https://0x7f.0x0.0x0.0x1/', /IP address/],
  ['https://0177.0.0.1/', /IP address/],
  ['https://017700000001/', /IP address/],
  ['https://0177.0x0.0.1/', /IP address/],
  ['https://0/', /IP address/],
  ['https://0.0.0.0/', /IP address/],
  ['https://8.8.8.8/', /IP address/],
  ['https://10.0.0.1:8443/', /IP address/],
  ['https://169.254.169.254/latest/meta-data/', /IP address/],
  ['https://2852039166/', /IP address/],
  ['https://0xa9fea9fe/', /IP address/],
  ['https://100.100.100.200/', /IP address/],
  ['https://192.168.1.1/', /IP address/],
  ['https://１２７.０.０.１/', /IP address/],
  ['https://①②⑦.⓪.⓪.①/', /IP address/],
  ['https://127。0。0。1/', /IP address/],
  ['https://%31%32%37.0.0.1/', /IP address/],
  ['https:\\\\127.0.0.1\\', /IP address/],
  ['https:127.0.0.1', /IP address/],
  ['https:///127.0.0.1/', /IP address/],
  [' https://127.0.0.1/ ', /IP address/],
  ['https://127.0\t.0.1/', /IP address/],
  // IPv6 addresses
  ['https://[::1]/', /IP address/],
  ['https://[::]/', /IP address/],
  ['https://[0:0:0:0:0:0:0:1]/', /IP address/],
  ['https://[::ffff:127.0.0.1]/', /IP address/],
  ['https://[::ffff:7f00:1]/', /IP address/],
  ['https://[::ffff:169.254.169.254]/', /IP address/],
  ['https://[fd00:ec2::254]/', /IP address/],
  ['https://[fe80::1]/', /IP address/],
  ['https://[2606:4700::1111]/', /IP address/],
  // This machine and private networks by name
  ['https://localhost/', /private network/],
  ['https://LOCALHOST/', /private network/],
  ['https://localhost./', /private network/],
  ['https://ｌｏｃａｌｈｏｓｔ/', /private network/],
  ['https://app.localhost/', /private network/],
  ['https://localhost.localdomain/', /private network/],
  ['https://printer.local/', /private network/],
  ['https://printer.local./', /private network/],
  ['https://db.internal/', /private network/],
  ['https://metadata.google.internal/computeMetadata/v1/', /private network/],
  ['https://metadata/', /private network/],
  ['https://metadata.example.com/', /private network/],
  ['https://instance-data/', /private network/],
  ['https://instance-data.ec2.example.com/', /private network/],
  ['https://intranet/', /private network/],
  ['https://router.lan/', /private network/],
  ['https://kubernetes.default.svc/', /private network/],
  ['https://api.default.svc.cluster.local/', /private network/],
  ['https://box.home.arpa/', /private network/],
  ['https://a..example.com/', /private network/],
  // Public names of private addresses
  ['https://127.0.0.1.nip.io/', /private network/],
  ['https://7f000001.sslip.io/', /private network/],
  ['https://localtest.me/', /private network/],
  ['https://a.lvh.me/', /private network/],
]

describe('where webhooks may go', () => {
  it.each(GOOD)('[outbox-13] %s', (address) => expect(destinationProblem(address, false)).toBeNull())

  it.each(EVIL)('[outbox-13] not %s', (address, says) => {
    expect(destinationProblem(address, false)).toMatch(says)
    // In development, a few local addresses are allowed. This address is not one of them.
    expect(destinationProblem(address, true)).toMatch(says)
  })

  it.each(['http://127.0.0.1:4000/hooks', 'http://localhost:4000/', 'http://[::1]:4000/', 'http://2130706433/'])(
    '[outbox-14] %s in development alone',
    (address) => {
      expect(destinationProblem(address, true)).toBeNull()
      expect(destinationProblem(address, false)).toContain('WALKON_WEBHOOK_INSECURE')
    },
  )

  it.each(['http://127.0.0.2/', 'http://10.0.0.1/', 'http://app.localhost/', 'http://127.0.0.1@example.com/'])(
    '[outbox-14] %s not even there',
    (address) => expect(destinationProblem(address, true)).not.toBeNull(),
  )
})
