import { type EndpointDeclaration, endpoints, LanyardError } from '@lanyard/contracts'

export interface NamedEndpoint {
  readonly noun: string
  readonly verb: string
  /** `noun.verb`: the path of its tRPC procedure. */
  readonly name: string
  readonly declaration: EndpointDeclaration
}

/** The table of endpoints as a list, for code that iterates over it. */
export const endpointList: readonly NamedEndpoint[] = Object.entries(endpoints).flatMap(([noun, verbs]) =>
  Object.entries(verbs).map(([verb, declaration]) => ({ noun, verb, name: `${noun}.${verb}`, declaration })),
)

const byName = new Map(endpointList.map(({ name, declaration }) => [name, declaration]))

const byPath = new Map<string, NamedEndpoint>(endpointList.map((named) => [named.declaration.path, named]))

const names = new Map(endpointList.map(({ name, declaration }) => [declaration, name]))

/** The endpoint of a tRPC path. */
export const findEndpoint = (name: string): EndpointDeclaration | undefined => byName.get(name)

/** The endpoint at a REST path. */
export const findEndpointAt = (path: string): NamedEndpoint | undefined => byPath.get(path)

/**
 * The tRPC path of an endpoint.
 *
 * @throws INTERNAL for one that is not in the table
 */
export function nameOf(declaration: EndpointDeclaration): string {
  const name = names.get(declaration)
  if (name !== undefined) return name
  throw new LanyardError('INTERNAL', { cause: `${declaration.path} is not in the table of endpoints` })
}
