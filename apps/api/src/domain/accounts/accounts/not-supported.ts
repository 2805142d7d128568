import { type EndpointDeclaration, LanyardError } from '@lanyard/contracts'
import { substitutes } from '../eip7702/substitutes.ts'

/** Names what to use instead, in an error that says that an account does not support an endpoint. */
export function withSubstitute(error: unknown, { tag }: Pick<EndpointDeclaration, 'tag'>): unknown {
  const use = substitutes[tag]
  if (!(error instanceof LanyardError) || error.code !== 'NOT_SUPPORTED_BY_ACCOUNT' || !use) return error
  const { code, message, issues, details, cause } = error
  return new LanyardError(code, { message, ...(issues && { issues }), details: { use, ...details }, cause })
}
