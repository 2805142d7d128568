import { encodeInitializer } from '@lanyard/accounts'
import { endpoints, LanyardError } from '@lanyard/contracts'
import type { NetworkConfig } from '@lanyard/networks'
import { numberToHex } from 'viem'
import { isImported } from '../../domain/accounts/accounts/kind.ts'
import { findReader } from '../../domain/accounts/callers/caller.ts'
import { findOwnedWallet } from '../../domain/accounts/owners/owned-wallet.ts'
import { implement } from '../../pipeline/implement.ts'
import { shownRpcUrl } from '../../platform/shown-rpc-url.ts'

export const recoveryKit = implement(endpoints.owner.recoveryKit, async ({ walletAddress }, context) => {
  const { database, networks } = context.services
  const { relyingParty } = context.project
  const { wallet, userId, credentials } = await findOwnedWallet(database, walletAddress)
  if (isImported(wallet))
    throw new LanyardError('NOT_SUPPORTED_BY_ACCOUNT', {
      message: 'An imported Safe has no recovery kit.',
      details: { use: 'Any interface for Safes, such as Safe{Wallet}, with a key of an owner.' },
    })
  const isUser = (await findReader(context)) === userId
  const { address, owner, deployment } = wallet
  const { factory, singleton, saltNonce, module, entryPoint, sharedSigner, ownership } = deployment
  return {
    walletAddress: address,
    factory,
    singleton,
    saltNonce: saltNonce.toString(),
    initializer: encodeInitializer(owner, deployment),
    module,
    entryPoint,
    ...(ownership && { ownership }),
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
    ...(isUser && { credentialIds: credentials.map(({ id }) => id) }),
    networks: networks.list().map(({ config }) => toKitNetwork(config)),
  }
})

function toKitNetwork(config: NetworkConfig) {
  const { chainId, name, nativeCurrency, smartBalance, settlementToken } = config
  const rpcUrl = shownRpcUrl(config)
  return {
    network: chainId,
    name,
    nativeCurrency,
    ...(rpcUrl !== undefined && { rpcUrl }),
    ...(smartBalance && { smartBalance }),
    tokens: settlementToken ? [settlementToken.address] : [],
  }
}
