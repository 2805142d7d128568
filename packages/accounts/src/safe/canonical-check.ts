import { type Address, type Hex, isAddressEqual, size, slice } from 'viem'
import type { CanonicalCheck, CanonicalRead, KnownModules } from '../known-accounts.ts'
import { defaultVerifiers, type PasskeyOwner } from '../owner.ts'
import {
  decodeSignerConfiguration,
  encodeGetConfiguration,
  getSignerConfiguration,
} from '../signers/passkey/signer-configuration.ts'
import { computeSignerAddress } from '../signers/passkey/signer-contract.ts'
import type { SignedUserOperation } from '../user-operation/user-operation.ts'
import { type AccountPart, codeReads, oneSignerRead } from './code-reads.ts'
import { computeAccountAddress, encodeInitCode } from './creation.ts'
import { type AccountDeployment, defaultDeployment } from './deployment.ts'
import { decodeSignature } from './operation.ts'
import { readInitCode } from './read-init-code.ts'

/** What may differ in a Safe from those that this service deploys. */
export type SafePart = AccountPart | 'signer' | 'initCode'

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
