import type { Ignorer } from '@stryker-mutator/api/ignore'
import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin'

/** Why a node is not mutated. */
const ignoredReasons = {
  prose: 'Text for people.',
  documentation: 'Documentation of a schema.',
  compiler: 'The compiler allows no other name.',
  same: 'The result is the same without it.',
} as const

/** The parts of Babel's syntax tree that this plugin reads. */
interface Node {
  readonly type: string
  /** The value of a literal. For an object member, the value's node. */
  readonly value?: unknown
  readonly key?: { readonly name?: string }
  readonly properties?: readonly Node[]
  readonly quasis?: readonly { readonly value: { readonly raw: string } }[]
  /** Present on a call. */
  readonly callee?: { readonly property?: { readonly name?: string } }
  /** The statements of a block, or the body node of a function. */
  readonly body?: unknown
  /** Present on a return statement. */
  readonly argument?: { readonly name?: string } | null
}

/**
 * A Stryker plugin that ignores code that no test should pin: text for people; descriptions in schemas, which
 * the committed OpenAPI document pins; function names of an ABI, which the compiler checks. It also ignores
 * code that a mutation would not change: a `catch` that only returns nothing.
 */
const ignored: Ignorer = {
  shouldIgnore(path) {
    // Stryker's types do not describe Babel's path.
    const { node, parent } = path as { readonly node: Node; readonly parent?: Node }
    if (isText(node) || isMessageOnly(node)) return ignoredReasons.prose
    if (isFunctionName(node, parent)) return ignoredReasons.compiler
    if (returnsNothing(node) && parent?.type === 'CatchClause') return ignoredReasons.same
    return node.type === 'ObjectExpression' && parent?.callee?.property?.name === 'meta'
      ? ignoredReasons.documentation
      : undefined
  },
}

/** Whether the object has only a message: `{ message: 'Some text.' }`, as errors take it. */
function isMessageOnly({ type, properties = [] }: Node): boolean {
  const [only, ...others] = properties
  return (
    type === 'ObjectExpression' &&
    others.length === 0 &&
    only?.key?.name === 'message' &&
    isText(only.value as Node) // the value of a member is a node
  )
}

/** Whether the node is the string in `functionName: 'transfer'`. */
function isFunctionName({ type }: Node, parent: Node | undefined): boolean {
  return type === 'StringLiteral' && parent?.key?.name === 'functionName'
}

/** Whether the block is `{ return undefined }`. */
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

/** Whether the text has more than one word and is not the signature of a Solidity item. */
function isProse(text: string): boolean {
  return /\S\s+\S/.test(text) && !/^\s*(function|event|error|struct|constructor)\s/.test(text)
}

/** The export that Stryker looks for in a plugin. */
export const strykerPlugins = [declareValuePlugin(PluginKind.Ignore, 'ignored', ignored)]
