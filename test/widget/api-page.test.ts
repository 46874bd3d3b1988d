import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const page = await readFile(join(ROOT, 'docs/reference/widget-api.md'), 'utf8')

/** Returns the names of an interface's members. */
async function membersOf(path: string, name: string): Promise<readonly string[]> {
  const source = await readFile(join(ROOT, path), 'utf8')
  const body = new RegExp(`interface ${name}[^{]*(?:{ \\[[^}]*}[^{]*)?{\\n([^]*?)\\n}`).exec(source)?.[1] ?? ''
  return [...body.matchAll(/^ {2}(?:readonly )?(\w+)\??[(:]/gm)].map(([, member = '']) => member)
}

describe('the page about the API', () => {
  it.each([
    ['the options', 'widget/host-events.ts', 'LauncherOptions', 14],
    ['the events', 'widget/host-events.ts', 'HostEvents', 10],
    ['the methods of a handle', 'widget/walkon.ts', 'Handle', 13],
    ['the methods of the global', 'widget/walkon.ts', 'Walkon', 4],
  ])('[embed-7] names %s', async (_, path, name, count) => {
    const members = await membersOf(path, name)
    expect(members).toHaveLength(count)
    expect(members.filter((member) => !page.includes(`\`${member}\``) && !page.includes(`Walkon.${member}(`))).toEqual(
      [],
    )
  })

  it('[embed-7] names what the packages export', async () => {
    const index = await readFile(join(ROOT, 'widget/packages/widget/index.ts'), 'utf8')
    const exported = [...index.matchAll(/^export (?:(?:type |interface |const )?(?:\{([^}]*)\}|(\w+)))/gm)].flatMap(
      ([, list, one]) => list?.split(',').map((each) => each.trim().replace(/.* as /, '')) ?? [one ?? ''],
    )
    expect(exported.length).toBeGreaterThan(8)
    const types = await readFile(join(ROOT, 'widget/packages/react/index.d.ts'), 'utf8')
    const ofReact = [...types.matchAll(/^export (?:interface|function) (\w+)/gm)].map(([, one = '']) => one)
    expect([...exported, ...ofReact].filter((each) => !page.includes(`\`${each}\``))).toEqual([])
  })
})
