import {
  computeSignerAddress,
  encodePasskeySignature,
  getGuardianProofHash,
  guardianProofTypedData,
  type PasskeyOwner,
  toOwner,
} from '@lanyard/accounts'
import { isSignedBy } from '@lanyard/client'
import {
  type Address,
  getAddress,
  getTypesForEIP712Domain,
  type Hash,
  type Hex,
  isAddressEqual,
  serializeTypedData,
} from 'viem'
import type { Session } from '../api/stored-session.ts'
import { trpc } from '../api/trpc.ts'
import { WalletError } from '../errors/wallet-error.ts'
import { assertHash } from '../passkey/assert-hash.ts'
import { knownPasskey } from '../sign-in/known-passkey.ts'
import type { InjectedWallet } from '../signers/injected-wallets.ts'
import { namePasskey } from '../signers/passkey/name-passkey.ts'
import type { Guardian } from './guardian.ts'
import type { GuardianAnswer } from './invitation.ts'

/**
 * The passkey of a guardian, checked against the address that is named. Its verifiers are those that this wallet knows: the
 * service could name others, which accept what the passkey never signed, and so be the guardian itself.
 *
 * @throws WalletError CALLS_DIFFER if the address does not follow from them
 */
export function passkeyOf({ guardian, key }: Pick<Guardian, 'guardian' | 'key'>): PasskeyOwner | undefined {
  if (!key) return undefined
  const passkey = toOwner({ x: key.x, y: key.y })
  if (!isAddressEqual(computeSignerAddress(passkey), guardian)) throw new WalletError('CALLS_DIFFER')
  return passkey
}

/**
 * Signs a hash with a passkey as its signer contract takes it, with one touch. The contract has the same address on every
 * network, and the signature has no chain id: it counts everywhere.
 *
 * @throws WalletError OTHER_PASSKEY if another passkey signed, NOT_VERIFIABLE; errors of the ceremony and the service
 */
export async function signAsPasskey(session: Session, key: PasskeyOwner, hash: Hash): Promise<Hex> {
  const { assertion, response } = await assertHash(session, hash)
  if (!(await isSignedBy(key, response))) throw new WalletError('OTHER_PASSKEY')
  const encoded = encodePasskeySignature({ hash, assertion })
  if (!encoded.ok) throw new WalletError('NOT_VERIFIABLE')
  return encoded.signature
}

/** The passkey of this session, from this browser or, to be verified when it signs, from the service. */
async function ownPasskey(session: Session, account: Address): Promise<PasskeyOwner> {
  const known = session.credentialId === undefined ? undefined : knownPasskey(session.credentialId)
  if (known) return toOwner(known)
  const { key } = await trpc.guardian.check.mutate({ account, guardian: session.username })
  if (!key) throw new WalletError('NOT_VERIFIABLE')
  return toOwner({ x: key.x, y: key.y }) // with the verifiers of this wallet, as in `passkeyOf`
}

const now = () => Math.floor(Date.now() / 1_000)

/**
 * Shows that the passkey of this session can sign for an account, exactly as it would sign a recovery.
 *
 * @throws WalletError OTHER_PASSKEY, NOT_VERIFIABLE; errors of the ceremony and the service
 */
export async function proveWithAccount(session: Session, account: Address): Promise<GuardianAnswer> {
  const key = await ownPasskey(session, account)
  const proof = { account, guardian: computeSignerAddress(key), time: now() }
  const signature = await signAsPasskey(session, key, getGuardianProofHash(proof))
  return { guardian: proof.guardian, time: proof.time, signature, key }
}

/**
 * Shows that a wallet of this browser can sign for an account.
 *
 * @throws the wallet's error if the person declines
 */
export async function proveWithWallet(
  { provider }: InjectedWallet,
  account: Address,
): Promise<GuardianAnswer> {
  const [first] = await provider.request({ method: 'eth_requestAccounts' })
  if (!first) throw new WalletError('NOT_VERIFIABLE')
  const proof = { account, guardian: getAddress(first), time: now() }
  const typedData = guardianProofTypedData(proof)
  const types = {
    EIP712Domain: getTypesForEIP712Domain({ domain: typedData.domain ?? {} }),
    ...typedData.types,
  }
  const signature = await provider.request({
    method: 'eth_signTypedData_v4',
    params: [proof.guardian, serializeTypedData({ ...typedData, types } as never)], // the domain's type is not among those of the message
  })
  return { guardian: proof.guardian, time: proof.time, signature, key: undefined }
}

/** Tells the service that a guardian can sign, once the owner has named them. */
export const sendProof = (account: Address, { guardian, time, signature, key }: GuardianAnswer) =>
  trpc.guardian.prove.mutate({ account, guardian, time, signature, key: key && namePasskey(key) })
