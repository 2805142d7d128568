import { type AccountOwner, defaultVerifiers, stubSignature, unpackUserOperation } from '@lanyard/accounts'
import { toSafeSmartAccount } from 'permissionless/accounts'
import { concat, toHex } from 'viem'
import { entryPoint07Address } from 'viem/account-abstraction'
import type { Enter } from './contestant.ts'
import { eoa, webAuthnAccount } from './owners.ts'

/** The same Safe, created by permissionless with its defaults: its setup goes through MultiSend. */
export const permissionless =
  (owner: AccountOwner): Enter =>
  async ({ client }) => {
    const account = await toSafeSmartAccount({
      client,
      owners: [owner.kind === 'eoa' ? eoa : webAuthnAccount],
      version: '1.4.1',
      entryPoint: { address: entryPoint07Address, version: '0.7' },
      // Its default verifier for passkeys does not use the precompile, which adds over 200,000 gas and would
      // compare chains instead.
      safeP256VerifierAddress: toHex(defaultVerifiers, { size: 22 }),
      saltNonce: 0n,
      nonceKey: 0n,
    })
    const { factory, factoryData } = await account.getFactoryArgs()
    if (!factory || !factoryData) throw new TypeError('An account that is not deployed has a factory')
    return {
      sender: await account.getAddress(),
      initCode: concat([factory, factoryData]),
      encodeCalls: (calls) => account.encodeCalls(calls),
      stubSignature: stubSignature(owner),
      // Without a `factory` key, it would leave the paymaster out of the signed data.
      sign: (operation) =>
        account.signUserOperation({ factory: undefined, ...unpackUserOperation(operation) }),
    }
  }
