import type { Hex } from 'viem'
import type { SmartAccount } from '../account.ts'
import type { AccountOwner } from '../owner.ts'
import { decodeCalls, encodeCalls } from './calls.ts'
import { computeAccountAddress, encodeInitCode } from './creation.ts'
import { type AccountDeployment, defaultDeployment } from './deployment.ts'
import { getSafeMessageHash, wrapErc6492Signature } from './messages.ts'
import { encodeSignature, getSafeOperationHash, stubSignature } from './operation.ts'

/** A Safe with Safe4337Module, whose first owner is an EOA or a passkey. */
export function toSafeAccount(
  owner: AccountOwner,
  deployment: AccountDeployment = defaultDeployment,
): SmartAccount {
  const { entryPoint, module, sharedSigner } = deployment
  let initCode: Hex | undefined
  return {
    kind: 'safe',
    entryPoint,
    owners: [owner],
    hasValidity: true,
    acceptsPersonalSign: true,
    getAddress: () => computeAccountAddress(owner, deployment),
    encodeInitCode() {
      initCode ??= encodeInitCode(owner, deployment)
      return initCode
    },
    encodeCalls: (calls) => encodeCalls(calls, deployment),
    decodeCalls: (callData) => decodeCalls(callData, deployment),
    hashOperation: (operation, context) =>
      getSafeOperationHash(operation, { ...context, entryPoint, module }),
    stubSignature: (validity) => stubSignature(owner, { ...validity, signer: sharedSigner }),
    encodeSignature: ({ signature, validAfter = 0, validUntil = 0 }) =>
      encodeSignature({ validAfter, validUntil, signatures: signature }),
    hashMessage: (messageHash, { chainId }) =>
      getSafeMessageHash(messageHash, { chainId, account: computeAccountAddress(owner, deployment) }),
    encodeMessageSignature: (signature, { deployed }) =>
      deployed ? signature : wrapErc6492Signature({ owner, deployment, signature }),
  }
}
