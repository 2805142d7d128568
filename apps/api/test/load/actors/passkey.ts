import { type Address, parseEther } from 'viem'
import { Authenticator } from '../../passkeys/authenticator.ts'
import { restClient } from '../../rest.ts'
import { operationOf, outputNetwork, type Stage } from '../stage.ts'

/** The origin of ceremonies. */
export const origin = 'http://localhost:3000'

export interface PasskeyAccount {
  readonly username: string
  readonly passkey: Authenticator
}

/**
 * Registers a user whose authenticator increments its counter, so an assertion that the service accepted cannot be used
 * again. A ceremony takes no Idempotency-Key, so this actor needs a replica that is never killed.
 */
export async function createPasskeyAccount(
  { chains }: Stage,
  url: string,
  username: string,
): Promise<PasskeyAccount> {
  const passkey = new Authenticator(origin)
  passkey.counter = 1
  const named = `username=${username}`
  const rest = restClient(url)
  const options = await rest.get(`/v3/webauthn/register/generate-options?${named}`)
  const { body } = await rest.post(`/v3/webauthn/register/verify?${named}`, passkey.create(options.body))
  const address: Address = body.wallet.scw_address
  await chains.on(outputNetwork).chain.setBalance({ address, value: parseEther('1000') })
  return { username, passkey }
}

/** Sends transfers by passkey, one at a time. */
export async function passkeyActor(
  { client, isRunning, signed }: Stage,
  { username, passkey }: PasskeyAccount,
): Promise<void> {
  const transactionDetails = [
    { targetContractAddress: '0x00000000000000000000000000000000000000ad', value: '1', encodedData: '0x' },
  ]
  while (isRunning()) {
    const { body } = await client.send({
      kind: 'passkey options',
      path: '/v3/webauthn/transaction/generate-options',
      body: { username, network: String(outputNetwork), transactionDetails },
    })
    signed(operationOf(body.userOp, outputNetwork))
    passkey.counter++
    await client.send({
      kind: 'passkey submit',
      path: `/v3/webauthn/transaction/verify?username=${username}`,
      body: passkey.get(body),
    })
  }
}
