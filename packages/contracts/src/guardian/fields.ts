import { namedPasskey } from '../ownership/change.ts'

/** The passkey of a guardian: its signer contract has the same address everywhere, and is created when it is needed. */
export const guardianKey = namedPasskey.optional().meta({
  description:
    'The passkey whose signer contract the guardian is. The signature then counts on every network, whether the contract is created or not. Absent: a passkey that is registered at this service is found by itself.',
})
