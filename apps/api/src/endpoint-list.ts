import { type EndpointDeclaration, endpoints } from '@lanyard/contracts'

export interface NamedEndpoint {
  readonly noun: string
  readonly verb: string
  /** `noun.verb`: the path of its tRPC procedure. */
  readonly name: string
  readonly declaration: EndpointDeclaration
}

/** The table of endpoints as a list, for whatever walks it. */
export const endpointList: readonly NamedEndpoint[] = Object.entries(endpoints).flatMap(([noun, verbs]) =>
  Object.entries(verbs).map(([verb, declaration]) => ({ noun, verb, name: `${noun}.${verb}`, declaration })),
)

const byName = new Map(endpointList.map(({ name, declaration }) => [name, declaration]))

/** The endpoint of a tRPC path. */
export const findEndpoint = (name: string): EndpointDeclaration | undefined => byName.get(name)
