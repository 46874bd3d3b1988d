import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildWidget } from './build-widget.ts'
import { widgetVersion } from './build-packages.ts'
import { fail } from './fail.ts'

// Keeps the files of the widget's version for ever (widget/releases), and begins the next version. Deployments serve a
// release under its version for at least a year after the next one (docs/reference/embedding.md, [embed-8]).

const ROOT = fileURLToPath(new URL('..', import.meta.url))

const version = await widgetVersion()
const releases = join(ROOT, 'widget/releases')
const folder = join(releases, `v${version}`)
await mkdir(releases, { recursive: true })
if ((await readdir(releases)).includes(`v${version}`)) fail(`Version ${version} is released already.`)
else {
  const files = join(ROOT, 'build/release')
  const { integrity } = await buildWidget({ outdir: files })
  await mkdir(folder)
  for (const name of Object.keys(integrity)) await cp(join(files, name), join(folder, name))
  await writeFile(join(folder, 'integrity.json'), `${JSON.stringify(integrity, null, 2)}\n`)
  const next = version.replace(/(\d+)\.\d+$/, (_, minor: string) => `${Number(minor) + 1}.0`)
  for (const name of ['widget', 'react']) {
    const path = join(ROOT, 'widget/packages', name, 'package.json')
    await writeFile(path, (await readFile(path, 'utf8')).replace(`"version": "${version}"`, `"version": "${next}"`))
  }
  console.log(`Released ${version}. The next version is ${next}.`)
}
