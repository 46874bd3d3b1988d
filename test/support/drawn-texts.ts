import { parseAst } from 'vitest/node'

/** JSX attributes whose text is shown or read aloud. */
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

/** Kinds of syntax nodes that only contain others. If such a node is shown on the page, its children are shown. */
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
 * Returns the texts in a source file that the page shows or reads aloud, in order. A text in the content of an element,
 * or in an attribute of `SAID`, counts if it has a letter. Any other text counts if it begins like a sentence or a
 * name. A key and the literal of a comparison do not count. In a template, `…` stands for each expression.
 *
 * @param code TypeScript
 * @param lang whether the source may contain JSX
 * @throws the parser's error when the source is not TypeScript
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
