import { safeAbi } from '@lanyard/onchain'
import {
  type Address,
  encodeAbiParameters,
  encodeFunctionData,
  encodeFunctionResult,
  type Hex,
  hexToBigInt,
  toFunctionSelector,
} from 'viem'
import { type AccountDeployment, defaultDeployment } from './deployment.ts'
import { sentinel } from './reads.ts'

/** A part of an account whose code can run when the account validates an operation. */
export type AccountPart = 'singleton' | 'handler' | 'guard' | 'modules'

/** A call of the account, and the answers of an account that runs known code. */
export interface CodeRead {
  readonly part: AccountPart
  readonly data: Hex
  readonly expected: readonly Hex[]
}

/** Storage slots of Safe 1.4.1: keccak256 of `fallback_manager.handler.address` and `guard_manager.guard.address`. */
const handlerSlot = 0x6c9a6c4a39284e37ed1cf53d337577d14212a4870fb976a4366c693b939918d5n
const guardSlot = 0x4a204f620c8c5ccdca3fd54d003badd85ba500436a431f0cbda4f558c93c34c8n
/**
 * Contracts in an account's storage, as parameters of viem's `readContract` and of its coders: one word each, which ends in
 * the address. `handler` answers what the account itself does not, `guard` can refuse transactions (0: none).
 */
export const storedPartReads = (address: Address) =>
  ({
    handler: { address, abi: safeAbi, functionName: 'getStorageAt', args: [handlerSlot, 1n] },
    guard: { address, abi: safeAbi, functionName: 'getStorageAt', args: [guardSlot, 1n] },
  }) as const

/** Of Safe 1.5.0, `module_manager.module_guard.address`: a guard of what modules do, such as ERC-4337's. */
const moduleGuardSlot = 0xb104e0b93118902c651344349b610029d694cfdec91c589c91ebafbcd0289947n

const getStorageAt = (slot: bigint): Hex =>
  encodeFunctionData({ abi: safeAbi, functionName: 'getStorageAt', args: [slot, 1n] })

const word = (value: Address | bigint): Hex =>
  encodeAbiParameters([{ type: 'uint256' }], [typeof value === 'bigint' ? value : hexToBigInt(value)])
const storedWord = (value: Address | bigint): Hex => encodeAbiParameters([{ type: 'bytes' }], [word(value)])
const moduleList = (modules: readonly Address[]): Hex =>
  encodeFunctionResult({ abi: safeAbi, functionName: 'getModulesPaginated', result: [modules, sentinel] })

/** The list of modules ends on its first page. */
const getModules = encodeFunctionData({
  abi: safeAbi,
  functionName: 'getModulesPaginated',
  args: [sentinel, 10n],
})

/**
 * What shows that an account runs only the code of its deployment. Its address shows that it is a SafeProxy, so the
 * proxy's own answer for its singleton can be accepted, and with a known singleton all others.
 *
 * @param modules - those that the account may have besides its 4337 module
 */
export function codeReads(
  modules: readonly Address[],
  { singleton, module }: Pick<AccountDeployment, 'singleton' | 'module'> = defaultDeployment,
): readonly CodeRead[] {
  const noGuard = [storedWord(0n)]
  return [
    // SafeProxy answers this itself from slot 0, whatever its singleton is.
    { part: 'singleton', data: toFunctionSelector('masterCopy()'), expected: [word(singleton)] },
    { part: 'handler', data: getStorageAt(handlerSlot), expected: [storedWord(module)] },
    { part: 'guard', data: getStorageAt(guardSlot), expected: noGuard },
    { part: 'guard', data: getStorageAt(moduleGuardSlot), expected: noGuard },
    // The newest module comes first; an account that enabled one again has them in another order.
    { part: 'modules', data: getModules, expected: ordersWith([module], modules).map(moduleList) },
  ]
}

/** The lists that consist of `first` and any of `more`, in every order. */
function ordersWith(first: readonly Address[], more: readonly Address[]): readonly (readonly Address[])[] {
  const longer = more.flatMap((one, index) => {
    const others = more.filter((_, at) => at !== index)
    return [...first.keys(), first.length].flatMap((place) =>
      ordersWith([...first.slice(0, place), one, ...first.slice(place)], others),
    )
  })
  return [first, ...longer]
}

/**
 * What shows that an account asks only the first signer of a signature: it reads as many signatures as its threshold
 * says.
 */
export const oneSignerRead: Pick<CodeRead, 'data' | 'expected'> = {
  data: encodeFunctionData({ abi: safeAbi, functionName: 'getThreshold' }),
  expected: [word(1n)],
}
