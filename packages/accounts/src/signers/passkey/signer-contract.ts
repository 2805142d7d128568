import { safeWebAuthnSignerFactoryAbi } from '@lanyard/onchain'
import {
  type Address,
  concat,
  decodeFunctionData,
  encodeAbiParameters,
  encodeFunctionData,
  getContractAddress,
  getCreate2Address,
  type Hash,
  type Hex,
  hexToBigInt,
  isAddressEqual,
  size,
  slice,
  zeroHash,
} from 'viem'
import type { Call } from '../../call.ts'
import { AccountsError } from '../../errors.ts'
import type { PasskeyOwner } from '../../owner.ts'
import { type AccountDeployment, defaultDeployment } from '../../safe/deployment.ts'
import { assertUint } from '../../words.ts'
import { assertOnP256 } from './public-key.ts'

/**
 * The creation code of SafeWebAuthnSignerProxy as embedded in the canonical SafeWebAuthnSignerFactory
 * (safe-passkey-module v0.2.1, 0x1d31F259eE307358a26dFb23EB365939E8641195). The proxies' addresses depend on
 * every byte of it, including the metadata hash at the end.
 */
const safeWebAuthnSignerCreationCode: Hex =
  '0x610100346100ad57601f6101b538819003918201601f19168301916001600160401b038311848410176100b2578084926080946040528339810103126100ad578051906001600160a01b03821682036100ad5760208101516040820151606090920151926001600160b01b03841684036100ad5760805260a05260c05260e05260405160ec90816100c98239608051816082015260a05181604d015260c051816027015260e0518160010152f35b600080fd5b634e487b7160e01b600052604160045260246000fdfe7f000000000000000000000000000000000000000000000000000000000000000060b63601527f000000000000000000000000000000000000000000000000000000000000000060a03601527f000000000000000000000000000000000000000000000000000000000000000036608001523660006080376000806056360160807f00000000000000000000000000000000000000000000000000000000000000005af43d600060803e60b1573d6080fd5b3d6080f3fea26469706673582212201660515548d15702d720bbc046b457ca85e941a4559ab9f9518488e4c82e5ee964736f6c634300081a0033'

/**
 * The signer contract of a passkey that is added to an existing account:
 * `SafeWebAuthnSignerFactory.getSigner`. Its address is the same for every account and network. The contract
 * must be created (`encodeCreateSigner`) before it can verify signatures.
 *
 * @throws AccountsError NOT_ON_CURVE, OUT_OF_RANGE.
 */
export function computeSignerAddress(
  { x, y, verifiers }: Omit<PasskeyOwner, 'kind'>,
  { signerFactory }: Pick<AccountDeployment, 'signerFactory'> = defaultDeployment,
): Address {
  assertOnP256({ x, y })
  assertUint(verifiers, 176, 'verifiers')
  // The factory's constructor creates the singleton, as its first contract.
  const singleton = getContractAddress({ from: signerFactory, nonce: 1n })
  return getCreate2Address({
    from: signerFactory,
    salt: zeroHash,
    bytecode: concat([
      safeWebAuthnSignerCreationCode,
      encodeAbiParameters(
        [{ type: 'address' }, { type: 'uint256' }, { type: 'uint256' }, { type: 'uint176' }],
        [singleton, x, y, verifiers],
      ),
    ]),
  })
}

/**
 * The call that creates a passkey's signer contract at `computeSignerAddress`. It does nothing if the
 * contract exists. In a batch, put it before `encodeAddOwner`.
 *
 * @throws AccountsError NOT_ON_CURVE, OUT_OF_RANGE.
 */
export function encodeCreateSigner(
  { x, y, verifiers }: Omit<PasskeyOwner, 'kind'>,
  { signerFactory }: Pick<AccountDeployment, 'signerFactory'> = defaultDeployment,
): Call {
  assertOnP256({ x, y })
  assertUint(verifiers, 176, 'verifiers')
  return {
    to: signerFactory,
    value: 0n,
    data: encodeFunctionData({
      abi: safeWebAuthnSignerFactoryAbi,
      functionName: 'createSigner',
      args: [x, y, verifiers],
    }),
  }
}

/**
 * The passkey of a signer contract, from the code of its proxy. The key decides the address, so it is checked against that.
 *
 * @param code - the code at the address on any network
 * @returns undefined for any other contract
 */
export function readSignerContract(
  address: Address,
  code: Hex | undefined,
  deployment: Pick<AccountDeployment, 'signerFactory'> = defaultDeployment,
): PasskeyOwner | undefined {
  if (code === undefined || size(code) !== signerProxySize) return undefined
  const word = (offset: number) => hexToBigInt(slice(code, offset, offset + 32))
  const key: PasskeyOwner = {
    ...{ kind: 'passkey', x: word(signerProxyKey.x), y: word(signerProxyKey.y) },
    verifiers: word(signerProxyKey.verifiers),
  }
  try {
    return isAddressEqual(computeSignerAddress(key, deployment), address) ? key : undefined
  } catch (error) {
    if (error instanceof AccountsError) return undefined // no point of the curve: other code
    throw error
  }
}

/** Bytes of the proxy's code, and where the constructor puts the key into it (immutables of SafeWebAuthnSignerProxy v0.2.1). */
const signerProxySize = 0xec
const signerProxyKey = { x: 0x4d, y: 0x27, verifiers: 0x01 } as const

/** Whether call data of the factory creates a signer contract. */
export function isCreateSigner(data: Hex): boolean {
  try {
    return decodeFunctionData({ abi: safeWebAuthnSignerFactoryAbi, data }).functionName === 'createSigner'
  } catch {
    return false // viem throws on an unknown selector and on arguments that do not decode
  }
}

/**
 * A call that asks whether the signer contract of a passkey would accept a signature (ERC-1271's answer). The factory
 * answers for it, also where the contract is not created.
 */
export const encodeVerifyAsSigner = (
  { x, y, verifiers }: Omit<PasskeyOwner, 'kind'>,
  { hash, signature }: { readonly hash: Hash; readonly signature: Hex },
  { signerFactory }: Pick<AccountDeployment, 'signerFactory'> = defaultDeployment,
): Omit<Call, 'value'> => ({
  to: signerFactory,
  data: encodeFunctionData({
    abi: safeWebAuthnSignerFactoryAbi,
    functionName: 'isValidSignatureForSigner',
    args: [hash, signature, x, y, verifiers],
  }),
})

/** Parameters of viem's `readContract` for the address that the factory itself gives a passkey's signer contract. */
export const signerAddressRead = (
  { x, y, verifiers }: Omit<PasskeyOwner, 'kind'>,
  { signerFactory }: Pick<AccountDeployment, 'signerFactory'> = defaultDeployment,
) =>
  ({
    address: signerFactory,
    abi: safeWebAuthnSignerFactoryAbi,
    functionName: 'getSigner',
    args: [x, y, verifiers],
  }) as const
