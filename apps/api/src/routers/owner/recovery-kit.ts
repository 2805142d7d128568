import { encodeInitializer } from '@lanyard/accounts'
import { endpoints } from '@lanyard/contracts'
import { numberToHex } from 'viem'
import { findWallet } from '../../accounts/wallet.ts'
import { implement } from '../../implement.ts'

export const recoveryKit = implement(endpoints.owner.recoveryKit, async ({ walletAddress }, { services }) => {
  const { database, networks, relyingParty } = services
  const { address, owner, deployment } = await findWallet(database, walletAddress)
  const { factory, singleton, saltNonce, module, entryPoint, sharedSigner } = deployment
  return {
    walletAddress: address,
    factory,
    singleton,
    saltNonce: saltNonce.toString(),
    initializer: encodeInitializer(owner, deployment),
    module,
    entryPoint,
    ...(owner.kind === 'eoa'
      ? { eoaAddress: owner.address }
      : {
          passkey: {
            rpId: relyingParty.rpId,
            x: numberToHex(owner.x, { size: 32 }),
            y: numberToHex(owner.y, { size: 32 }),
            verifiers: numberToHex(owner.verifiers, { size: 22 }),
            sharedSigner,
          },
        }),
    networks: networks.list().map(({ chainId }) => chainId),
  }
})
