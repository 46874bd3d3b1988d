import { parseAst } from 'vitest/node'

/** Attributes that are read aloud or shown. */
const SAID: ReadonlySet<unknown> = new Set([
  'alt',
  'aria-description',
  'aria-label',
  'aria-roledescription',
  'aria-valuetext',
  'label',
  'placeholder',
  'title',
])

/** What these hold is drawn where they are. */
const PASSES_ON: ReadonlySet<string> = new Set([
  'ArrayExpression',
  'ArrowFunctionExpression',
  'BlockStatement',
  'CallExpression',
  'ChainExpression',
  'JSXExpressionContainer',
  'ObjectExpression',
  'ParenthesizedExpression',
  'ReturnStatement',
  'SequenceExpression',
  'TSAsExpression',
  'TSNonNullExpression',
  'TSSatisfiesExpression',
])

type Node = { readonly type: string } & Readonly<Record<string, unknown>>

/**
 * The texts that a source would show or say itself, in order, a template with `…` for its parts. Where an element's content or
 * an attribute that is said may become it, that is whatever has a letter; anywhere else, what begins as a sentence or a name does and
 * is neither a key nor only compared with something.
 *
 * @param code TypeScript
 * @param lang whether it may have elements in it
 * @throws what the parser does, where it is not TypeScript
 */
export function drawnTexts(code: string, lang: 'ts' | 'tsx'): readonly string[] {
  return textsIn(parseAst(code, { lang }), false)
}

function textsIn(node: unknown, isDrawn: boolean): string[] {
  if (Array.isArray(node)) return node.flatMap((each) => textsIn(each, isDrawn))
  if (!isNode(node)) return []
  switch (node.type) {
    case 'JSXText':
      return readable(node['value'], true)
    case 'Literal':
      return readable(node['value'], isDrawn)
    case 'TemplateLiteral': {
      const whole = (node['quasis'] as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join('…')
      return [...readable(whole, isDrawn), ...textsIn(node['expressions'], isDrawn)]
    }
    case 'JSXElement':
    case 'JSXFragment':
      return [...textsIn(node['openingElement'], false), ...textsIn(node['children'], true)]
    case 'JSXAttribute':
      return textsIn(node['value'], SAID.has((node['name'] as Node)['name']))
    case 'ConditionalExpression':
      return [
        ...textsIn(node['test'], false),
        ...textsIn(node['consequent'], isDrawn),
        ...textsIn(node['alternate'], isDrawn),
      ]
    case 'LogicalExpression':
      return [...textsIn(node['left'], isDrawn && node['operator'] !== '&&'), ...textsIn(node['right'], isDrawn)]
    case 'BinaryExpression': {
      const sides = [node['left'], node['right']]
      if (node['operator'] === '+') return textsIn(sides, isDrawn)
      return textsIn(
        sides.filter((side) => !isNode(side) || side.type !== 'Literal'),
        false,
      )
    }
    case 'MemberExpression':
      return [...textsIn(node['object'], isDrawn), ...textsIn(node['property'], false)]
    case 'SwitchCase':
      return textsIn(node['consequent'], isDrawn)
    case 'Property':
      return textsIn(node['value'], isDrawn)
    default:
      if (isType(node)) return []
      return Object.values(node).flatMap((each) => textsIn(each, isDrawn && PASSES_ON.has(node.type)))
  }
}

function readable(value: unknown, isDrawn: boolean): string[] {
  if (typeof value !== 'string') return []
  return (isDrawn ? /\p{L}/u : /^\s*\p{Lu}\p{Ll}/u).test(value) ? [value.trim()] : []
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value
}

function isType(node: Node): boolean {
  return node.type.startsWith('TS') && !('expression' in node)
}
