import { type EndpointDeclaration, usualMaxBody } from '@lanyard/contracts'
import { findEndpoint } from '../../platform/endpoint-list.ts'
import { calledNames } from './called-names.ts'
import { maxBodyBytes } from './limits.ts'

/** Bytes of a body of this endpoint, at most. */
export const maxBodyOf = (declaration: EndpointDeclaration): number =>
  declaration.method === 'POST' ? (declaration.maxBody ?? usualMaxBody) * 1024 : 0

/** Bytes of a request's body, at most, known from its path alone: a batch may be as long as all its calls. */
export function maxBodyAt(path: string): number {
  const declared = calledNames(path).flatMap((name) => findEndpoint(name) ?? [])
  if (declared.length === 0) return maxBodyBytes
  return Math.min(
    maxBodyBytes,
    declared.reduce((sum, one) => sum + maxBodyOf(one), 0),
  )
}
