import {
  computeSignerAddress,
  defaultVerifiers,
  fromModulePasskey,
  guardianProofTypedData,
  type PasskeyOwner,
  toModuleOwner,
} from '@lanyard/accounts'
import { escapeText } from '@lanyard/ui'
import {
  type Address,
  getAddress,
  type Hex,
  isAddress,
  isAddressEqual,
  isHex,
  recoverTypedDataAddress,
} from 'viem'

/** Somebody who asks for a guardian, as the link says it: nobody checked the name. */
export interface Invitation {
  readonly account: Address
  readonly name: string
}

/** The link by which an owner asks somebody to be a guardian, or a guardian to practise. */
export const invitationLink = ({ account, name }: Invitation): string =>
  `${location.origin}/become-guardian#${new URLSearchParams({ account, name })}`

/** Reads the part of an invitation after `#`. Undefined if it is none. */
export function readInvitation(hash: string): Invitation | undefined {
  const link = new URLSearchParams(hash.replace(/^#/, ''))
  const account = link.get('account') ?? ''
  const name = escapeText(link.get('name') ?? '', 64)
  return isAddress(account, { strict: false }) && name !== ''
    ? { account: getAddress(account), name }
    : undefined
}

/** What a guardian answers: the address to name, and a signature by it. */
export interface GuardianAnswer {
  readonly guardian: Address
  /** Unix seconds. */
  readonly time: number
  readonly signature: Hex
  /** The passkey whose signer contract the address is; undefined: the address is a key's. */
  readonly key: PasskeyOwner | undefined
}

/**
 * The link by which the guardian answers: the owner opens it, and adds the address. It stands after `#`, which browsers send to
 * no server.
 */
export const answerLink = ({ guardian, time, signature, key }: GuardianAnswer): string =>
  `${location.origin}/protection#${new URLSearchParams({
    add: guardian,
    time: String(time),
    proof: signature,
    ...(key && { key: toModuleOwner(key).key }),
  })}`

/** The answer in the part of a link after `#`. Undefined if there is none. */
export function readAnswer(hash: string): GuardianAnswer | undefined {
  const link = new URLSearchParams(hash.replace(/^#/, ''))
  const [guardian, time, signature, key] = ['add', 'time', 'proof', 'key'].map((name) => link.get(name) ?? '')
  if (
    !guardian ||
    !isAddress(guardian, { strict: false }) ||
    !isHex(signature) ||
    !/^\d{1,10}$/.test(time ?? '')
  )
    return undefined
  try {
    const passkey = key ? fromModulePasskey(key as Hex) : undefined
    return { guardian: getAddress(guardian), time: Number(time), signature, key: passkey }
  } catch {
    return undefined // no point of the curve
  }
}

/**
 * Whether an answer fits its address: the key signed it, or the address follows from the passkey and from the verifiers that
 * this wallet knows. The service verifies the passkey's signature once the guardian is named.
 */
export async function isAnswerOf(account: Address, answer: GuardianAnswer): Promise<boolean> {
  const { guardian, time, signature, key } = answer
  if (key) return key.verifiers === defaultVerifiers && isAddressEqual(computeSignerAddress(key), guardian)
  try {
    const typedData = guardianProofTypedData({ account, guardian, time })
    return isAddressEqual(await recoverTypedDataAddress({ ...typedData, signature }), guardian)
  } catch {
    return false // r or s is no number of the curve
  }
}
