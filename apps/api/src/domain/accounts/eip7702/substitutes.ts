/** What an owner uses instead of what an endpoint does, by the endpoint's tag. */
export const substitutes: Readonly<Record<string, string>> = {
  'Smart balance':
    'Send tokens on the network where they are, by /smart-account/transaction/build. A balance over several networks needs an account of the kind safe.',
  'Session keys':
    'Sign each operation with the EOA: one operation may make up to 64 calls. Limited keys need an account of the kind safe.',
  Owners:
    'The key of the EOA is the only owner, and its wallet keeps the backup. Further owners, guardians and recovery need an account of the kind safe.',
  'Passkey accounts': 'The EOA signs. A passkey needs an account of its own.',
}
