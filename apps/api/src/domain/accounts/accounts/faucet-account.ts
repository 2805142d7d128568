import { LanyardError } from '@lanyard/contracts'
import { devAccounts } from '@lanyard/devnet'
import { nonceManager, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'

/** PUBLIC key: the ninth of anvil's accounts. The first is left to the developer, the tenth is the relayer's. */
const faucetIndex = 8

/** The account behind the faucet of local networks. The nonce manager orders requests that come at once. */
export function faucetAccount(): PrivateKeyAccount {
  const account = devAccounts[faucetIndex]
  if (!account) throw new LanyardError('INTERNAL', { cause: 'anvil has no ninth account' })
  return privateKeyToAccount(account.privateKey, { nonceManager })
}
