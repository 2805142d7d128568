import type { Ignorer } from '@stryker-mutator/api/ignore'
import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin'
import { sparedReasons } from './outcome.ts'

/** The part of Babel's syntax tree that is read. */
interface Node {
  readonly type: string
  /** Of a literal; of a member, the node that stands for it. */
  readonly value?: unknown
  readonly key?: { readonly name?: string }
  readonly properties?: readonly Node[]
  readonly quasis?: readonly { readonly value: { readonly raw: string } }[]
  /** Of a call. */
  readonly callee?: { readonly property?: { readonly name?: string } }
  /** Of a block, its statements; of a function, a node. */
  readonly body?: unknown
  /** Of a return. */
  readonly argument?: { readonly name?: string } | null
}

/**
 * A plugin of Stryker that leaves alone what no test should pin: text for people; what schemas say of themselves, which
 * the committed OpenAPI document holds fast; names of functions of an ABI, of which the compiler allows no other. And
 * what it would change into the same: a `catch` that only returns nothing.
 */
export const spared: Ignorer = {
  shouldIgnore(path) {
    // Stryker's type says nothing of Babel's path.
    const { node, parent } = path as { readonly node: Node; readonly parent?: Node }
    if (isText(node) || isMessageOnly(node)) return sparedReasons.prose
    if (isFunctionName(node, parent)) return sparedReasons.compiler
    if (returnsNothing(node) && parent?.type === 'CatchClause') return sparedReasons.same
    return node.type === 'ObjectExpression' && parent?.callee?.property?.name === 'meta'
      ? sparedReasons.documentation
      : undefined
  },
}

/** `{ message: 'Some text.' }`, as errors take it. */
function isMessageOnly({ type, properties = [] }: Node): boolean {
  const [only, ...others] = properties
  return (
    type === 'ObjectExpression' &&
    others.length === 0 &&
    only?.key?.name === 'message' &&
    isText(only.value as Node) // the value of a member is a node
  )
}

/** The text of `functionName: 'transfer'`. */
function isFunctionName({ type }: Node, parent: Node | undefined): boolean {
  return type === 'StringLiteral' && parent?.key?.name === 'functionName'
}

/** `{ return undefined }` */
function returnsNothing({ type, body }: Node): boolean {
  if (type !== 'BlockStatement' || !Array.isArray(body)) return false
  const [only, ...others]: readonly Node[] = body
  return others.length === 0 && only?.type === 'ReturnStatement' && only.argument?.name === 'undefined'
}

function isText(node: Node): boolean {
  const text = textOf(node)
  return text !== undefined && isProse(text)
}

function textOf(node: Node): string | undefined {
  if (node.type === 'StringLiteral') return String(node.value)
  if (node.type === 'TemplateLiteral') return node.quasis?.map(({ value }) => value.raw).join('…')
  return undefined
}

/** More than one word, and no signature of a Solidity item. */
export function isProse(text: string): boolean {
  return /\S\s+\S/.test(text) && !/^\s*(function|event|error|struct|constructor)\s/.test(text)
}

/** What Stryker looks for in a plugin. */
export const strykerPlugins = [declareValuePlugin(PluginKind.Ignore, 'spared', spared)]
