import { type AccountKind, type EndpointDeclaration, LanyardError } from '@lanyard/contracts'
import { substituteOf } from './wallet.ts'

/** Names what to use instead, in an error that says that an account does not support an endpoint. */
export function withSubstitute(error: unknown, { tag }: Pick<EndpointDeclaration, 'tag'>): unknown {
  if (!(error instanceof LanyardError) || error.code !== 'NOT_SUPPORTED_BY_ACCOUNT') return error
  const { code, message, issues, details, cause } = error
  // `requireContractAccount` names it; an error from elsewhere stays as it is.
  const use = details.type === undefined ? undefined : substituteOf(details.type as AccountKind, tag)
  if (!use) return error
  return new LanyardError(code, { message, ...(issues && { issues }), details: { use, ...details }, cause })
}
