import { toOwner } from '@lanyard/accounts'
import { type AssertionResponse, ceremonyBody, findDeployment, isSignedBy } from '@lanyard/client'
import { type Address, getAddress, isAddressEqual } from 'viem'
import type { Account } from '../account-store.ts'
import type { LanyardContextValue } from '../lanyard-context.ts'
import { LanyardReactError } from '../react-error.ts'
import { callService } from './call-service.ts'
import { fetchNetworks } from './fetch-networks.ts'
import { signWithPasskey } from './run-ceremony.ts'

/**
 * Signs in with the passkey that the person picks, or with a passkey of `username`. Where possible, the
 * account is verified instead of trusting the service: this browser remembers it, or its address follows from
 * the passkey.
 */
export async function signIn(
  context: LanyardContextValue,
  username: string | undefined,
  signal: AbortSignal,
): Promise<Account> {
  const { client, accounts } = context
  const { webauthn } = client
  const { passkeyAuthenticationOptions } = await callService(
    username === undefined
      ? webauthn.discoverOptions({}, { signal })
      : webauthn.authenticateOptions({ username }, { signal }),
  )
  const assertion = await signWithPasskey(context.ceremony, passkeyAuthenticationOptions, signal)
  const body = ceremonyBody(assertion)
  const session =
    username === undefined
      ? await callService(webauthn.discoverVerify(body, { signal }))
      : { username, ...(await callService(webauthn.authenticateVerify({ username, ...body }, { signal }))) }

  const user = await callService(client.user.details({ username: session.username }, { signal }))
  const address = getAddress(user.wallet.scw_address)
  const known = accounts.known(user.username)
  if (known && !isAddressEqual(known.address, address)) throw new LanyardReactError('FOREIGN_ADDRESS')
  const proven = known?.proven || (await isFirstPasskey(context, address, assertion.response, signal))
  const account: Account = { username: user.username, address, proven }
  accounts.signIn(account, session.token)
  return account
}

/** Whether the account's address follows from the passkey that made an assertion. */
async function isFirstPasskey(
  { client }: LanyardContextValue,
  address: Address,
  assertion: AssertionResponse,
  signal: AbortSignal,
): Promise<boolean> {
  const { passkey } = await callService(client.owner.recoveryKit({ walletAddress: address }, { signal }))
  if (!passkey) return false
  const owner = toOwner(passkey)
  const deployment = await findDeployment(owner, address, () => fetchNetworks(client, signal))
  if (!deployment) throw new LanyardReactError('FOREIGN_ADDRESS')
  return isSignedBy(owner, assertion)
}
