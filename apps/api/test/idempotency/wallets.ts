import { randomPrivateKey } from '@lanyard/testing'
import { type Address, parseEther } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type { PasskeyService } from '../passkeys/passkey-service.ts'

export const nextOwner = (): PrivateKeyAccount => privateKeyToAccount(randomPrivateKey())

let names = 0
export const nextName = (): string => `user-${names++}`

/** Creates the wallet of a new EOA. */
export async function createWallet(service: PasskeyService, { balance = '10' } = {}) {
  const owner = nextOwner()
  const { body } = await service.post<{ wallet: { scw_address: Address } }>('/smart-account/create', {
    eoaAddress: owner.address,
  })
  const address = body.wallet.scw_address
  await service.chain.setBalance({ address, value: parseEther(balance) })
  return { owner, address }
}
