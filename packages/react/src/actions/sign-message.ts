import type { AccountMessage } from '@lanyard/accounts'
import { ceremonyBody, verifyMessageOptions } from '@lanyard/client'
import type { Hex } from 'viem'
import type { LanyardContextValue } from '../lanyard-context.ts'
import { LanyardReactError } from '../react-error.ts'
import { callService } from './call-service.ts'
import { signWithPasskey } from './run-ceremony.ts'

/** Creates the account's signature over a message. The challenge is recomputed before the passkey prompt. */
export async function signAccountMessage(
  { client, accounts, ceremony }: LanyardContextValue,
  message: AccountMessage,
  network: number,
  signal: AbortSignal,
): Promise<Hex> {
  const account = accounts.get()
  if (!account) throw new LanyardReactError('SIGNED_OUT')
  const { username, address } = account
  // The schema's types are mutable; nothing is mutated here.
  const body = { username, network: String(network), ...(message as { message: string }) }
  const {
    messageHash: _,
    deployed: __,
    ...options
  } = await callService(client.webauthn.messageOptions(body, { signal }))
  verifyMessageOptions({ options, request: message, owner: { kind: 'account', address }, network })
  const assertion = await signWithPasskey(ceremony, options, signal)
  const { signature } = await callService(
    client.webauthn.messageVerify({ ...body, ...ceremonyBody(assertion) }, { signal }),
  )
  return signature as Hex // hex by the service's schema; the generated type is only string
}
