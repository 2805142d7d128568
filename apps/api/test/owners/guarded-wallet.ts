import { type AccountOwner, cancelRecoveryTypedData, recoveryTypedData } from '@lanyard/accounts'
import { randomPrivateKey } from '@lanyard/testing'
import type { Address } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { expect } from 'vitest'
import { consentOf } from '../owner-consent.ts'
import type { OwnershipService } from './ownership-service.ts'

/** A key that has sent nothing. */
export const newOwner = () => privateKeyToAccount(randomPrivateKey())

/** An added owner as requests name it: its key signed that it may own the account. */
export const consenting = async (owner: PrivateKeyAccount, account: Address) => ({
  ...{ address: owner.address, signature: await consentOf(owner, account) },
})

/** The requests of guardians. */
export function guardianRequests({ rest, change, createOwnedWallet, waitForChange }: OwnershipService) {
  const recoveryOf = (account: string) =>
    rest.get(`/smart-account/recovery?account=${encodeURIComponent(account)}`)
  const prepareRecovery = (account: string, newOwners: readonly object[], more: object = {}) =>
    rest.post('/smart-account/recovery/prepare', { account, newOwners, ...more })
  const signRecovery = (body: object) => rest.post('/smart-account/recovery/sign', body)
  const executeRecovery = (account: string, messageToSign: string) =>
    rest.post('/smart-account/recovery/execute', { account, messageToSign })

  /** A wallet with the module and guardians on each network. */
  async function createGuardedWallet({ threshold = 2, delay = 86_400 } = {}) {
    const wallet = await createOwnedWallet()
    const guardians = [newOwner(), newOwner(), newOwner()] as const
    const set = { members: guardians.map(({ address }) => address), threshold, delay }
    const answer = await change(wallet, wallet.owner, { kind: 'setGuardians', guardians: set })
    expect(answer).toMatchObject({ status: 200 })
    await waitForChange(wallet.address, '0')
    return { ...wallet, guardians, set }
  }

  /** A guardian's signature over what was prepared, as typed data. */
  async function signBy(
    guardian: PrivateKeyAccount,
    prepared: { account: Address; module: Address; sequence: string; number: string },
    owner: Address,
  ) {
    const { account, module, sequence, number } = prepared
    const owners: AccountOwner[] = [{ kind: 'eoa', address: owner }]
    const context = { module, account, sequence: BigInt(sequence), number: BigInt(number) }
    const typedData = recoveryTypedData(owners, context)
    return {
      ...{ account, sequence, number, newOwners: [{ address: owner }], guardian: guardian.address },
      signature: await guardian.signTypedData(typedData),
    }
  }

  /** A guardian's signature that takes recoveries back. */
  async function cancelBy(
    guardian: PrivateKeyAccount,
    context: { account: Address; module: Address; sequence: bigint; number: bigint },
  ) {
    const { account, sequence, number } = context
    return rest.post('/smart-account/recovery/cancel', {
      ...{ account, sequence: String(sequence), number: String(number), guardian: guardian.address },
      signature: await guardian.signTypedData(cancelRecoveryTypedData(context)),
    })
  }

  return { recoveryOf, prepareRecovery, signRecovery, cancelBy, executeRecovery, createGuardedWallet, signBy }
}
