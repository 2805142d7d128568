import { type Address, getAddress } from 'viem'
import type { SmartAccount } from '../account.ts'
import { toOwner } from '../owner.ts'
import { eoaStub } from '../signers/eoa/signature.ts'
import { getUserOperationHash } from '../user-operation/hash.ts'
import { decodeDelegatedCalls, encodeDelegatedCalls } from './calls.ts'
import { type DelegatedDeployment, delegatedDeployment, delegationInitCode } from './deployment.ts'

/** An EOA that runs the code of `delegate`: its address and its key are the account's. */
export function toDelegatedAccount(
  eoa: Address,
  { entryPoint }: DelegatedDeployment = delegatedDeployment,
): SmartAccount {
  const address = getAddress(eoa)
  return {
    kind: 'eip7702',
    entryPoint,
    owners: [toOwner({ address })],
    hasValidity: false,
    acceptsPersonalSign: false,
    getAddress: () => address,
    encodeInitCode: () => delegationInitCode,
    encodeCalls: encodeDelegatedCalls,
    decodeCalls: decodeDelegatedCalls,
    hashOperation: (operation, { chainId }) =>
      getUserOperationHash({ ...operation, entryPoint }, { chainId, entryPoint }),
    stubSignature: () => eoaStub,
    encodeSignature: ({ signature }) => signature,
    // An EOA signs for itself, with and without a contract's code.
    hashMessage: (messageHash) => messageHash,
    encodeMessageSignature: (signature) => signature,
  }
}
