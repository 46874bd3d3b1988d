import { argsForThisUser } from './strategy.ts'
import type { Strategy } from './strategy.ts'

export const namedChromium: Strategy = {
  name: 'CHROMIUM_PATH',
  isOrder: true,
  async offer({ env }) {
    const path = env['CHROMIUM_PATH'] ?? ''
    const candidates = path === '' ? [] : [{ path, args: argsForThisUser(), env: {}, source: 'CHROMIUM_PATH' }]
    return { candidates, otherwise: 'not set' }
  },
}
