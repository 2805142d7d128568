import { LanyardError } from '@lanyard/contracts'
import { devAccounts } from '@lanyard/devnet'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'

/** PUBLIC key: anvil's ninth account. The developer uses the first, the relayer uses the tenth. */
const faucetIndex = 8

/** The account behind the faucet of local networks. */
export function faucetAccount(): PrivateKeyAccount {
  const account = devAccounts[faucetIndex]
  if (!account) throw new LanyardError('INTERNAL', { cause: 'anvil has no ninth account' })
  return privateKeyToAccount(account.privateKey)
}
