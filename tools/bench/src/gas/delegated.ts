import { delegatedDeployment, toDelegatedAccount } from '@lanyard/accounts'
import { foundry } from 'viem/chains'
import type { Enter } from './contestant.ts'
import { eoa } from './owners.ts'

/** The EOA itself, delegated to Simple7702Account by its first operation. */
export const delegated: Enter = async () => {
  const account = toDelegatedAccount(eoa.address)
  const context = { chainId: foundry.id }
  return {
    sender: account.getAddress(),
    initCode: account.encodeInitCode(),
    entryPoint: account.entryPoint,
    encodeCalls: async (calls) => account.encodeCalls(calls),
    stubSignature: account.stubSignature({}),
    sign: (operation) => eoa.sign({ hash: account.hashOperation(operation, context) }),
    authorize: () => eoa.signAuthorization({ ...context, address: delegatedDeployment.delegate, nonce: 0 }),
  }
}
