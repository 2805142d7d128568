import { safeAbi } from '@lanyard/onchain'
import {
  type Address,
  encodeAbiParameters,
  encodeFunctionData,
  encodeFunctionResult,
  type Hex,
  hexToBigInt,
  isAddressEqual,
  size,
  slice,
  toFunctionSelector,
} from 'viem'
import type { AccountPart, CanonicalCheck, CanonicalRead, KnownModules } from '../canonical-check.ts'
import { defaultVerifiers, type PasskeyOwner } from '../owner.ts'
import {
  decodeSignerConfiguration,
  encodeGetConfiguration,
  getSignerConfiguration,
} from '../signers/passkey/signer-configuration.ts'
import { computeSignerAddress } from '../signers/passkey/signer-contract.ts'
import type { SignedUserOperation } from '../user-operation/user-operation.ts'
import { computeAccountAddress, encodeInitCode } from './creation.ts'
import { type AccountDeployment, defaultDeployment } from './deployment.ts'
import { supportedSingletons } from './existing-safe.ts'
import { decodeSignature } from './operation.ts'
import { readInitCode } from './read-init-code.ts'
import { guardSlot, handlerSlot, moduleGuardSlot, sentinel } from './reads.ts'

/** A call of the account, and the answers of an account that runs known code. */
interface CodeRead {
  readonly part: AccountPart
  readonly data: Hex
  readonly expected: readonly Hex[]
}

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
 * What shows that an account runs only code of Safe's. Its address shows that it is a SafeProxy, or its code was read before it
 * was imported and for each build, so the proxy's own answer for its singleton can be accepted, and with a known singleton all others.
 *
 * @param modules - those that the account may have besides its 4337 module
 */
function codeReads(
  modules: readonly Address[],
  { module }: Pick<AccountDeployment, 'module'> = defaultDeployment,
): readonly CodeRead[] {
  const noGuard = [storedWord(0n)]
  return [
    // SafeProxy answers this itself from slot 0, whatever its singleton is.
    { part: 'singleton', data: toFunctionSelector('masterCopy()'), expected: supportedSingletons.map(word) },
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
const oneSignerRead: Pick<CodeRead, 'data' | 'expected'> = {
  data: encodeFunctionData({ abi: safeAbi, functionName: 'getThreshold' }),
  expected: [word(1n)],
}

interface Expectations {
  readonly sessionKeys: Address | undefined
  /** With which the service deploys accounts: without a module, and with Ownership. */
  readonly deployments: readonly AccountDeployment[]
  readonly reads: (sender: Address) => CanonicalRead[]
}

const isOneOf = (expected: readonly Hex[]) => (answer: Hex) => expected.includes(answer)

/** Another singleton, fallback handler, guard, module or signer contract, or a deployment by anything else, is foreign. */
export function checkSafe(modules: KnownModules): (operation: SignedUserOperation) => CanonicalCheck {
  const expected = expectationsOf(modules)
  return (operation) => {
    if (operation.initCode !== '0x')
      return isOwnDeployment(operation, expected) ? { reads: [] } : { foreignPart: 'initCode' }
    return { reads: [...expected.reads(operation.sender), ...readsOfSigner(operation, expected)] }
  }
}

function expectationsOf({ sessionKeys, ownership }: KnownModules): Expectations {
  const code = codeReads([sessionKeys, ownership].filter((known) => known !== undefined)).map(
    ({ part, data, expected }) => ({ part, callData: data, passes: isOneOf(expected) }),
  )
  return {
    sessionKeys,
    deployments: [defaultDeployment, ...(ownership ? [{ ...defaultDeployment, ownership }] : [])],
    reads: (target) => code.map((read) => ({ target, ...read })),
  }
}

/** `validAfter` and `validUntil`, with which a signature begins. */
const validityBytes = 12
const bytesOfKeySignature = 65

const isOne = isOneOf(oneSignerRead.expected)

/**
 * What shows that a signature is checked by code that the service knows: an owner's key, SessionKeys, or the
 * contract of a passkey with the usual verifiers.
 */
function readsOfSigner(
  { sender, signature }: SignedUserOperation,
  { sessionKeys }: Expectations,
): CanonicalRead[] {
  // Malformed signatures fail their simulation.
  if (size(signature) <= validityBytes + bytesOfKeySignature) return []
  const { signatures } = decodeSignature(signature)
  const part = 'signer' as const
  const threshold: CanonicalRead = { target: sender, callData: oneSignerRead.data, part, passes: isOne }
  const kind = Number(slice(signatures, 64, 65))
  if (kind !== 0) return [threshold]
  const signer = slice(signatures, 12, 32)
  if (sessionKeys && isAddressEqual(signer, sessionKeys)) return [threshold]
  if (isAddressEqual(signer, defaultDeployment.sharedSigner)) {
    return [
      threshold,
      {
        target: signer,
        callData: encodeGetConfiguration(sender),
        part,
        passes: (answer) => decodeSignerConfiguration(answer)?.verifiers === defaultVerifiers,
      },
    ]
  }
  return [
    threshold,
    {
      target: signer,
      callData: getSignerConfiguration,
      part,
      // Any contract can claim a key, but only the factory's has the address that follows from it.
      passes: (answer) => isOwnSigner(signer, decodeSignerConfiguration(answer)),
    },
  ]
}

function isOwnSigner(signer: Address, passkey: Omit<PasskeyOwner, 'kind'> | undefined): boolean {
  if (passkey?.verifiers !== defaultVerifiers) return false
  try {
    return isAddressEqual(computeSignerAddress(passkey), signer)
  } catch {
    return false // not a point of P-256
  }
}

/**
 * Whether the factory's call, the initializer and the signer are those with which this service deploys the sender:
 * all three run in the validation.
 */
function isOwnDeployment(
  { initCode, sender, signature }: SignedUserOperation,
  { deployments }: Expectations,
): boolean {
  const owner = readInitCode(initCode)
  if (!owner) return false
  const deployment = deployments.find(
    (own) => encodeInitCode(owner, own).toLowerCase() === initCode.toLowerCase(),
  )
  if (!deployment || !isAddressEqual(computeAccountAddress(owner, deployment), sender)) return false
  if (size(signature) <= validityBytes + bytesOfKeySignature) return true
  return owner.kind === 'passkey' && owner.verifiers === defaultVerifiers
}

/** What EntryPoint is going to check. A malformed signature is short, and fails its simulation. */
export const signatureKindOfSafe = ({
  signature,
}: Pick<SignedUserOperation, 'signature'>): 'key' | 'contract' =>
  size(signature) <= validityBytes + bytesOfKeySignature ? 'key' : 'contract'
