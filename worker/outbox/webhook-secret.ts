const MOST_SECRETS = 2
/** What Standard Webhooks asks of a symmetric key. */
const BYTES = { least: 24, most: 64 }

/** Whether this is one `whsec_` secret, or two separated by white space: the new one and the one before it ([outbox-15]). */
export function areSecrets(text: string): boolean {
  const secrets = text.split(/\s+/)
  return secrets.length <= MOST_SECRETS && secrets.every(isSecret)
}

function isSecret(text: string): boolean {
  const [, base64] = /^whsec_((?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/.exec(text) ?? []
  if (base64 === undefined) return false
  const bytes = (base64.replace(/=+$/, '').length * 3) >> 2
  return bytes >= BYTES.least && bytes <= BYTES.most
}
