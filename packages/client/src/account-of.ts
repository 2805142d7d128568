import {
  type AccountDeployment,
  type AccountOwner,
  computeAccountAddress,
  safeProxyCreationCode,
} from '@lanyard/accounts'
import { safeProxyFactoryAbi } from '@lanyard/onchain'
import {
  type Address,
  concat,
  decodeFunctionData,
  getAddress,
  getCreate2Address,
  type Hex,
  isAddressEqual,
  keccak256,
  numberToHex,
  pad,
  slice,
} from 'viem'

/** An account whose address the caller already knows, for use without the first owner's key. */
export interface KnownAccount {
  readonly kind: 'account'
  readonly address: Address
}

/** The expected account: its first owner, which determines the address, or the address itself. */
export type ExpectedOwner = AccountOwner | KnownAccount

/**
 * @throws AccountsError NOT_ON_CURVE, OUT_OF_RANGE if the passkey cannot own an account
 */
export function accountOf(owner: ExpectedOwner, deployment: AccountDeployment): Address {
  return owner.kind === 'account' ? getAddress(owner.address) : computeAccountAddress(owner, deployment)
}

/**
 * Whether `initCode` deploys `account`: whichever factory it calls, CREATE2 must lead to exactly that
 * address. The address commits to the initializer, and so to the owner and the modules, so no other check is
 * needed.
 */
export function deploysAccount(initCode: Hex, account: Address, deployment: AccountDeployment): boolean {
  try {
    const factory = slice(initCode, 0, 20, { strict: true })
    const { functionName, args } = decodeFunctionData({ abi: safeProxyFactoryAbi, data: slice(initCode, 20) })
    if (functionName !== 'createProxyWithNonce' || !isAddressEqual(factory, deployment.factory)) return false
    const [singleton, initializer, saltNonce] = args
    const created = getCreate2Address({
      from: deployment.factory,
      salt: keccak256(concat([keccak256(initializer), numberToHex(saltNonce, { size: 32 })])),
      bytecode: concat([safeProxyCreationCode, pad(singleton)]),
    })
    return isAddressEqual(created, account)
  } catch {
    return false // viem throws on an unknown selector and on data that cannot be decoded
  }
}
