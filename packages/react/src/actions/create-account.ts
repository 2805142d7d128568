import { ceremonyBody, findDeployment, LanyardApiError, passkeyOwner } from '@lanyard/client'
import { getAddress } from 'viem'
import type { Account } from '../account-store.ts'
import type { LanyardContextValue } from '../lanyard-context.ts'
import { LanyardReactError } from '../react-error.ts'
import { callService } from './call-service.ts'
import { fetchNetworks } from './fetch-networks.ts'
import { createPasskey } from './run-ceremony.ts'

/**
 * Creates a passkey and an account that it owns. The address is recomputed from the new public key, so a
 * wrong address is rejected before anyone sends money to it.
 */
export async function createAccount(
  { client, accounts, ceremony }: LanyardContextValue,
  username: string,
  signal: AbortSignal,
): Promise<Account> {
  const options = await callService(client.webauthn.registerOptions({ username }, { signal }))
  const registration = await createPasskey(ceremony, options, signal)
  const owner = passkeyOwner(registration)
  const { wallet, token, ...user } = await client.webauthn
    .registerVerify({ username, ...ceremonyBody(registration) })
    .catch((cause: unknown) => {
      if (cause instanceof LanyardApiError && cause.status < 500) throw cause
      throw new LanyardReactError('REGISTRATION_UNCONFIRMED', { cause })
    })
  const address = getAddress(wallet.scw_address)
  if (owner && !(await findDeployment(owner, address, () => fetchNetworks(client))))
    throw new LanyardReactError('FOREIGN_ADDRESS')
  const account: Account = { username: user.username, address, proven: owner !== undefined }
  accounts.signIn(account, token)
  return account
}
