import { operationTypedData, type UserOperation } from '@lanyard/accounts'
import type { Network } from '@lanyard/networks'
import type { DelegatedWallet } from './delegated-wallet.ts'
import type { CurrentDelegation } from './read-delegation-state.ts'

/** Wallets expect the domain's type beside the others (`eth_signTypedData_v4`). */
const domainType = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
]

/** What the EOA signs: the operation as typed data, and an authorisation if the operation needs one. */
export function toDelegatedTerms(
  { chainId }: Network,
  { deployment }: DelegatedWallet,
  { nonce }: CurrentDelegation,
  operation: UserOperation,
) {
  const { types, primaryType, message } = operationTypedData(operation, { chainId })
  return {
    typedData: {
      domain: {
        name: 'ERC4337' as const,
        version: '1' as const,
        chainId,
        verifyingContract: deployment.entryPoint,
      },
      types: { EIP712Domain: domainType, PackedUserOperation: [...types.PackedUserOperation] },
      primaryType,
      message: Object.fromEntries(Object.entries(message).map(([name, value]) => [name, String(value)])),
    },
    ...(operation.initCode !== '0x' && {
      authorization: { chainId, address: deployment.delegate, nonce },
    }),
  }
}
