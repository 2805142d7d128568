import { safeAbi, safeProxyFactoryAbi } from '@lanyard/onchain'
import { decodeFunctionData, type Hex, isAddressEqual, slice } from 'viem'
import { type AccountOwner, toOwner } from '../owner.ts'
import { configureSelector, decodeSignerConfiguration } from '../signers/passkey/signer-configuration.ts'
import { defaultDeployment } from './deployment.ts'

/**
 * The owner that an init code seems to name; undefined if it has another form. Compare the owner's
 * `encodeInitCode` before relying on it.
 */
export function readInitCode(initCode: Hex): AccountOwner | undefined {
  try {
    const create = decodeFunctionData({ abi: safeProxyFactoryAbi, data: slice(initCode, 20) })
    if (create.functionName !== 'createProxyWithNonce') return undefined
    const setup = decodeFunctionData({ abi: safeAbi, data: create.args[1] })
    if (setup.functionName !== 'setup') return undefined
    const [[owner], , , data] = setup.args
    if (owner === undefined) return undefined
    if (!isAddressEqual(owner, defaultDeployment.sharedSigner)) return toOwner({ address: owner })
    const passkey = decodeSignerConfiguration(`0x${data.split(configureSelector)[1]?.slice(0, 96 * 2)}`)
    return passkey && toOwner(passkey)
  } catch {
    return undefined // viem throws on an unknown selector, and on data that it cannot decode
  }
}
