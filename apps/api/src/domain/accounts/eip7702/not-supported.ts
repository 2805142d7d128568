import { type EndpointDeclaration, LanyardError } from '@lanyard/contracts'

/** What an owner uses instead of what an endpoint does, by the endpoint's tag. */
const substitutes: Readonly<Record<string, string>> = {
  'Smart balance':
    'Send tokens on the network where they are, by /smart-account/transaction/build. A balance over several networks needs an account of the kind safe.',
  'Session keys':
    'Sign each operation with the EOA: one operation may make up to 64 calls. Limited keys need an account of the kind safe.',
  Owners:
    'The key of the EOA is the only owner, and its wallet keeps the backup. Further owners, guardians and recovery need an account of the kind safe.',
  'Passkey accounts': 'The EOA signs. A passkey needs an account of its own.',
}

/** Names what to use instead, in an error that says that an account does not support an endpoint. */
export function withSubstitute(error: unknown, { tag }: Pick<EndpointDeclaration, 'tag'>): unknown {
  const use = substitutes[tag]
  if (!(error instanceof LanyardError) || error.code !== 'NOT_SUPPORTED_BY_ACCOUNT' || !use) return error
  const { code, message, issues, details, cause } = error
  return new LanyardError(code, { message, ...(issues && { issues }), details: { use, ...details }, cause })
}
