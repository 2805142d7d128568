import { type EndpointDeclaration, type InputIssue, LanyardError, memo } from '@lanyard/contracts'
import type { ReadQuery } from '../http/read-request.ts'

const isSame = (bodyValue: unknown, queryValue: string | undefined) =>
  (typeof bodyValue === 'object' && bodyValue !== null ? undefined : String(bodyValue)) === queryValue

interface DeclaredNames {
  readonly queryNames: readonly string[]
  readonly bodyNames: readonly string[]
  readonly declared: ReadonlySet<string>
}

const namesOf = memo((declaration: EndpointDeclaration): DeclaredNames => {
  const queryNames = Object.keys(declaration.query?.shape ?? {})
  const bodyNames = Object.keys(declaration.body?.shape ?? {})
  return { queryNames, bodyNames, declared: new Set([...queryNames, ...bodyNames]) }
})

/**
 * Merges query and body into the single input of a procedure. Each name is read only from its declared place.
 * The same name with another value in the other place is rejected, since the caller's intention is unclear.
 * Undeclared names are ignored.
 *
 * @throws INVALID_INPUT
 */
export function mergeInput(
  declaration: EndpointDeclaration,
  { values, issues: queryIssues }: ReadQuery,
  sent: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const { queryNames, bodyNames, declared } = namesOf(declaration)
  const issues: InputIssue[] = queryIssues.filter(({ path }) => declared.has(path))
  const input: Record<string, unknown> = {}

  for (const name of queryNames) {
    const value = values.get(name)
    if (value !== undefined) input[name] = value
    if (Object.hasOwn(sent, name) && sent[name] !== null && !isSame(sent[name], value)) {
      issues.push({ path: name, message: 'Belongs in the query; the body has another value' })
    }
  }
  for (const name of bodyNames) {
    if (Object.hasOwn(sent, name)) input[name] = sent[name]
    const value = values.get(name)
    if (value !== undefined && !isSame(input[name], value)) {
      issues.push({ path: name, message: 'Belongs in the body; the query has another value' })
    }
  }
  if (issues.length > 0) throw new LanyardError('INVALID_INPUT', { issues })
  return input
}
