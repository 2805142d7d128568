import { computeSignerAddress } from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import type { CredentialRow, Database } from '@lanyard/database'
import type { Networks } from '@lanyard/networks'
import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import { parseAuthenticatorData } from '@simplewebauthn/server/helpers'
import type { Kysely, Transaction } from 'kysely'
import { hexToBytes, numberToHex } from 'viem'
import { findUserWallet } from '../../accounts/accounts/find-named-account.ts'
import { isPasskeyOwner } from '../../accounts/owners/describe-owners.ts'
import { insertCredential } from '../../accounts/passkeys/credentials.ts'
import { bytesOfBase64Url } from '../../accounts/passkeys/encodings.ts'
import type { RelyingParty } from '../../accounts/passkeys/relying-party.ts'
import { verifying } from '../../accounts/passkeys/verification-failed.ts'
import { verifyAssertion } from '../../accounts/passkeys/verify-assertion.ts'
import { listRecoveries } from './recovery.ts'

/** Keys that are tried: those of the newest recoveries. */
const maxKeys = 16

/**
 * The passkey of a recovery that signs in for the first time. The service never saw its registration: the guardians
 * signed its public key, and it must own the account on a network now.
 *
 * @returns a credential to insert; undefined if no recovered key made this assertion
 * @throws NETWORK_UNAVAILABLE if a network that may have it as an owner does not answer
 */
export async function findRecoveredCredential(
  {
    database,
    networks,
  }: {
    readonly database: Kysely<Database>
    readonly networks: Networks
  },
  {
    relyingParty,
    userId,
    expectedChallenge,
    response,
    now,
  }: {
    readonly relyingParty: RelyingParty
    readonly userId: string
    readonly expectedChallenge: string
    readonly response: AuthenticationResponseJSON
    readonly now: Date
  },
): Promise<CredentialRow | undefined> {
  const wallet = await findUserWallet(database, userId)
  // What too few guardians signed was executed nowhere, and would take the place of what was.
  const keys = (await listRecoveries(database, wallet.address))
    .filter(({ isComplete }) => isComplete)
    .flatMap(({ target }) => target.newOwners)
    .flatMap((owner) => (owner.kind === 'passkey' ? [owner] : []))
  for (const key of keys.slice(0, maxKeys)) {
    const { x, y, verifiers } = key
    const credential: CredentialRow = {
      ...{ id: response.id, user_id: userId, verifiers, first_owner: false, label: 'Recovered' },
      ...{ public_key: Buffer.from(toCoseKey(x, y)), signer: computeSignerAddress(key).toLowerCase() },
      ...{ counter: 0, transports: [] },
      ...(await flagsOf(response)),
      ...{ aaguid: unknownModel, created_at: now, last_used_at: null },
    }
    if (!(await isSignedBy({ relyingParty, credential, expectedChallenge, response }))) continue
    if (await isPasskeyOwner(networks, wallet, credential)) return credential
  }
  return undefined
}

/**
 * Registers the passkey of a recovery.
 *
 * @throws VERIFICATION_FAILED if its id, or its key, is registered to any user
 */
export const insertRecovered = (
  transaction: Transaction<Database>,
  row: CredentialRow,
  now: Date,
): Promise<void> =>
  insertCredential(transaction, {
    ...{ userId: row.user_id, verifiers: row.verifiers, firstOwner: false, label: row.label, now },
    credential: {
      ...{ id: row.id, publicKey: row.public_key, counter: row.counter, transports: [], aaguid: row.aaguid },
      ...{ backupEligible: row.backup_eligible, backedUp: row.backed_up },
    },
  })

/** An AAGUID that says nothing: there was no attestation. */
const unknownModel = '00000000-0000-0000-0000-000000000000'

/** COSE_Key of ES256: {1: 2, 3: -7, -1: 1, -2: x, -3: y} (RFC 9053, section 7.1.1). */
const toCoseKey = (x: bigint, y: bigint): Uint8Array =>
  hexToBytes(
    `0xa5010203262001215820${numberToHex(x, { size: 32 }).slice(2)}225820${numberToHex(y, { size: 32 }).slice(2)}`,
  )

const flagsOf = ({ response }: AuthenticationResponseJSON) =>
  verifying(() => {
    const { flags } = parseAuthenticatorData(bytesOfBase64Url(response.authenticatorData))
    return { backup_eligible: flags.be, backed_up: flags.bs }
  })

async function isSignedBy(request: Parameters<typeof verifyAssertion>[0]): Promise<boolean> {
  try {
    await verifyAssertion(request)
    return true
  } catch (error) {
    if (error instanceof LanyardError && error.code === 'VERIFICATION_FAILED') return false
    throw error
  }
}
